/// Where a screen's content comes from.
///
/// Reads of `knowledge` are to be tracked by Observation, so that the screen follows.
@MainActor
public protocol ScreenSource: AnyObject, Sendable {
  /// What is known now.
  var knowledge: ScreenKnowledge { get }

  /// Loads, or loads again; called on first appearance and on refresh.
  func load()

  /// Tries again what has failed or has brought nothing; does the same as ``load()`` unless told
  /// otherwise.
  func retry()

  /// Ends what this screen has under way.
  func cancel()
}

extension ScreenSource {
  /// Does the same as ``load()``.
  public func retry() { load() }
}
