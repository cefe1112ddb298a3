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

  /// What assistive technology hears of a screen.
  struct ScreenNews: Equatable {
    private let view: ScreenView
    private let message: String?

    init(_ state: ScreenState) {
      view = state.view
      message = state.error?.localizedDescription
    }

    /// Tells what is new: an error in its words, and of other views that they are there.
    @MainActor
    func tell(after old: ScreenNews) {
      if view != old.view, view != .blank { AccessibilityNotification.LayoutChanged().post() }
      if let message { Announcer.announce(message) }
    }
  }
#endif
