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
    let offset = zone.secondsFromGMT(for: now) / 60
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    let part = minutes == 0 ? "" : minutes < 10 ? ":0\(minutes)" : ":\(minutes)"
    let time = text(now, "\(weekday: .wide) \(hour: hour):\(minute: .twoDigits)", zone)
    return "\(time) (UTC\(offset < 0 ? "−" : "+")\(hours)\(part))"
  }

  /// A moment in a time zone: Thu 26 Nov 2026, 02:30; nil where the zone is not known.
  static func moment(_ date: Date, in zone: String) -> String? {
    TimeZone(identifier: zone).map { zone in
      text(
        date,
        "\(weekday: .abbreviated) \(day: .defaultDigits) \(month: .abbreviated) \(year: .defaultDigits), \(hour: hour):\(minute: .twoDigits)",
        zone)
    }
  }

  private static let hour = Date.FormatStyle.Symbol.VerbatimHour.twoDigits(
    clock: .twentyFourHour, hourCycle: .zeroBased)

  private static func text(_ date: Date, _ format: Date.FormatString, _ zone: TimeZone) -> String {
    date.formatted(
      Date.VerbatimFormatStyle(
        format: format, locale: Locale(identifier: "en_GB"), timeZone: zone,
        calendar: Calendar(identifier: .gregorian)))
  }

  private static func whole(_ number: Double) -> String {
    GroupedNumber.text(Int(exactly: number.rounded()) ?? 0)
  }

  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    // Four decimals are eleven metres, less than any runway is wide.
    String(format: "%.4f", abs(value)) + "° " + (value < 0 ? negative : positive)
  }
}

/// Whole numbers as people read them: 28,298.
enum GroupedNumber {
  static func text(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "−" + text : text
  }

  /// So many airports: 1 airport, 28,298 airports.
  static func airports(_ count: Int) -> String {
    text(count) + (count == 1 ? " airport" : " airports")
  }
}
