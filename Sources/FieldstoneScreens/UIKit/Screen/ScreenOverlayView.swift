#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// What lies over the values of a screen: that they are being refreshed, or why they were not.
  ///
  /// What was shown stays readable under it: it takes one edge of the screen.
  public final class ScreenOverlayView: UIView, ScreenStateView {
    private let texts: StatefulViewController.Texts
    private let spinner = UIActivityIndicatorView(style: .medium)
    private let label = UILabel("", style: .footnote)
    private let button: UIButton

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - texts: what it says.
    ///   - action: what the button does that tries again.
    public init(
      _ texts: StatefulViewController.Texts, action: @escaping @MainActor () -> Void
    ) {
      self.texts = texts
      var configuration = UIButton.Configuration.plain()
      configuration.title = texts.retryButton
      button = UIButton(
        configuration: configuration,
        primaryAction: UIAction(title: texts.retryButton) { _ in action() })
      super.init(frame: .zero)
      button.accessibilityLabel = texts.retryButton
      #if os(tvOS)
        backgroundColor = .black.withAlphaComponent(0.8)
      #else
        backgroundColor = .secondarySystemBackground
      #endif
      let stack = UIStackView(
        .horizontal, spacing: 8, alignment: .center, [spinner, label, button])
      button.setContentHuggingPriority(.required, for: .horizontal)
      button.setContentCompressionResistancePriority(.required, for: .horizontal)
      addSubview(stack)
      stack.pin(to: layoutMarginsGuide)
    }

    /// Gives nil: it is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Tells of a refresh, or of its error.
    public func show(_ state: ScreenState) {
      guard case .primary(let overlay) = state else { return }
      switch overlay {
      case .none: break
      case .refreshing:
        spinner.startAnimating()
        label.text = texts.refreshing
        label.accessibilityTraits = .updatesFrequently
        button.isHidden = true
      case .failed(let error):
        spinner.stopAnimating()
        label.text = texts.sentence(for: error)
        label.accessibilityTraits = .staticText
        button.isHidden = false
      }
    }
  }
#endif
