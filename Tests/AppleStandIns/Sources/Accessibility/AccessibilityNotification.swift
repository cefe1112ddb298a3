// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import Synchronization

/// What is posted to assistive technology, in a framework that SwiftUI does not bring along.
public enum AccessibilityNotification {
  /// Hears of what is posted in a task.
  @TaskLocal public static var _listener: (@Sendable (String) -> Void)?

  private static let posts = Mutex<[String]>([])

  /// The texts of all announcements, with an exclamation mark before those of high priority.
  public static var _announcements: [String] { posts.withLock { $0 } }

  public struct Announcement {
    let text: String
    let priority: String

    public init(_ announcement: AttributedString) {
      text = String(announcement.characters)
      priority = announcement.accessibilitySpeechAnnouncementPriority == .high ? "!" : ""
    }

    public init(_ announcement: String) {
      text = announcement
      priority = ""
    }

    public func post() {
      let post = priority + text
      AccessibilityNotification.posts.withLock { $0.append(post) }
      AccessibilityNotification._listener?(post)
    }
  }

  public struct LayoutChanged {
    public init() {}
    public func post() { AccessibilityNotification._listener?("layout changed") }
  }
}

extension AttributeScopes {
  public struct AccessibilityAttributes: AttributeScope {
    public let accessibilitySpeechAnnouncementPriority: AnnouncementPriorityAttribute

    public enum AnnouncementPriorityAttribute: AttributedStringKey {
      public typealias Value = AnnouncementPriority
      public static let name = "accessibilitySpeechAnnouncementPriority"

      public enum AnnouncementPriority: Hashable, Sendable {
        case low
        case `default`
        case high
      }
    }
  }
}

extension AttributeDynamicLookup {
  public subscript<T: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeScopes.AccessibilityAttributes, T>
  ) -> T {
    self[T.self]
  }
}
