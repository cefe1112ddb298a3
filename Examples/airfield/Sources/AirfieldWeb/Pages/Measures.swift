import AirfieldScreens
import Foundation

/// Numbers of an airport as people read them.
enum Measures {
  /// A height in the unit that was set, and in the other: 1,552 ft (473 m).
  static func elevation(feet: Double, in units: AppSettings.Units) -> String {
    let texts = ("\(whole(feet)) ft", "\(whole(feet * 0.3048)) m")
    return units == .feet ? "\(texts.0) (\(texts.1))" : "\(texts.1) (\(texts.0))"
  }

  /// A place in degrees with its hemispheres: 65.6413° N, 23.5462° W.
  static func coordinates(latitude: Double, longitude: Double) -> String {
    "\(degrees(latitude, "N", "S")), \(degrees(longitude, "E", "W"))"
  }

  private static func whole(_ number: Double) -> String {
    GroupedNumber.text(Int(exactly: number.rounded()) ?? 0)
  }

  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    // Four decimals are eleven metres, less than any runway is wide.
    String(format: "%.4f", abs(value)) + "° " + (value < 0 ? negative : positive)
  }
}
