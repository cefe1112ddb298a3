#if canImport(UIKit) && !os(watchOS)
  public import UIKit

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
#endif
