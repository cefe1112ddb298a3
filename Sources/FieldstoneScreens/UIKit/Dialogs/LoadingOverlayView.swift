#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A spinner over a whole view, which blocks touches during work.
  ///
  /// A scroll view does not scroll meanwhile. For assistive technology the overlay is the only element
  /// on the screen; without a text its label is ``ScreenTexts/loading``.
  public final class LoadingOverlayView: UIView {
    private let spinner = UIActivityIndicatorView(style: .large)
    /// Whether the covered scroll view could be scrolled before.
    private var wasScrollEnabled = false

    /// Adds an overlay to a view.
    ///
    /// - Parameters:
    ///   - text: the text under the spinner; empty for none.
    ///   - view: the view to cover.
    public init(_ text: String, over view: UIView) {
      super.init(frame: .zero)
      backgroundColor = .black.withAlphaComponent(0.3)
      accessibilityViewIsModal = true
      isAccessibilityElement = true
      accessibilityLabel = text.isEmpty ? ScreenTexts.current.loading : text
      accessibilityTraits = .updatesFrequently
      let label = UILabel(text, style: .subheadline, alignment: .center)
      label.isHidden = text.isEmpty
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
      let before = Self.first(in: view)
      view.addSubview(self)
      // The edges of a scroll view are those of its content.
      if let scrollView = view as? UIScrollView {
        pin(to: scrollView.frameLayoutGuide)
        // Touches on a subview of a scroll view scroll it.
        wasScrollEnabled = before?.wasScrollEnabled ?? scrollView.isScrollEnabled
        scrollView.isScrollEnabled = false
      } else {
        pin(to: view)
      }
      spinner.startAnimating()
      if window != nil { UIAccessibility.post(notification: .screenChanged, argument: self) }
    }

    /// Returns nil, as the view is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Restores the scroll view that the overlay leaves, unless another overlay stays.
    public override func willMove(toSuperview newSuperview: UIView?) {
      super.willMove(toSuperview: newSuperview)
      guard let scrollView = superview as? UIScrollView, newSuperview !== scrollView else { return }
      let stays = scrollView.subviews.contains { $0 !== self && $0 is LoadingOverlayView }
      if !stays { scrollView.isScrollEnabled = wasScrollEnabled }
    }

    /// Removes the overlay; a second call is a no-op.
    public func dismiss() {
      guard superview != nil else { return }
      let wasShown = window != nil
      removeFromSuperview()
      if wasShown { UIAccessibility.post(notification: .screenChanged, argument: nil) }
    }

    private static func first(in view: UIView) -> LoadingOverlayView? {
      view.subviews.lazy.compactMap { $0 as? LoadingOverlayView }.first
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
