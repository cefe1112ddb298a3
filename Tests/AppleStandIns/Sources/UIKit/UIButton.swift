// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class UIButton: UIControl {
  public struct Configuration: Sendable {
    public var title: String?
    public var image: UIImage?
    public var showsActivityIndicator = false
    public var contentInsets = NSDirectionalEdgeInsets(
      top: 7, leading: 12, bottom: 7, trailing: 12)

    public static func plain() -> Configuration { Configuration() }
    public static func gray() -> Configuration { Configuration() }
    public static func tinted() -> Configuration { Configuration() }
    public static func filled() -> Configuration { Configuration() }
  }

  open var configuration: Configuration?
  open var menu: UIMenu?
  open var showsMenuAsPrimaryAction = false

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isAccessibilityElement = true
    accessibilityTraits = .button
  }

  public convenience init(configuration: UIButton.Configuration, primaryAction: UIAction? = nil) {
    self.init(frame: .zero)
    self.configuration = configuration
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  override func wasTapped() {
    // The menu opens in place of the action.
    if !showsMenuAsPrimaryAction { super.wasTapped() }
  }

  /// A person's choice from the menu that a tap opens.
  public final func choose(_ title: String) {
    guard isTouchable, isEnabled, showsMenuAsPrimaryAction else { return }
    let action = menu?.children.compactMap { $0 as? UIAction }.first { $0.title == title }
    if let action, !action.attributes.contains(.disabled) { action.handler(action) }
  }
}
