#if canImport(Accessibility)
  import Accessibility
  import Foundation

  /// Posts announcements for assistive technology.
  @MainActor
  enum Announcer {
    static func announce(_ text: String) {
      var announcement = AttributedString(text)
      // Otherwise a move of the focus would interrupt it.
      announcement.accessibilitySpeechAnnouncementPriority = .high
      AccessibilityNotification.Announcement(announcement).post()
    }
  }
#endif
