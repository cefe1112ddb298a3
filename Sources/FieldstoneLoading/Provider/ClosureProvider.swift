import FieldstoneCore

/// A provider that is a closure.
///
/// ```swift
/// let users = ClosureProvider { (name: String) in
///   try await client.users(named: name)
/// }
/// ```
///
/// The closure runs off the main actor. When its task was cancelled, any error of it counts as the
/// cancellation.
public struct ClosureProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let body: @Sendable (Parameters, LoadEvents<Output>) async throws -> Output

  /// Makes a provider from a closure that reports on its way.
  public init(
    _ load: @escaping @Sendable (Parameters, LoadEvents<Output>) async throws -> Output
  ) {
    body = load
  }

  /// Makes a provider from a closure.
  public init(_ load: @escaping @Sendable (Parameters) async throws -> Output) {
    body = { parameters, _ in try await load(parameters) }
  }

  /// Makes a provider from a closure that needs no parameters.
  public init(_ load: @escaping @Sendable () async throws -> Output) where Parameters == Void {
    body = { _, _ in try await load() }
  }

  /// Runs the closure.
  ///
  /// - Throws: the closure's error; `CancellationError` when the task is cancelled.
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

/// A provider that has its output already: for previews, tests and constants.
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
