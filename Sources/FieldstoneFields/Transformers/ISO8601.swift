package import Foundation

/// Moments as text, in the internet's profile of ISO 8601 (RFC 3339).
///
/// Foundation's styles read texts either with or without a fraction, truncate it to milliseconds,
/// and use a calendar. This is arithmetic, and reads back every moment that it has written.
package enum ISO8601 {
  /// The moment that a text names; nil where it is malformed or no such day exists.
  package static func date(_ text: String) -> Date? {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
      let hour = reader.number(digits: 2), reader.skip(":"),
      let minute = reader.number(digits: 2), reader.skip(":"),
      let second = reader.number(digits: 2)
    else { return nil }
    var fraction = 0.0
    if reader.skip(".") {
      guard let read = reader.fraction() else { return nil }
      fraction = read
    }
    guard let offset = offset(&reader), reader.isAtEnd else { return nil }
    // A leap second is read as the second after it.
    guard 1...12 ~= month, 1...daysIn(month, of: year) ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysBefore(year: year, month: month) + day - 1 - referenceDay
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  /// The text for a moment in UTC; nil outside of the years 0 to 9999.
  static func text(_ date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate
    // The years 0 to 9999 are checked first, because the conversion to an integer could trap.
    guard -63_145_526_400..<252_423_993_600 ~= interval else { return nil }
    let (whole, fraction) = split(interval)
    let seconds = Int(whole)
    let days = (Double(seconds) / 86_400).rounded(.down)
    let time = seconds - Int(days) * 86_400
    let (year, month, day) = civil(day: Int(days) + referenceDay)
    guard 0...9999 ~= year else { return nil }
    return [
      padded(year, 4), "-", padded(month, 2), "-", padded(day, 2), "T", padded(time / 3600, 2), ":",
      padded(time / 60 % 60, 2), ":", padded(time % 60, 2), fraction, "Z",
    ].joined()
  }

  /// The offset in minutes east of Greenwich.
  private static func offset(_ reader: inout DigitReader) -> Int? {
    if reader.skip("Z") || reader.skip("z") { return 0 }
    let sign: Int
    if reader.skip("+") { sign = 1 } else if reader.skip("-") { sign = -1 } else { return nil }
    guard let hours = reader.number(digits: 2), hours < 24 else { return nil }
    _ = reader.skip(":")
    guard let minutes = reader.number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  /// The whole seconds, and the shortest fraction that reads back as the same moment.
  private static func split(_ interval: Double) -> (whole: Double, fraction: String) {
    let whole = interval.rounded(.down)
    let rest = interval - whole
    var scale = 1.0
    for digits in stride(from: 0, through: 15, by: 3) {
      let count = (rest * scale).rounded()
      if whole + count / scale == interval || digits == 15 {
        if count >= scale { return (whole + 1, "") }
        return (whole, digits == 0 ? "" : "." + padded(Int(count), digits))
      }
      scale *= 1000
    }
    return (whole, "")
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

// MARK: - The calendar

extension ISO8601 {
  /// The first day of 2001, counted from the first of March of the year 0.
  private static let referenceDay = daysBefore(year: 2001, month: 1)

  /// Days from the first of March of the year 0 to the first of a month.
  ///
  /// Years begin in March here, so that the leap day is a year's last. The lengths of the months
  /// before it then follow a linear formula.
  private static func daysBefore(year: Int, month: Int) -> Int {
    let march = month > 2 ? year : year - 1
    let leapDays = floored(march, 4) - floored(march, 100) + floored(march, 400)
    return march * 365 + leapDays + (153 * ((month + 9) % 12) + 2) / 5
  }

  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    // A guess that is never too late, and at most two years early.
    var year = floored(day * 400, 146_097) - 1
    while daysBefore(year: year + 1, month: 1) <= day { year += 1 }
    var month = 1
    while month < 12, daysBefore(year: year, month: month + 1) <= day { month += 1 }
    return (year, month, day - daysBefore(year: year, month: month) + 1)
  }

  private static func daysIn(_ month: Int, of year: Int) -> Int {
    let isLast = month == 12
    return daysBefore(year: isLast ? year + 1 : year, month: isLast ? 1 : month + 1)
      - daysBefore(year: year, month: month)
  }

  private static func floored(_ number: Int, _ divisor: Int) -> Int {
    Int((Double(number) / Double(divisor)).rounded(.down))
  }
}

/// Reads a text of digits and marks from its beginning.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes one character if it comes next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next = rest.first, UInt32(next) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a digit if one comes next.
  mutating func digit() -> Int? {
    guard let next = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next else { return nil }
    rest.removeFirst()
    return Int(next - UInt8(ascii: "0"))
  }

  /// Reads a number of exactly this many digits, at most 18.
  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Reads one or more digits as a fraction.
  ///
  /// Digits from the sixteenth on are skipped: a double can't hold them.
  mutating func fraction() -> Double? {
    guard var number = digit() else { return nil }
    var scale = 10.0
    while let digit = digit() {
      guard scale < 1e15 else { continue }
      number = number * 10 + digit
      scale *= 10
    }
    return Double(number) / scale
  }

  /// Skips any digits; false if there is none.
  mutating func skipDigits() -> Bool {
    guard digit() != nil else { return false }
    while digit() != nil {}
    return true
  }
}
