/// A provider that has its output already: for previews, tests and constants.
///
/// ```swift
/// let users: some DataProvider<String, [User]> = .value([ada])
/// ```
public struct ValueProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  /// What every load gives.
  public let value: Output

  /// Makes a provider of a value.
  public init(_ value: Output) {
    self.value = value
  }

  /// Gives the value.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try Task.checkCancellation()
    return value
  }
}

extension DataProvider {
  /// A provider that has its output already.
  public static func value<P, O>(_ value: O) -> Self where Self == ValueProvider<P, O> {
    ValueProvider(value)
  }
}
