#if canImport(SwiftUI)
  import Foundation
  public import SwiftUI

  /// A title with a picture, and where there are some a message and a button: what a screen shows
  /// that has no values to show.
  public struct ScreenNotice: View {
    private let title: Text
    private let systemImage: String
    private let message: String?
    private let button: Text
    private let action: (@MainActor () -> Void)?

    /// Makes a notice.
    ///
    /// - Parameters:
    ///   - title: what it says.
    ///   - systemImage: the picture, by its name among the system's symbols.
    ///   - message: what else it says, as it is.
    ///   - button: what the button says; that it tries again unless given.
    ///   - action: what the button does; there is no button without it.
    public init(
      _ title: LocalizedStringKey, systemImage: String, message: String? = nil,
      button: LocalizedStringKey? = nil, action: (@MainActor () -> Void)? = nil
    ) {
      self.title = Text(title)
      self.systemImage = systemImage
      self.message = message
      self.button = button.map { Text($0) } ?? Text(verbatim: ScreenTexts.current.tryAgain)
      self.action = action
    }

    /// Makes a notice of words that are shown as they are.
    ///
    /// - Parameters:
    ///   - title: what it says.
    ///   - systemImage: the picture, by its name among the system's symbols.
    ///   - message: what else it says.
    ///   - button: what the button says.
    ///   - action: what the button does; there is no button without it.
    public init(
      title: String, systemImage: String, message: String? = nil, button: String,
      action: (@MainActor () -> Void)? = nil
    ) {
      self.title = Text(verbatim: title)
      self.systemImage = systemImage
      self.message = message
      self.button = Text(verbatim: button)
      self.action = action
    }

    /// Makes a notice of an error, with its description as the message.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - action: tries again.
    public init(error: any Error, action: @escaping @MainActor () -> Void) {
      self.init(
        title: ScreenTexts.current.failure, systemImage: "exclamationmark.triangle",
        message: error.localizedDescription, button: ScreenTexts.current.tryAgain, action: action)
    }

    /// The notice.
    public var body: some View {
      ContentUnavailableView {
        Label {
          title
        } icon: {
          Image(systemName: systemImage)
        }
        .accessibilityAddTraits(.isHeader)
      } description: {
        if let message, !message.isEmpty {
          Text(verbatim: message)
        }
      } actions: {
        if let action {
          Button(action: action) { button }
        }
      }
    }
  }

  /// That something is on its way, in words.
  public struct ScreenProgress: View {
    private let title: Text

    /// Makes a progress view of unknown length.
    ///
    /// - Parameter title: what is under way; the word of ``ScreenTexts`` unless given.
    public init(_ title: LocalizedStringKey? = nil) {
      self.title = title.map { Text($0) } ?? Text(verbatim: ScreenTexts.current.loading)
    }

    init(text: String) {
      title = Text(verbatim: text)
    }

    /// The progress view.
    public var body: some View {
      ProgressView { title }
        .accessibilityAddTraits(.updatesFrequently)
    }
  }

  /// A bar above the values of a screen: that newer ones are on their way, or why they are not there.
  public struct ScreenOverlayBar: View {
    private let overlay: ScreenOverlay
    private let action: @MainActor () -> Void

    /// Makes a bar, which is empty where there is nothing to say.
    ///
    /// - Parameters:
    ///   - overlay: what to say.
    ///   - action: tries again.
    public init(_ overlay: ScreenOverlay, action: @escaping @MainActor () -> Void) {
      self.overlay = overlay
      self.action = action
    }

    /// The bar.
    public var body: some View {
      switch overlay {
      case .none: EmptyView()
      case .refreshing:
        ScreenProgress(text: ScreenTexts.current.refreshing)
          .padding(8)
          .frame(maxWidth: .infinity)
          .background(.screenBar)
      case .failed(let error):
        HStack {
          Label(error.localizedDescription, systemImage: "exclamationmark.triangle")
            .frame(maxWidth: .infinity, alignment: .leading)
          Button(ScreenTexts.current.tryAgain, action: action)
            .buttonStyle(.borderless)
        }
        .font(.footnote)
        .padding(8)
        .background(.screenBar)
      }
    }
  }

  extension ShapeStyle where Self == Material {
    /// What toolbars are made of; tvOS and watchOS have no material of that kind.
    fileprivate static var screenBar: Material {
      #if os(tvOS) || os(watchOS)
        .regularMaterial
      #else
        .bar
      #endif
    }
  }
#endif
