import FieldstoneCore

/// A provider made from a closure.
///
/// ```swift
/// let users = ClosureProvider { (name: String) in
///   try await client.users(named: name)
/// }
/// ```
///
/// The closure runs off the main actor. If its task was cancelled, any error counts as the
/// cancellation.
public struct ClosureProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let body: @Sendable (Parameters, LoadEvents<Output>) async throws -> Output

  /// Makes a provider from a closure that reports progress and early values.
  public init(
    _ load: @escaping @Sendable (Parameters, LoadEvents<Output>) async throws -> Output
  ) {
    body = load
  }

  /// Makes a provider from a closure.
  public init(_ load: @escaping @Sendable (Parameters) async throws -> Output) {
    body = { parameters, _ in try await load(parameters) }
  }

  /// Makes a provider from a closure without parameters.
  public init(_ load: @escaping @Sendable () async throws -> Output) where Parameters == Void {
    body = { _, _ in try await load() }
  }

  /// Runs the closure.
  ///
  /// - Throws: the closure's error; `CancellationError` if the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try Task.checkCancellation()
    do {
      return try await body(parameters, events)
    } catch {
      throw CancellationError.inPlace(of: error)
    }
  }
}

/// A provider of a constant value, for previews and tests.
///
/// ```swift
/// let users: some DataProvider<String, [User]> = .value([ada])
/// ```
public struct ValueProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let value: Output

  /// Makes a provider of a value.
  public init(_ value: Output) {
    self.value = value
  }

  /// Returns the value.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try Task.checkCancellation()
    return value
  }
}

extension DataProvider {
  /// A provider of a constant value.
  public static func value<P, O>(_ value: O) -> Self where Self == ValueProvider<P, O> {
    ValueProvider(value)
  }
}
