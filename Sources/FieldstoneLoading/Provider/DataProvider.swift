import FieldstoneCore

/// A place that data comes from: given parameters, it loads an output.
///
/// A provider is a value or a `Sendable` class without state of one call; what belongs to one load
/// lives in `load`. Being cancelled it should stop and throw `CancellationError`; a load
/// that does not is no longer waited for. (Seed: IDMCore's `DataProviderProtocol`.)
public protocol DataProvider<Parameters, Output>: Sendable {
  /// The parameters of a load.
  associatedtype Parameters: Sendable
  /// The output of a load.
  associatedtype Output: Sendable

  /// Loads an output; leaves the caller's actor.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of the load.
  ///   - events: where to report progress, and early values such as a cached one.
  /// - Throws: the error of the load; `CancellationError` when the task was cancelled.
  @concurrent
  func load(_ parameters: Parameters, reporting events: LoadEvents<Output>) async throws -> Output
}

extension DataProvider {
  /// Loads and returns the outcome.
  @concurrent
  func outcome(
    of parameters: Parameters, reporting events: LoadEvents<Output>
  ) async -> Outcome<Output> {
    await Outcome(running: { try await load(parameters, reporting: events) })
  }
}

/// A provider of any type, known only by its parameters and its output.
///
/// It costs one existential call a load; a generic parameter or `some DataProvider<P, O>` costs
/// none.
public struct AnyProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let base: any DataProvider<Parameters, Output>

  /// Hides the type of a provider; hiding twice is hiding once.
  package init(_ provider: some DataProvider<Parameters, Output>) {
    base = (provider as? Self)?.base ?? provider
  }

  /// Loads with the provider that is hidden.
  ///
  /// - Throws: the provider's error.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try await base.load(parameters, reporting: events)
  }
}

extension DataProvider {
  /// The same provider with its type hidden.
  public func erased() -> AnyProvider<Parameters, Output> {
    AnyProvider(self)
  }
}
