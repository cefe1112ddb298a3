// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// What Apple's UIKit does not have: a way for a test to wait until something is on the screen.
@MainActor
public enum StandIn {
  /// What was posted to assistive technology, in order.
  public private(set) static var posts: [Post] = []

  /// Something that was posted to assistive technology.
  public struct Post {
    public let notification: UIAccessibility.Notification
    public let argument: Any?

    /// The text of an announcement.
    public var text: String? { argument as? String }
  }

  /// Waits until a condition holds, which is asked at each turn of the main actor.
  ///
  /// When the waiting task is cancelled, as by a test's time limit, it returns at once.
  public static func until(_ isMet: @MainActor () -> Bool) async {
    while !isMet(), !Task.isCancelled { await Task.yield() }
  }

  static func note(_ post: Post) {
    posts.append(post)
  }
}
