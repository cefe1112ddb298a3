import Foundation

/// Numbers of an airport as people read them.
enum Measures {
  /// A height in feet, and in metres: 1,552 ft (473 m).
  static func elevation(feet: Double) -> String {
    "\(whole(feet)) ft (\(whole(feet * 0.3048)) m)"
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
