#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A spinner with a text, in the middle of a screen.
  ///
  /// To assistive technology it is one element that changes often.
  public final class ScreenLoadingView: UIView, ScreenStateView {
    private let spinner = UIActivityIndicatorView(style: .large)
    private let label: UILabel

    /// Makes the view; the text is empty for none.
    public init(_ text: String) {
      label = UILabel(text, style: .subheadline, color: .secondaryLabel, alignment: .center)
      super.init(frame: .zero)
      label.isHidden = text.isEmpty
      isAccessibilityElement = true
      accessibilityLabel = text
      accessibilityTraits = .updatesFrequently
      let stack = UIStackView(.vertical, spacing: 12, alignment: .center, [spinner, label])
      stack.translatesAutoresizingMaskIntoConstraints = false
      addSubview(stack)
      NSLayoutConstraint.activate([
        stack.centerXAnchor.constraint(equalTo: centerXAnchor),
        stack.centerYAnchor.constraint(equalTo: centerYAnchor),
        stack.leadingAnchor.constraint(greaterThanOrEqualTo: layoutMarginsGuide.leadingAnchor),
      ])
    }

    /// Gives nil: it is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Turns while something is on its way.
    public func show(_ state: ScreenState) {
      if state.isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
    }
  }
#endif
