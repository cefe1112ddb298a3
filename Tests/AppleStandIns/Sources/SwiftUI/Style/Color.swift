// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Color: ShapeStyle, Hashable {
  public enum RGBColorSpace: Hashable, Sendable {
    case sRGB
    case sRGBLinear
    case displayP3
  }

  /// A colour as it is in an environment; its parts may be below 0 and above 1.
  public struct Resolved: Hashable, Sendable {
    public var red: Float
    public var green: Float
    public var blue: Float
    public var opacity: Float

    public init(
      colorSpace: RGBColorSpace = .sRGB, red: Float, green: Float, blue: Float, opacity: Float = 1
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.opacity = opacity
    }
  }

  private let light: Resolved
  private let dark: Resolved

  public init(
    _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double,
    opacity: Double = 1
  ) {
    light = Resolved(
      colorSpace: colorSpace, red: Float(red), green: Float(green), blue: Float(blue),
      opacity: Float(opacity))
    dark = light
  }

  private init(light: Resolved, dark: Resolved) {
    self.light = light
    self.dark = dark
  }

  public func resolve(in environment: EnvironmentValues) -> Resolved {
    environment.colorScheme == .dark ? dark : light
  }

  public static let red = Color(red: 1, green: 0, blue: 0)
  public static let orange = Color(red: 1, green: 0.5, blue: 0)

  /// Black in the light, and white in the dark.
  public static let primary = Color(
    light: Resolved(red: 0, green: 0, blue: 0), dark: Resolved(red: 1, green: 1, blue: 1))
}

extension Color: View, Leaf {
  public typealias Body = Never
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { [site.node("Color")] }
}

public enum ColorScheme: CaseIterable, Sendable {
  case light
  case dark
}

public struct EnvironmentValues {
  public var isEnabled = true
  public var colorScheme = ColorScheme.light
  public var calendar = Calendar.current
  public var timeZone = TimeZone.current
  var submitActions: [() -> Void] = []

  /// Whether rows are made when they come into sight.
  var isLazy = false

  public init() {}
}
