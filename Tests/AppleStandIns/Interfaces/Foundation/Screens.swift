// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public struct CGPoint: Hashable, Sendable {
  public var x: CGFloat
  public var y: CGFloat
  public init() { (x, y) = (0, 0) }
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
  public static var zero: CGPoint { CGPoint() }
}

public struct CGSize: Hashable, Sendable {
  public var width: CGFloat
  public var height: CGFloat
  public init() { (width, height) = (0, 0) }
  public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
  public static var zero: CGSize { CGSize() }
}

public struct CGRect: Hashable, Sendable {
  public var height: CGFloat { 0 }
  public var origin: CGPoint
  public var size: CGSize
  public init() { (origin, size) = (.zero, .zero) }
  public init(origin: CGPoint, size: CGSize) { (self.origin, self.size) = (origin, size) }
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) { self.init() }
  public static var zero: CGRect { CGRect() }
}

open class NSCoder: NSObject {}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { Bundle() }
  open var preferredLocalizations: [String] { [] }
  open var localizations: [String] { [] }
  open class func preferredLocalizations(
    from localizationsArray: [String], forPreferences preferencesArray: [String]?
  ) -> [String] { [] }
  open class func preferredLocalizations(from localizationsArray: [String]) -> [String] { [] }
}

@dynamicMemberLookup
public struct AttributedString: Hashable, Sendable {
  public init(_ string: String) {}

  public subscript<K: AttributedStringKey>(_: K.Type) -> K.Value? {
    get { nil }
    set {}
  }

  public subscript<K: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeDynamicLookup, K>
  ) -> K.Value? {
    get { nil }
    set {}
  }
}

public protocol AttributedStringKey {
  associatedtype Value: Hashable, Sendable
  static var name: String { get }
}

public protocol AttributeScope {}

public enum AttributeScopes {
  public struct FoundationAttributes: AttributeScope {}
}

@dynamicMemberLookup
public enum AttributeDynamicLookup {
  public subscript<T: AttributedStringKey>(_: T.Type) -> T {
    fatalError()
  }

  public subscript<T: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeScopes.FoundationAttributes, T>
  ) -> T {
    fatalError()
  }
}
