#if canImport(SwiftUI)
  public import FieldstoneCore
  public import SwiftUI

  extension Color {
    /// Makes an sRGB colour from its hexadecimal digits. (Seed: Mold's colour extensions.)
    public init(_ hex: HexColor) {
      self.init(
        .sRGB, red: Double(hex.red) / 255, green: Double(hex.green) / 255,
        blue: Double(hex.blue) / 255, opacity: Double(hex.alpha) / 255)
    }

    /// Makes a colour from 3, 4, 6 or 8 hexadecimal digits, such as `#0b5a9e`; nil for anything else.
    public init?(hex: String) {
      guard let hex = HexColor(hex) else { return nil }
      self.init(hex)
    }

    /// A random opaque colour, such as for the layout of an unfinished screen.
    public static func random() -> Color { Color(HexColor.random()) }

    /// The hexadecimal digits of the colour in an environment, such as in dark mode.
    ///
    /// ```swift
    /// @Environment(\.self) private var environment
    /// // …
    /// let digits = Color.accentColor.hex(in: environment).description
    /// ```
    public func hex(in environment: EnvironmentValues) -> HexColor {
      HexColor(resolve(in: environment))
    }
  }

  extension HexColor {
    /// Makes the digits of a colour; parts outside sRGB become the nearest ones inside.
    public init(_ color: Color.Resolved) {
      self.init(
        red: Self.part(color.red), green: Self.part(color.green), blue: Self.part(color.blue),
        alpha: Self.part(color.opacity))
    }

    private static func part(_ value: Float) -> UInt8 {
      // This covers NaN, too.
      guard value > 0 else { return 0 }
      return value < 1 ? UInt8((value * 255).rounded()) : 255
    }
  }
#endif
