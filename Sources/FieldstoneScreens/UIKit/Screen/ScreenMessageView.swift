#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A title and a message with a button, in the middle of a screen.
  ///
  /// It scrolls where large text needs more room than there is. The title is a header to assistive
  /// technology.
  open class ScreenMessageView: UIView, ScreenStateView {
    private let titleLabel: UILabel
    private let messageLabel: UILabel

    /// The button; it is hidden where there is no title for it.
    public let button: UIButton

    /// The title.
    public var title: String {
      get { titleLabel.text ?? "" }
      set { set(newValue, of: titleLabel) }
    }

    /// The message under the title; empty for none.
    public var message: String {
      get { messageLabel.text ?? "" }
      set { set(newValue, of: messageLabel) }
    }

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message under it; empty for none.
    ///   - button: what the button says; nil for no button.
    ///   - action: what the button does.
    public init(
      title: String, message: String = "", button: String? = nil,
      action: @escaping @MainActor () -> Void = {}
    ) {
      titleLabel = UILabel("", style: .title2, alignment: .center)
      messageLabel = UILabel("", style: .body, color: .secondaryLabel, alignment: .center)
      var configuration = UIButton.Configuration.filled()
      configuration.title = button
      self.button = UIButton(
        configuration: configuration, primaryAction: UIAction(title: button ?? "") { _ in action() }
      )
      super.init(frame: .zero)
      set(title, of: titleLabel)
      set(message, of: messageLabel)
      titleLabel.accessibilityTraits = .header
      self.button.isHidden = button == nil
      self.button.accessibilityLabel = button
      layOut()
    }

    /// Gives nil: it is made in code.
    public required init?(coder: NSCoder) { nil }

    /// Tells of a state: what it says is the same in all.
    open func show(_ state: ScreenState) {}

    private func set(_ text: String, of label: UILabel) {
      label.text = text
      label.isHidden = text.isEmpty
    }

    private func layOut() {
      let stack = UIStackView(
        .vertical, spacing: 12, alignment: .center, [titleLabel, messageLabel, button])
      let scroll = UIScrollView()
      let content = UIView()
      addSubview(scroll)
      scroll.addSubview(content)
      content.addSubview(stack)
      scroll.pin(to: self)
      content.pin(to: scroll.contentLayoutGuide)
      stack.translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        content.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor),
        content.heightAnchor.constraint(
          greaterThanOrEqualTo: scroll.frameLayoutGuide.heightAnchor),
        stack.centerYAnchor.constraint(equalTo: content.centerYAnchor),
        stack.topAnchor.constraint(greaterThanOrEqualTo: content.topAnchor, constant: 16),
        stack.bottomAnchor.constraint(lessThanOrEqualTo: content.bottomAnchor, constant: -16),
        stack.leadingAnchor.constraint(equalTo: content.readableContentGuide.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: content.readableContentGuide.trailingAnchor),
      ])
    }
  }
#endif
