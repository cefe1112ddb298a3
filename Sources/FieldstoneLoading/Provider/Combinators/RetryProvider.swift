public import FieldstoneCore

/// A provider that retries failed loads: see ``DataProvider/retrying(_:time:onRetry:)``.
struct RetryProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let policy: RetryPolicy
  private let time: TimeSource
  private let onRetry: (@Sendable (UpcomingRetry) -> Void)?

  init(
    _ base: Base, _ policy: RetryPolicy, _ time: TimeSource,
    _ onRetry: (@Sendable (UpcomingRetry) -> Void)?
  ) {
    self.base = base
    self.policy = policy
    self.time = time
    self.onRetry = onRetry
  }

  /// Loads, with as many attempts as the policy allows.
  ///
  /// - Throws: the error of the last attempt; `CancellationError` if the task is cancelled.
  @concurrent
  func load(
    _ parameters: Base.Parameters, reporting events: LoadEvents<Base.Output>
  ) async throws -> Base.Output {
    try await policy.run(time: time, onRetry: onRetry) { _ in
      try await base.loadOnce(parameters, reporting: events)
    }
  }
}

extension DataProvider {
  /// Retries after temporary errors; each load has a budget of its own.
  ///
  /// Progress and early values of every attempt are reported until its end; progress restarts with
  /// each attempt.
  ///
  /// - Parameters:
  ///   - policy: the number, delays and errors of retries.
  ///   - time: the clock for the delays.
  ///   - onRetry: called for each further attempt, before its delay, off the main actor.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), time: TimeSource = .system,
    onRetry: (@Sendable (UpcomingRetry) -> Void)? = nil
  ) -> some DataProvider<Parameters, Output> {
    RetryProvider(self, policy, time, onRetry)
  }
}
