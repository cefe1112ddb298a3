#if canImport(SwiftUI)
  import Foundation
  public import SwiftUI

  /// A title with an image, an optional message and an optional button, for a screen without
  /// content.
  public struct ScreenNotice: View {
    private let title: Text
    private let systemImage: String
    private let message: String?
    private let button: Text
    private let action: (@MainActor () -> Void)?

    /// Makes a notice.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - systemImage: the name of a system symbol.
    ///   - message: the message, which is not localised.
    ///   - button: the title of the button; ``ScreenTexts/tryAgain`` by default.
    ///   - action: the action of the button; without one there is no button.
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

    /// Makes a notice of texts that are not localised.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - systemImage: the name of a system symbol.
    ///   - message: the message; nil or empty for none.
    ///   - button: the title of the button.
    ///   - action: the action of the button; without one there is no button.
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
    ///   - error: the error.
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

  /// A progress view of unknown length, with a text.
  public struct ScreenProgress: View {
    private let title: Text

    /// Makes a progress view.
    ///
    /// - Parameter title: the text; ``ScreenTexts/loading`` by default.
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

  /// A bar above the content of a screen, during a refresh and after one that failed.
  public struct ScreenOverlayBar: View {
    private let overlay: ScreenOverlay
    private let action: @MainActor () -> Void

    /// Makes a bar, which is empty without an overlay.
    ///
    /// - Parameters:
    ///   - overlay: the overlay to show.
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
    /// The material of toolbars; tvOS and watchOS have none of that kind.
    fileprivate static var screenBar: Material {
      #if os(tvOS) || os(watchOS)
        .regularMaterial
      #else
        .bar
      #endif
    }
  }
#endif
