public import FieldstoneScreens
import Foundation

extension HTML {
  /// Makes the view of a screen's state.
  ///
  /// It is a live region, so that assistive technology announces changes, and busy during a load. A
  /// link tries again, which works without scripts.
  ///
  /// - Parameters:
  ///   - state: the state of the screen.
  ///   - retryAddress: the URL of the link that tries again.
  ///   - texts: the texts of the views.
  ///   - primary: the content.
  public static func screen(
    _ state: ScreenState, retryAddress: String, texts: ScreenTexts = .current,
    @HTMLBuilder primary: () -> HTML
  ) -> HTML {
    element(
      "section",
      [
        .class("screen screen-\(state.view.rawValue)"), HTMLAttribute("aria-live", "polite"),
        HTMLAttribute("aria-busy", state.isBusy ? "true" : "false"),
      ]
    ) {
      switch state {
      case .initial:
        note(texts.initial)
        message(texts.initialMessage)
      case .blank: empty
      case .loading: note(texts.loading, role: "status")
      case .noResults:
        note(texts.noResults)
        message(texts.noResultsMessage)
        link(texts.tryAgain, address: retryAddress)
      case .retry(let error):
        failure(error, texts: texts)
        link(texts.tryAgain, address: retryAddress)
      case .primary(let overlay):
        switch overlay {
        case .none: empty
        case .refreshing: note(texts.refreshing, role: "status")
        case .failed(let error):
          failure(error, texts: texts)
          link(texts.tryAgain, address: retryAddress)
        }
        primary()
      }
    }
  }

  private static func note(_ text: String, role: String? = nil) -> HTML {
    element("p", [.class("screen-note"), HTMLAttribute("role", role)]) { HTML.text(text) }
  }

  private static func message(_ text: String) -> HTML {
    text.isEmpty ? empty : element("p", [.class("screen-message")]) { HTML.text(text) }
  }

  private static func failure(_ error: any Error, texts: ScreenTexts) -> HTML {
    element("p", [.class("screen-error"), HTMLAttribute("role", "alert")]) {
      element("strong") { text(texts.failure) }
      text(" \(error.localizedDescription)")
    }
  }

  /// A link and not a form: a form would drop the query of its address.
  private static func link(_ title: String, address: String) -> HTML {
    element("a", [.class("screen-retry"), .address("href", address)]) { text(title) }
  }
}
