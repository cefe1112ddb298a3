// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// What Apple's UIKit does not have: a way for a test to wait until something is on the screen.
///
/// Setters of the stand-ins note their changes here; a test looks again after each of them.
@MainActor
public enum StandIn {
  private static var waiting: [CheckedContinuation<Void, Never>] = []

  /// What was posted to assistive technology, in order.
  public private(set) static var posts: [Post] = []

  /// Something that was posted to assistive technology.
  public struct Post {
    public let notification: UIAccessibility.Notification
    public let argument: Any?

    /// The text of an announcement.
    public var text: String? { argument as? String }
  }

  /// Waits until a condition holds, which is asked after each change of a view.
  public static func until(_ isMet: @MainActor () -> Bool) async {
    while !isMet() {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Says that something on a screen may look different now.
  public static func noteChange() {
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
  }

  static func note(_ post: Post) {
    posts.append(post)
    noteChange()
  }
}
