#if canImport(SwiftUI)
  import Foundation
  public import SwiftUI

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
