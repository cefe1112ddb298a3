// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// What is posted to assistive technology, in a framework that SwiftUI does not bring along.
public enum AccessibilityNotification {
  /// Hears of what is posted in a task.
  @TaskLocal public static var _listener: (@Sendable (String) -> Void)?

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

    public func post() { AccessibilityNotification._listener?(priority + text) }
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
