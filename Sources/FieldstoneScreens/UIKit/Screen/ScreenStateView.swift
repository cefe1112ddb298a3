#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import UIKit

  /// A view that shows the state of its screen, such as an error view.
  ///
  /// A ``StatefulViewController`` calls it for its present view and for its overlay after each change
  /// of the state.
  @MainActor
  public protocol ScreenStateView: UIView {
    /// Shows a state.
    func show(_ state: ScreenState)
  }

  /// A title, a message and a button in the middle of a screen, by the system's
  /// `UIContentUnavailableConfiguration`.
  open class ScreenMessageView: UIView, ScreenStateView {
    /// The configuration of the system's view.
    public var configuration: UIContentUnavailableConfiguration {
      // The view stays, so that its button keeps the focus.
      didSet { content.configuration = configuration }
    }

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

    private let content: UIContentUnavailableView

    /// Makes the view of a configuration, such as that of a search without results.
    public init(_ configuration: UIContentUnavailableConfiguration) {
      self.configuration = configuration
      content = UIContentUnavailableView(configuration: configuration)
      super.init(frame: .zero)
      addSubview(content)
      content.pin(to: self)
    }

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message under it; empty for none.
    ///   - image: the image above the title; nil for none.
    ///   - button: the title of the button; nil for no button.
    ///   - action: the action of the button.
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

    /// Returns nil, as the view is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Shows a state; by default the view is the same in all states.
    open func show(_ state: ScreenState) {}
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
    /// Shows the message of the state's error.
    open override func show(_ state: ScreenState) {
      if let error = state.error { message = error.localizedDescription }
    }
  }

  /// A spinner with a text, in the middle of a screen.
  ///
  /// For assistive technology it is one element that updates frequently.
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

    /// Returns nil, as the view is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Animates the spinner while a load is running.
    public func show(_ state: ScreenState) {
      if state.isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
    }
  }

  /// The overlay at one edge of a screen, during a refresh and after one that failed.
  public final class ScreenOverlayView: UIView, ScreenStateView {
    private let texts: ScreenTexts
    private let spinner = UIActivityIndicatorView(style: .medium)
    private let label = UILabel("", style: .footnote)
    private let button: UIButton

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - texts: the texts of the overlay and its button.
    ///   - action: tries again.
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
        // Light text in the light appearance, too.
        overrideUserInterfaceStyle = .dark
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

    /// Returns nil, as the view is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Shows a refresh or its error.
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
