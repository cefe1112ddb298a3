// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import Synchronization

/// A colour with parts of red, green and blue, or a pattern, which has none.
open class UIColor: StandInObject, @unchecked Sendable {
  private let parts: (red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)?

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    parts = (red, green, blue, alpha)
    super.init(root: ())
  }

  public init(patternImage image: UIImage) {
    parts = nil
    super.init(root: ())
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

  /// The colour that the renderer fills with next.
  static let filling = Mutex<UIColor?>(nil)

  open func setFill() { Self.filling.withLock { $0 = self } }

  private static func gray(_ white: CGFloat) -> UIColor {
    UIColor(red: white, green: white, blue: white, alpha: 1)
  }

  open class var black: UIColor { gray(0) }
  @available(watchOS, unavailable)
  open class var label: UIColor { gray(0) }
  @available(watchOS, unavailable)
  open class var secondaryLabel: UIColor { gray(0.4) }
  @available(watchOS, unavailable)
  open class var placeholderText: UIColor { gray(0.6) }
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
  public let size: CGSize

  /// What it is filled with, which UIKit does not tell.
  public let filling: UIColor?

  init(size: CGSize, filling: UIColor?) {
    self.size = size
    self.filling = filling
  }

  public convenience init() { self.init(size: .zero, filling: nil) }

  public convenience init?(systemName name: String) { self.init(size: .zero, filling: nil) }
}

@available(watchOS, unavailable)
open class UIGraphicsImageRendererContext {
  fileprivate(set) var filling: UIColor?

  open func fill(_ rect: CGRect) { filling = UIColor.filling.withLock { $0 } }
}

@available(watchOS, unavailable)
open class UIGraphicsImageRenderer {
  private let size: CGSize

  public init(size: CGSize) {
    self.size = size
  }

  open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    let context = UIGraphicsImageRendererContext()
    actions(context)
    return UIImage(size: size, filling: context.filling)
  }
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
