// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public protocol UIContentConfiguration {}

public struct UIContentUnavailableConfiguration: UIContentConfiguration {
  public struct ButtonProperties {
    public var primaryAction: UIAction?
    public var isEnabled = true
  }

  public var image: UIImage?
  public var text: String?
  public var secondaryText: String?
  public var button = UIButton.Configuration.plain()
  public var buttonProperties = ButtonProperties()
  var showsActivity = false

  init() {}

  public static func empty() -> UIContentUnavailableConfiguration { .init() }

  public static func loading() -> UIContentUnavailableConfiguration {
    var configuration = UIContentUnavailableConfiguration()
    configuration.text = "Loading (system)"
    configuration.showsActivity = true
    return configuration
  }

  public static func search() -> UIContentUnavailableConfiguration {
    var configuration = UIContentUnavailableConfiguration()
    configuration.text = "No Results (system)"
    configuration.secondaryText = "Check the spelling (system)"
    return configuration
  }
}

@MainActor
public protocol UIContentView: AnyObject {
  var configuration: any UIContentConfiguration { get set }
}

/// Shows a configuration by labels and a button, so that a test finds them.
open class UIContentUnavailableView: UIView, UIContentView {
  private var known: UIContentUnavailableConfiguration

  public init(configuration: UIContentUnavailableConfiguration) {
    known = configuration
    super.init(frame: .zero)
    build()
  }

  public required init?(coder: NSCoder) {
    known = .empty()
    super.init(coder: coder)
  }

  open var configuration: any UIContentConfiguration {
    get { known }
    set {
      guard let new = newValue as? UIContentUnavailableConfiguration else { return }
      known = new
      build()
    }
  }

  private func build() {
    for view in subviews { view.removeFromSuperview() }
    for (index, text) in [known.text, known.secondaryText].enumerated() {
      guard let text, !text.isEmpty else { continue }
      let label = UILabel(frame: .zero)
      label.text = text
      if index == 0 { label.accessibilityTraits = .header }
      addSubview(label)
    }
    guard let title = known.button.title, !title.isEmpty else { return }
    let button = UIButton(
      configuration: known.button, primaryAction: known.buttonProperties.primaryAction)
    button.isEnabled = known.buttonProperties.isEnabled
    button.accessibilityLabel = title
    addSubview(button)
  }
}
