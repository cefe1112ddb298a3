#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import UIKit

  /// A view that tells of the state of its screen: an error view, for one.
  ///
  /// A ``StatefulViewController`` calls it for the view that it shows and for the one that it lays
  /// over that, each time the state is another one.
  @MainActor
  public protocol ScreenStateView: UIView {
    /// Tells of a state.
    func show(_ state: ScreenState)
  }

  /// A title and a message with a button, in the middle of a screen, as the system shows that there
  /// is no content: by a `UIContentUnavailableConfiguration`.
  open class ScreenMessageView: UIView, ScreenStateView {
    /// What is shown; its picture, its fonts and its background can be others.
    public var configuration: UIContentUnavailableConfiguration { didSet { build() } }

    /// The title.
    public var title: String {
      get { configuration.text ?? "" }
      set { configuration.text = newValue }
    }

    /// The message under the title; empty for none.
    public var message: String {
      get { configuration.secondaryText ?? "" }
      set { if newValue != message { configuration.secondaryText = newValue } }
    }

    private var content: UIContentUnavailableView?

    /// Makes the view of a configuration, such as that of a search without results.
    public init(_ configuration: UIContentUnavailableConfiguration) {
      self.configuration = configuration
      super.init(frame: .zero)
      build()
    }

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message under it; empty for none.
    ///   - image: the picture above it; nil for none.
    ///   - button: what the button says; nil for no button.
    ///   - action: what the button does.
    public convenience init(
      title: String, message: String = "", image: UIImage? = nil, button: String? = nil,
      action: @escaping @MainActor () -> Void = {}
    ) {
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = image
      configuration.text = title
      configuration.secondaryText = message
      configuration.putButton(button, action)
      self.init(configuration)
    }

    /// Gives nil: it is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Tells of a state: what it says is the same in all.
    open func show(_ state: ScreenState) {}

    private func build() {
      content?.removeFromSuperview()
      let content = UIContentUnavailableView(configuration: configuration)
      addSubview(content)
      content.pin(to: self)
      self.content = content
    }
  }

  extension UIContentUnavailableConfiguration {
    @MainActor
    mutating func putButton(_ title: String?, _ action: @escaping @MainActor () -> Void) {
      guard let title else { return }
      button = .filled()
      button.title = title
      buttonProperties.primaryAction = UIAction(title: title) { _ in action() }
    }
  }

  /// A title with the message of an error, and a button that tries again.
  open class ScreenErrorView: ScreenMessageView {
    /// Takes over the message of the state's error.
    open override func show(_ state: ScreenState) {
      if let error = state.error { message = error.localizedDescription }
    }
  }

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

  /// What lies over the values of a screen: that they are being refreshed, or why they were not.
  ///
  /// What was shown stays readable under it: it takes one edge of the screen.
  public final class ScreenOverlayView: UIView, ScreenStateView {
    private let texts: ScreenTexts
    private let spinner = UIActivityIndicatorView(style: .medium)
    private let label = UILabel("", style: .footnote)
    private let button: UIButton

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - texts: what it says.
    ///   - action: what the button does that tries again.
    public init(
      _ texts: ScreenTexts, action: @escaping @MainActor () -> Void
    ) {
      self.texts = texts
      var configuration = UIButton.Configuration.plain()
      configuration.title = texts.tryAgain
      button = UIButton(
        configuration: configuration,
        primaryAction: UIAction(title: texts.tryAgain) { _ in action() })
      super.init(frame: .zero)
      button.accessibilityLabel = texts.tryAgain
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
