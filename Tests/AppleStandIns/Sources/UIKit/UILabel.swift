// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public enum NSTextAlignment: Int, Sendable {
  case left, center, right, justified, natural
}

open class UILabel: UIView {
  open var text: String?
  open var font: UIFont? = .preferredFont(forTextStyle: .body)
  open var textColor: UIColor? = .label
  open var textAlignment = NSTextAlignment.natural
  open var numberOfLines = 1
  open var adjustsFontForContentSizeCategory = false

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isAccessibilityElement = true
    accessibilityTraits = .staticText
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
}

open class UIActivityIndicatorView: UIView {
  public enum Style: Int, Sendable {
    case medium = 100
    case large = 101
  }

  open var style: Style
  open var hidesWhenStopped = true
  public private(set) var isAnimating = false

  public init(style: Style) {
    self.style = style
    super.init(frame: .zero)
  }

  public required init(coder: NSCoder) {
    style = .medium
    super.init(frame: .zero)
  }

  open func startAnimating() {
    isAnimating = true
    isHidden = false
  }

  open func stopAnimating() {
    isAnimating = false
    if hidesWhenStopped { isHidden = true }
  }
}

open class UIStackView: UIView {
  public enum Alignment: Int, Sendable {
    case fill, leading, firstBaseline, center, trailing, lastBaseline
  }

  public enum Distribution: Int, Sendable {
    case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
  }

  open var axis = NSLayoutConstraint.Axis.horizontal
  open var alignment = Alignment.fill
  open var distribution = Distribution.fill
  open var spacing: CGFloat = 0
  public private(set) var arrangedSubviews: [UIView] = []

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: .zero)
    for view in views { addArrangedSubview(view) }
  }

  public required init(coder: NSCoder) {
    super.init(frame: .zero)
  }

  open func addArrangedSubview(_ view: UIView) {
    insertArrangedSubview(view, at: arrangedSubviews.count)
  }

  open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
    if view.superview !== self { addSubview(view) }
    arrangedSubviews.removeAll { $0 === view }
    arrangedSubviews.insert(view, at: stackIndex)
  }

  open func removeArrangedSubview(_ view: UIView) {
    arrangedSubviews.removeAll { $0 === view }
  }

  open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {}
}

open class UIScrollView: UIView {
  @available(visionOS, unavailable)
  public enum KeyboardDismissMode: Int, Sendable {
    case none, onDrag, interactive
  }

  open var alwaysBounceVertical = false
  open var contentInset = UIEdgeInsets.zero
  open var verticalScrollIndicatorInsets = UIEdgeInsets.zero
  open var isScrollEnabled = true
  private var dismissMode = 0
  @available(visionOS, unavailable)
  open var keyboardDismissMode: KeyboardDismissMode {
    get { KeyboardDismissMode(rawValue: dismissMode) ?? .none }
    set { dismissMode = newValue.rawValue }
  }
  public private(set) lazy var contentLayoutGuide = UILayoutGuide(of: self)
  public private(set) lazy var frameLayoutGuide = UILayoutGuide(of: self)

  private var pulled: UIView?
  @available(tvOS, unavailable)
  open var refreshControl: UIRefreshControl? {
    get { pulled as? UIRefreshControl }
    set {
      guard newValue !== pulled else { return }
      pulled?.removeFromSuperview()
      pulled = newValue
      if let newValue { insertSubview(newValue, at: 0) }
    }
  }

  /// What it was asked to scroll to, as UIKit does not remember it.
  public private(set) var shown: [CGRect] = []

  open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
    shown.append(rect)
  }
}
