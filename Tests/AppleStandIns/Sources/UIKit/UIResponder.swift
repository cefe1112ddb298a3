// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@MainActor
open class UIResponder: StandInObject {
  public init() {
    super.init(root: ())
  }

  open var next: UIResponder? { nil }
  open var canBecomeFirstResponder: Bool { false }
  open var canResignFirstResponder: Bool { true }
  open var isFirstResponder: Bool { false }
  @available(visionOS, unavailable)
  open var inputAccessoryView: UIView? { nil }

  @discardableResult
  open func becomeFirstResponder() -> Bool { false }

  @discardableResult
  open func resignFirstResponder() -> Bool { true }

  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesEnded(touches, with: event)
  }
}

@MainActor
open class UIEvent {}

@MainActor
open class UITouch: Hashable {
  public init() {}

  nonisolated public static func == (left: UITouch, right: UITouch) -> Bool { left === right }
  nonisolated public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
