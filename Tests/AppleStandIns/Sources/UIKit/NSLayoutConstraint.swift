// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public struct UILayoutPriority: Hashable, Sendable {
  public let rawValue: Float
  public init(_ rawValue: Float) { self.rawValue = rawValue }
  public init(rawValue: Float) { self.rawValue = rawValue }

  public static let required = UILayoutPriority(1000)
  public static let defaultHigh = UILayoutPriority(750)
  public static let defaultLow = UILayoutPriority(250)
}

/// A constraint; nothing is laid out here, but what it ties is to hang together, as in UIKit.
@MainActor
open class NSLayoutConstraint {
  public enum Axis: Int, Sendable {
    case horizontal, vertical
  }

  public private(set) weak var firstItem: AnyObject?
  public private(set) weak var secondItem: AnyObject?

  /// Which sides are tied, such as "bottom" and "top".
  public let sides: (String, String?)
  public let constant: CGFloat
  public var priority = UILayoutPriority.required

  init(
    _ first: AnyObject?, _ second: AnyObject?, sides: (String, String?), constant: CGFloat
  ) {
    firstItem = first
    secondItem = second
    self.sides = sides
    self.constant = constant
  }

  private weak var holder: UIView?

  open var isActive: Bool {
    get { holder != nil }
    set { newValue ? activate() : deactivate() }
  }

  open class func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = true }
  }

  open class func deactivate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = false }
  }

  private func activate() {
    guard holder == nil, let first = Self.view(of: firstItem) else { return }
    var holder: UIView? = first
    if let second = Self.view(of: secondItem) {
      while let view = holder, !second.isDescendant(of: view) { holder = view.superview }
    }
    guard let holder else {
      preconditionFailure("UIKit refuses a constraint between views without a common ancestor.")
    }
    self.holder = holder
    holder.constraints.append(self)
  }

  private func deactivate() {
    holder?.constraints.removeAll { $0 === self }
    holder = nil
  }

  static func view(of item: AnyObject?) -> UIView? {
    item as? UIView ?? (item as? UILayoutGuide)?.owningView
  }
}

@MainActor
open class NSLayoutAnchor<AnchorType: AnyObject> {
  weak var item: AnyObject?
  let side: String

  required public init(item: AnyObject?, side: String) {
    self.item = item
    self.side = side
  }

  open func constraint(
    equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0
  ) -> NSLayoutConstraint {
    NSLayoutConstraint(item, anchor.item, sides: (side, anchor.side), constant: c)
  }

  open func constraint(
    greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0
  ) -> NSLayoutConstraint {
    constraint(equalTo: anchor, constant: c)
  }

  open func constraint(
    lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0
  ) -> NSLayoutConstraint {
    constraint(equalTo: anchor, constant: c)
  }
}

open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
  open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(item, nil, sides: (side, nil), constant: c)
  }

  open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
    constraint(greaterThanOrEqualToConstant: c)
  }
}

@MainActor
open class UILayoutGuide {
  open weak var owningView: UIView?

  public init() {}

  init(of view: UIView) {
    owningView = view
  }

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
}

open class UITrackingLayoutGuide: UILayoutGuide {}

/// Follows the keyboard in UIKit; here, there is none.
open class UIKeyboardLayoutGuide: UITrackingLayoutGuide {
  open var usesBottomSafeArea = true
}
