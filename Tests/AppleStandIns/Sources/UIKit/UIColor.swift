// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// A colour with parts of red, green and blue, or a pattern, which has none.
open class UIColor: @unchecked Sendable {
  private let parts: (red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)?

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    parts = (red, green, blue, alpha)
  }

  public init(patternImage image: UIImage) {
    parts = nil
  }

  open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    guard let parts else { return false }
    red?.pointee = parts.red
    green?.pointee = parts.green
    blue?.pointee = parts.blue
    alpha?.pointee = parts.alpha
    return true
  }

  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    guard let parts else { return self }
    return UIColor(red: parts.red, green: parts.green, blue: parts.blue, alpha: alpha)
  }

  private static func gray(_ white: CGFloat) -> UIColor {
    UIColor(red: white, green: white, blue: white, alpha: 1)
  }

  open class var black: UIColor { gray(0) }
  @available(watchOS, unavailable)
  open class var label: UIColor { gray(0) }
  @available(watchOS, unavailable)
  open class var secondaryLabel: UIColor { gray(0.4) }
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  open class var systemBackground: UIColor { gray(1) }
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  open class var secondarySystemBackground: UIColor { gray(0.95) }
  @available(watchOS, unavailable)
  open class var separator: UIColor { gray(0.8) }
  @available(watchOS, unavailable)
  open class var systemRed: UIColor { UIColor(red: 1, green: 0.2, blue: 0.2, alpha: 1) }
}

public final class UIImage: Sendable {
  public init() {}

  public init?(systemName name: String) {}
}

public final class UIFont: Sendable {
  public struct TextStyle: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let title2 = TextStyle(rawValue: "title2")
    public static let headline = TextStyle(rawValue: "headline")
    public static let subheadline = TextStyle(rawValue: "subheadline")
    public static let body = TextStyle(rawValue: "body")
    public static let footnote = TextStyle(rawValue: "footnote")
  }

  public let textStyle: TextStyle

  private init(_ textStyle: TextStyle) {
    self.textStyle = textStyle
  }

  public var lineHeight: CGFloat { 20 }

  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(style) }
}
