#if canImport(SwiftUI)
  import Foundation
  public import SwiftUI

  /// A title with a picture, and where there are some a message and a button: what a screen shows
  /// that has no values to show.
  public struct ScreenNotice: View {
    private let title: LocalizedStringKey
    private let systemImage: String
    private let message: String?
    private let button: LocalizedStringKey
    private let action: (@MainActor () -> Void)?

    /// Makes a notice.
    ///
    /// - Parameters:
    ///   - title: what it says.
    ///   - systemImage: the picture, by its name among the system's symbols.
    ///   - message: what else it says, as it is.
    ///   - button: what the button says.
    ///   - action: what the button does; there is no button without it.
    public init(
      _ title: LocalizedStringKey, systemImage: String, message: String? = nil,
      button: LocalizedStringKey = "Try again", action: (@MainActor () -> Void)? = nil
    ) {
      self.title = title
      self.systemImage = systemImage
      self.message = message
      self.button = button
      self.action = action
    }

    /// Makes a notice of an error, with its description as the message.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - action: tries again.
    public init(error: any Error, action: @escaping @MainActor () -> Void) {
      self.init(
        "That did not work.", systemImage: "exclamationmark.triangle",
        message: error.localizedDescription, action: action)
    }

    /// The notice.
    public var body: some View {
      ContentUnavailableView {
        Label(title, systemImage: systemImage)
          .accessibilityAddTraits(.isHeader)
      } description: {
        if let message {
          Text(verbatim: message)
        }
      } actions: {
        if let action {
          Button(button, action: action)
        }
      }
    }
  }
#endif
