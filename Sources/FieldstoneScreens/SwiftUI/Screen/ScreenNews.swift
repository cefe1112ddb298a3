#if canImport(SwiftUI)
  import Accessibility
  import Foundation

  /// The news of a screen for assistive technology.
  struct ScreenNews: Equatable {
    private let view: ScreenView
    private let message: String?
    private let failureCount: Int

    @MainActor
    init(_ screen: ScreenModel) {
      view = screen.state.view
      message = screen.state.error?.localizedDescription
      failureCount = screen.failureCount
    }

    /// Announces a new error, and posts a layout change for a new view.
    @MainActor
    func tell(after old: ScreenNews) {
      if view != old.view, view != .blank { AccessibilityNotification.LayoutChanged().post() }
      if let message { Announcer.announce(message) }
    }
  }
#endif
