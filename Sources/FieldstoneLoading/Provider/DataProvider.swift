/// A place that data comes from: given parameters, it loads an output.
///
/// A provider is a value or a `Sendable` class without state of one call; what belongs to one load
/// lives in `load`. Being cancelled it should stop and throw `CancellationError`; a load
/// that does not is no longer waited for. (Seed: IDMCore's `DataProviderProtocol`.)
public protocol DataProvider<Parameters, Output>: Sendable {
  /// The parameters of a load.
  associatedtype Parameters: Sendable
  /// What a load gives.
  associatedtype Output: Sendable

  /// Loads an output; leaves the caller's actor.
  ///
  /// - Parameters:
  ///   - parameters: what to load.
  ///   - events: where to report progress, and early values such as a cached one.
  /// - Throws: why nothing was loaded; `CancellationError` when the task was cancelled.
  @concurrent
  func load(_ parameters: Parameters, reporting events: LoadEvents<Output>) async throws -> Output
}
