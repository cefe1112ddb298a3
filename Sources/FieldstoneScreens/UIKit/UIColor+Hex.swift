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

    /// A random opaque colour, such as for the layout of an unfinished screen.
    public static func random() -> UIColor { UIColor(HexColor.random()) }

    /// An image that is filled with the colour, such as for the background of a bar.
    ///
    /// - Parameter size: the size in points; one by one by default.
    public func image(size: CGSize = CGSize(width: 1, height: 1)) -> UIImage {
      UIGraphicsImageRenderer(size: size).image { context in
        setFill()
        context.fill(CGRect(origin: .zero, size: size))
      }
    }

    /// The parts in the sRGB space, rounded to whole numbers from 0 to 255; nil for a pattern.
    ///
    /// Parts outside the sRGB space become the nearest ones inside. A dynamic colour has the parts of
    /// the current appearance.
    public var hexColor: HexColor? {
      var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
      guard getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
      func part(_ value: CGFloat) -> UInt8 {
        value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded())
      }
      return HexColor(red: part(red), green: part(green), blue: part(blue), alpha: part(alpha))
    }

    /// Six lower-case digits after a number sign, eight for a colour that is not opaque; nil for a
    /// pattern.
    public var hex: String? { hexColor?.description }
  }
#endif
