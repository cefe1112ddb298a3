package import Foundation

extension Date {
  /// Parses a day in UTC or a time that somebody typed; nil for other text.
  ///
  /// It takes 2026-11-21, 2026-11-21T15:30, 2026-11-21T15:30:00 and 2026-11-21T15:30:00.250, each
  /// time also with Z or with a distance from UTC, as +01:00.
  package init?(typed text: String) {
    guard text.utf8.count > 10 else {
      guard let day = Self.wholeSecond(text + "T00:00:00") else { return nil }
      self = day
      return
    }
    var rest = text[...]
    var distance = 0
    if rest.hasSuffix("Z") {
      rest.removeLast()
    } else if let sign = rest.dropFirst(10).lastIndex(where: { $0 == "+" || $0 == "-" }) {
      guard let seconds = Self.distance(rest[sign...]) else { return nil }
      distance = seconds
      rest = rest[..<sign]
    }
    var fraction = 0.0
    if let point = rest.firstIndex(of: ".") {
      let digits = rest[point...].dropFirst()
      guard rest[..<point].utf8.count == 19, (1...9).contains(digits.utf8.count),
        digits.utf8.allSatisfy(Self.isDigit), let value = Double("0.\(digits)")
      else { return nil }
      fraction = value
      rest = rest[..<point]
    }
    let whole = rest.utf8.count == 16 ? "\(rest):00" : String(rest)
    guard let date = Self.wholeSecond(whole) else { return nil }
    self = date.addingTimeInterval(fraction - Double(distance))
  }

  /// A style takes the hour 25, the 31st of February, and whatever follows.
  private static func wholeSecond(_ text: String) -> Date? {
    let style = ISO8601FormatStyle().year().month().day().dateTimeSeparator(.standard)
      .time(includingFractionalSeconds: false)
    guard let date = try? style.parse(text), style.format(date) == text else { return nil }
    return date
  }

  /// The seconds of +01:00 or +0100.
  private static func distance(_ text: Substring) -> Int? {
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, digits.utf8.allSatisfy(isDigit),
      text.utf8.count == 5 || text.dropFirst(3).first == ":" && text.utf8.count == 6,
      let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24,
      minutes < 60
    else { return nil }
    return (text.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
