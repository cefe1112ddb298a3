/// A colour as hexadecimal digits, as designs name it: `#0b5a9e`.
///
/// `UIColor` and SwiftUI's `Color` are made from it in FieldstoneScreens. (Seed: Mold's colour
/// extensions.)
public struct HexColor: Sendable, Hashable, LosslessStringConvertible {
  /// How much red, from 0 to 255.
  public let red: UInt8
  /// How much green, from 0 to 255.
  public let green: UInt8
  /// How much blue, from 0 to 255.
  public let blue: UInt8
  /// How opaque, from 0 to 255.
  public let alpha: UInt8

  /// Makes a colour from its parts, each from 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Makes a colour from 3, 4, 6 or 8 digits, with or without a number sign, in either case.
  ///
  /// It is nil for anything else. As in CSS, the alpha part comes last, and of 3 or 4 digits each
  /// stands for two.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    for (place, byte) in text.utf8.enumerated() where place > 0 || byte != UInt8(ascii: "#") {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
    if digits.count == 6 { digits += [15, 15] }
    guard digits.count == 8 else { return nil }
    self.init(
      red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
      blue: digits[4] << 4 | digits[5], alpha: digits[6] << 4 | digits[7])
  }

  /// Six digits after a number sign, in lower case; eight where it is not opaque.
  public var description: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension HexColor {
  /// An opaque colour made by chance, such as for the layout of a screen that is being built.
  package static func random() -> HexColor {
    HexColor(by: UInt32.random(in: 0...UInt32.max))
  }

  /// An opaque colour made by chance.
  ///
  /// - Parameter generator: where the chance comes from; the same numbers make the same colour.
  package static func random(using generator: inout some RandomNumberGenerator) -> HexColor {
    HexColor(by: UInt32(truncatingIfNeeded: generator.next()))
  }

  private init(by parts: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: parts), green: UInt8(truncatingIfNeeded: parts >> 8),
      blue: UInt8(truncatingIfNeeded: parts >> 16))
  }
}
