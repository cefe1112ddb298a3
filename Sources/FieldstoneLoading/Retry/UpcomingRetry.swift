/// What is known of another attempt before it is made.
public struct UpcomingRetry: Sendable {
  /// The number of the attempt that will be made; the first retry is attempt 2.
  public let attempt: Int

  /// What the attempt before it failed with.
  public let error: any Error

  /// How long is waited before it, counted from now.
  public let delay: Duration

  /// Describes an attempt that will be made.
  public init(attempt: Int, error: any Error, delay: Duration) {
    self.attempt = attempt
    self.error = error
    self.delay = delay
  }
}
