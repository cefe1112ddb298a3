#if canImport(SwiftUI)
  import Accessibility
  import Foundation
  import SwiftUI

  /// Has assistive technology read out what is said nowhere else.
  @MainActor
  enum Announcer {
    static func announce(_ text: String) {
      var announcement = AttributedString(text)
      // A move of the focus would cut it off otherwise.
      announcement.accessibilitySpeechAnnouncementPriority = .high
      AccessibilityNotification.Announcement(announcement).post()
    }
  }
#endif
