#if canImport(UIKit) && !os(watchOS)
  public import FieldstoneCore
  public import Foundation
  public import UIKit

  extension UIColor {
    /// Makes a colour of the sRGB space from its parts. (Seed: Mold's colour extensions.)
    public convenience init(_ color: HexColor) {
      self.init(
        red: CGFloat(color.red) / 255, green: CGFloat(color.green) / 255,
        blue: CGFloat(color.blue) / 255, alpha: CGFloat(color.alpha) / 255)
    }

    /// Makes a colour from 3, 4, 6 or 8 digits, with or without a number sign, such as `#0b5a9e`.
    ///
    /// It is nil for anything else. As in CSS, the alpha part comes last.
    public convenience init?(hex: String) {
      guard let color = HexColor(hex) else { return nil }
      self.init(color)
    }

    /// An opaque colour made by chance, such as for the layout of a screen that is being built.
    public static func random() -> UIColor { UIColor(HexColor.random()) }

    /// A picture that is filled with the colour, such as for the background of a bar.
    ///
    /// - Parameter size: how large it is in points; one by one unless given.
    public func image(size: CGSize = CGSize(width: 1, height: 1)) -> UIImage {
      UIGraphicsImageRenderer(size: size).image { context in
        setFill()
        context.fill(CGRect(origin: .zero, size: size))
      }
    }

    /// The parts in the sRGB space, as near as whole numbers from 0 to 255 come.
    ///
    /// It is nil for what has no such parts, as a pattern. What lies outside of the sRGB space
    /// gets the nearest parts inside; a colour that depends on the appearance has those of the
    /// current one.
    public var hexColor: HexColor? {
      var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
      guard getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
      func part(_ value: CGFloat) -> UInt8 {
        value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded())
      }
      return HexColor(red: part(red), green: part(green), blue: part(blue), alpha: part(alpha))
    }

    /// Six digits after a number sign, in lower case; eight where it is not opaque; nil for what
    /// has no parts of red, green and blue, as a pattern.
    public var hex: String? { hexColor?.description }
  }
#endif
