#if canImport(SwiftUI)
  public import FieldstoneCore
  public import SwiftUI

  extension Color {
    /// Makes a colour of sRGB from its hexadecimal digits. (Seed: Mold's colour extensions.)
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

    /// An opaque colour made by chance, such as for the layout of a screen that is being built.
    public static func random() -> Color { Color(HexColor.random()) }

    /// The hexadecimal digits of the colour as it is in an environment, such as in dark mode.
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
    /// Makes the digits of a colour; what lies outside of sRGB becomes the nearest that does not.
    public init(_ color: Color.Resolved) {
      self.init(
        red: Self.part(color.red), green: Self.part(color.green), blue: Self.part(color.blue),
        alpha: Self.part(color.opacity))
    }

    private static func part(_ value: Float) -> UInt8 {
      // Also for what is no number.
      guard value > 0 else { return 0 }
      return value < 1 ? UInt8((value * 255).rounded()) : 255
    }
  }
#endif
