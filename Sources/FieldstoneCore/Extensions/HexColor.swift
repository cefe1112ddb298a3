/// A colour as hexadecimal digits, such as `#0b5a9e`.
///
/// FieldstoneScreens makes `UIColor` and SwiftUI's `Color` from it. (Seed: Mold's colour
/// extensions.)
public struct HexColor: Sendable, Hashable, LosslessStringConvertible {
  /// The red part, from 0 to 255.
  public let red: UInt8
  /// The green part, from 0 to 255.
  public let green: UInt8
  /// The blue part, from 0 to 255.
  public let blue: UInt8
  /// The opacity, from 0 to 255.
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
  /// It is nil for anything else. As in CSS, the alpha part comes last, and each of 3 or 4 digits
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

  /// Six lower-case digits after a number sign; eight if the colour is not opaque.
  public var description: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension HexColor {
  /// A random opaque colour, for example to show the layout of an unfinished screen.
  package static func random() -> HexColor {
    HexColor(by: UInt32.random(in: 0...UInt32.max))
  }

  /// A random opaque colour.
  ///
  /// - Parameter generator: the source of randomness; equal numbers make equal colours.
  package static func random(using generator: inout some RandomNumberGenerator) -> HexColor {
    HexColor(by: UInt32(truncatingIfNeeded: generator.next()))
  }

  private init(by parts: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: parts), green: UInt8(truncatingIfNeeded: parts >> 8),
      blue: UInt8(truncatingIfNeeded: parts >> 16))
  }
}
