import FieldstoneCore

/// A source of data: it loads an output for parameters.
///
/// A provider is a value or a `Sendable` class that keeps no state of a single load; such state
/// belongs in `load`. A cancelled load should stop and throw `CancellationError`; otherwise its
/// caller stops waiting for it. (Seed: IDMCore's `DataProviderProtocol`.)
public protocol DataProvider<Parameters, Output>: Sendable {
  /// The parameters of a load.
  associatedtype Parameters: Sendable
  /// The output of a load.
  associatedtype Output: Sendable

  /// Loads an output, off the caller's actor.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of the load.
  ///   - events: receives progress, and early values such as a cached one.
  /// - Throws: the error of the load; `CancellationError` if the task was cancelled.
  @concurrent
  func load(_ parameters: Parameters, reporting events: LoadEvents<Output>) async throws -> Output
}

extension DataProvider {
  /// Loads, and drops reports that are made after the end.
  ///
  /// A provider that loads more than once for one load, or goes on after it, calls this.
  @concurrent
  func loadOnce(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    let isOver = Locked(false)
    defer { isOver.withLock { $0 = true } }
    return try await load(
      parameters,
      reporting: LoadEvents(
        onProgress: { if !isOver.withLock({ $0 }) { events.progress($0) } },
        onEarlyValue: { if !isOver.withLock({ $0 }) { events.early($0) } }))
  }

  /// Loads, and returns the outcome; reports that are made after it are dropped.
  @concurrent
  func outcome(
    of parameters: Parameters, reporting events: LoadEvents<Output>
  ) async -> Outcome<Output> {
    await Outcome(running: { try await loadOnce(parameters, reporting: events) })
  }
}

/// A type-erased provider.
///
/// It costs one existential call per load; a generic parameter or `some DataProvider<P, O>` costs
/// none.
public struct AnyProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let base: any DataProvider<Parameters, Output>

  /// Erases the type of a provider; erasing twice adds no further call.
  package init(_ provider: some DataProvider<Parameters, Output>) {
    base = (provider as? Self)?.base ?? provider
  }

  /// Loads with the erased provider.
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
  /// The same provider with its type erased.
  public func erased() -> AnyProvider<Parameters, Output> {
    AnyProvider(self)
  }
}
