/// Where a screen's content comes from.
///
/// Reads of `knowledge` are to be tracked by Observation, so that the screen follows.
@MainActor
public protocol ScreenSource: AnyObject {
  /// What is known now.
  var knowledge: ScreenKnowledge { get }

  /// Loads, or loads again; called on first appearance, on retry and on refresh.
  func load()

  /// Ends what this screen has under way.
  func cancel()
}
