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

  /// A way in the unit that was set, and in the other: 12 nmi (22 km).
  static func distance(_ kilometres: Double, in units: AppSettings.Units) -> String {
    let texts = ("\(whole(kilometres / 1.852)) nmi", "\(whole(kilometres)) km")
    return units == .feet ? "\(texts.0) (\(texts.1))" : "\(texts.1) (\(texts.0))"
  }

  /// The time at a place: Monday 14:05 (UTC+5:30); nil where its zone is not known.
  static func localTime(in zone: String, at now: Date) -> String? {
    guard let zone = TimeZone(identifier: zone) else { return nil }
    let offset = zone.secondsFromGMT(for: now)
    // 1 January 2001 was a Monday.
    let seconds = now.timeIntervalSinceReferenceDate + Double(offset)
    guard let minutes = Int(exactly: (seconds / 60).rounded(.down)) else { return nil }
    let (days, minute) = floored(minutes, by: 24 * 60)
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    let distance = abs(offset) / 60
    let part = distance % 60 == 0 ? "" : ":" + padded(distance % 60)
    let difference = (offset < 0 ? "−" : "+") + "\(distance / 60)" + part
    return "\(names[floored(days, by: 7).rest]) \(padded(minute / 60)):\(padded(minute % 60)) "
      + "(UTC\(difference))"
  }

  /// A moment in a time zone: Thu 26 Nov 2026, 02:30; nil where the zone is not known.
  static func moment(_ date: Date, in zone: String) -> String? {
    guard let zone = TimeZone(identifier: zone) else { return nil }
    let style = Date.VerbatimFormatStyle(
      format:
        "\(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated) \(year: .defaultDigits), \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      locale: Locale(identifier: "en_GB"), timeZone: zone,
      calendar: Calendar(identifier: .gregorian))
    return date.formatted(style)
  }

  private static func floored(_ number: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
    let rest = (number % divisor + divisor) % divisor
    return ((number - rest) / divisor, rest)
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func whole(_ number: Double) -> String {
    GroupedNumber.text(Int(exactly: number.rounded()) ?? 0)
  }

  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    // Four decimals are eleven metres, less than any runway is wide.
    String(format: "%.4f", abs(value)) + "° " + (value < 0 ? negative : positive)
  }
}
