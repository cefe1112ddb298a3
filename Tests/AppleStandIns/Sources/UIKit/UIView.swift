// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@MainActor
open class CALayer {
  open var cornerRadius: CGFloat = 0
  open var borderWidth: CGFloat = 0
}

/// A view in a tree of views, without a picture.
open class UIView: UIResponder {
  open var frame: CGRect
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []
  public internal(set) var constraints: [NSLayoutConstraint] = []
  public let layer = CALayer()

  open var isHidden = false
  open var alpha: CGFloat = 1
  open var isUserInteractionEnabled = true
  open var backgroundColor: UIColor?
  open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
  open var translatesAutoresizingMaskIntoConstraints = true
  open var preservesSuperviewLayoutMargins = false
  open var directionalLayoutMargins = NSDirectionalEdgeInsets(
    top: 8, leading: 8, bottom: 8, trailing: 8)

  // In UIKit, categories of NSObject.
  open var isAccessibilityElement = false
  open var accessibilityLabel: String?
  open var accessibilityHint: String?
  open var accessibilityValue: String?
  open var accessibilityTraits: UIAccessibilityTraits = .none
  open var accessibilityViewIsModal = false
  open var accessibilityElementsHidden = false
  open var accessibilityIdentifier: String?

  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public required init?(coder: NSCoder) {
    frame = .zero
    super.init()
  }

  public convenience override init() {
    self.init(frame: .zero)
  }

  // MARK: - The tree

  open var window: UIWindow? { self as? UIWindow ?? superview?.window }

  open func addSubview(_ view: UIView) {
    insertSubview(view, at: subviews.count)
  }

  open func insertSubview(_ view: UIView, at index: Int) {
    view.removeFromSuperview()
    view.willMove(toSuperview: self)
    subviews.insert(view, at: min(index, subviews.count))
    view.superview = self
    if window != nil { view.moved() }
  }

  open func bringSubviewToFront(_ view: UIView) {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
    subviews.append(subviews.remove(at: index))
  }

  open func removeFromSuperview() {
    guard let superview else { return }
    if let focused = window?.firstResponder, focused.isDescendant(of: self) {
      focused.resignFirstResponder()
    }
    var ancestor: UIView? = superview
    while let view = ancestor {
      let tied = view.constraints.filter { constraint in
        [constraint.firstItem, constraint.secondItem].contains { item in
          NSLayoutConstraint.view(of: item)?.isDescendant(of: self) ?? false
        }
      }
      NSLayoutConstraint.deactivate(tied)
      ancestor = view.superview
    }
    let wasInWindow = window != nil
    willMove(toSuperview: nil)
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    if wasInWindow { moved() }
  }

  private func moved() {
    didMoveToWindow()
    for view in subviews { view.moved() }
  }

  open func didMoveToWindow() {}

  open func willMove(toSuperview newSuperview: UIView?) {}

  open func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) ?? false
  }

  open func setNeedsLayout() {}

  open func sizeToFit() {}

  open func layoutIfNeeded() {}

  open func layoutSubviews() {}

  open func convert(_ rect: CGRect, from view: UIView?) -> CGRect { rect }

  open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { rect }

  open func setContentHuggingPriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}

  open func setContentCompressionResistancePriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}

  // MARK: - The first responder

  open override var next: UIResponder? { superview }

  open override var isFirstResponder: Bool { window.map { $0.firstResponder === self } ?? false }

  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    guard !isFirstResponder else { return true }
    guard canBecomeFirstResponder, let window, isOnScreen else { return false }
    if let other = window.firstResponder, !other.resignFirstResponder() { return false }
    window.firstResponder = self
    didBecomeFirstResponder()
    return true
  }

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    guard canResignFirstResponder else { return false }
    window?.firstResponder = nil
    didResignFirstResponder()
    return true
  }

  func didBecomeFirstResponder() {}

  func didResignFirstResponder() {}

  @discardableResult
  open func endEditing(_ force: Bool) -> Bool {
    guard let focused = window?.firstResponder, focused.isDescendant(of: self) else {
      return false
    }
    return focused.resignFirstResponder()
  }

  // MARK: - Layout

  open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(item: self, side: "leading") }
  open var trailingAnchor: NSLayoutXAxisAnchor {
    NSLayoutXAxisAnchor(item: self, side: "trailing")
  }
  open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(item: self, side: "top") }
  open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(item: self, side: "bottom") }
  open var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(item: self, side: "centerX") }
  open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(item: self, side: "centerY") }
  open var widthAnchor: NSLayoutDimension { NSLayoutDimension(item: self, side: "width") }
  open var heightAnchor: NSLayoutDimension { NSLayoutDimension(item: self, side: "height") }

  public private(set) lazy var safeAreaLayoutGuide = UILayoutGuide(of: self)
  public private(set) lazy var layoutMarginsGuide = UILayoutGuide(of: self)
  public private(set) lazy var readableContentGuide = UILayoutGuide(of: self)
  public private(set) lazy var keyboardLayoutGuide = UIKeyboardLayoutGuide(of: self)

  // MARK: - What a test asks, and Apple's UIKit does not have

  /// Whether it is in a window, and neither it nor what it is in is hidden.
  public var isOnScreen: Bool {
    if isHidden { return false }
    return self is UIWindow || superview?.isOnScreen ?? false
  }

  /// Whether it would get a touch: on the screen, and under nothing that takes it away.
  public var isTouchable: Bool {
    guard isOnScreen, isUserInteractionEnabled else { return false }
    guard let superview, !(self is UIWindow) else { return true }
    return superview.isTouchable && !superview.isCovered(self)
  }

  private func isCovered(_ view: UIView) -> Bool {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return false }
    return subviews[(index + 1)...].contains { $0.isModalCover && !$0.isHidden }
  }

  /// Whether it takes the touches of what is behind it; without layout, only what says so does.
  open var isModalCover: Bool { accessibilityViewIsModal }

  /// All views in it of a type, itself included, in order.
  public func all<Kind: UIView>(_ kind: Kind.Type = Kind.self) -> [Kind] {
    [self].compactMap { $0 as? Kind } + subviews.flatMap { $0.all(kind) }
  }
}
