// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// In the place of `NSObject`, whose initialiser is of no actor here: what it declares can be
/// overridden, and is not to be declared again.
open class StandInObject {
  init(root: Void) {}

  open var hash: Int { ObjectIdentifier(self).hashValue }
  open var description: String { "\(type(of: self))" }
  open var debugDescription: String { description }
  open func isEqual(_ object: Any?) -> Bool { self === (object as AnyObject?) }
  open func copy() -> Any { self }
  open func mutableCopy() -> Any { self }
}
