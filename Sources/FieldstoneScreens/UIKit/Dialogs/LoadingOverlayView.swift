#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A spinner over a whole view, which blocks touches during work.
  ///
  /// For assistive technology it is the only element on the screen meanwhile.
  public final class LoadingOverlayView: UIView {
    private let spinner = UIActivityIndicatorView(style: .large)

    /// Adds an overlay to a view.
    ///
    /// - Parameters:
    ///   - text: the text under the spinner; empty for none.
    ///   - view: the view to cover.
    public init(_ text: String, over view: UIView) {
      super.init(frame: .zero)
      backgroundColor = .black.withAlphaComponent(0.3)
      accessibilityViewIsModal = true
      let label = UILabel(text, style: .subheadline, alignment: .center)
      label.isHidden = text.isEmpty
      label.accessibilityTraits = .updatesFrequently
      let stack = UIStackView(.vertical, spacing: 12, alignment: .center, [spinner, label])
      let panel = UIView()
      panel.useScreenBackground()
      panel.layer.cornerRadius = 12
      panel.directionalLayoutMargins = NSDirectionalEdgeInsets(
        top: 24, leading: 24, bottom: 24, trailing: 24)
      addSubview(panel)
      panel.addSubview(stack)
      stack.pin(to: panel.layoutMarginsGuide)
      panel.translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        panel.centerXAnchor.constraint(equalTo: centerXAnchor),
        panel.centerYAnchor.constraint(equalTo: centerYAnchor),
        panel.leadingAnchor.constraint(
          greaterThanOrEqualTo: layoutMarginsGuide.leadingAnchor),
      ])
      view.endEditing(true)
      view.addSubview(self)
      // The edges of a scroll view are those of its content.
      if let scrollView = view as? UIScrollView {
        pin(to: scrollView.frameLayoutGuide)
      } else {
        pin(to: view)
      }
      spinner.startAnimating()
      if window != nil { UIAccessibility.post(notification: .screenChanged, argument: label) }
    }

    /// Returns nil, as the view is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Removes the overlay; a second call is a no-op.
    public func dismiss() {
      guard superview != nil else { return }
      let wasShown = window != nil
      removeFromSuperview()
      if wasShown { UIAccessibility.post(notification: .screenChanged, argument: nil) }
    }
  }

  extension UIViewController {
    /// Covers the view with a spinner while a body runs.
    ///
    /// Bodies may overlap: each has its own overlay.
    ///
    /// - Parameters:
    ///   - text: the text under the spinner; empty for none.
    ///   - body: the work.
    /// - Returns: the result of the body.
    /// - Throws: the errors of the body.
    public func withLoadingOverlay<Result>(
      _ text: String = ScreenTexts.current.loading, _ body: @MainActor () async throws -> Result
    ) async rethrows -> Result {
      let overlay = LoadingOverlayView(text, over: view)
      defer { overlay.dismiss() }
      return try await body()
    }
  }
#endif
