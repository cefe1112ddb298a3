import Foundation

/// A line of a crontab: minute, hour, day of the month, month, and day of the week.
///
/// ```swift
/// try CronLine("30 2 * * MON-FRI")  // half past two in the morning, on working days
/// ```
///
/// A field is `*`, a number, a name (`JAN` to `DEC`, `SUN` to `SAT`), a range `a-b`, or several of
/// these separated by commas; `*/n`, `a-b/n` and `a/n` are every nth of them. Sunday is 0 or 7. If
/// neither the day of the month nor the day of the week begins with `*`, a day that matches either
/// counts, as in every crontab. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` stand for
/// whole lines.
public struct CronLine: Sendable, Hashable {
  /// The original text of the line.
  public let text: String

  private let minutes: UInt64
  private let hours: UInt64
  private let days: UInt64
  private let months: UInt64
  private let weekdays: UInt64
  /// Whether a match of either day field is enough.
  private let anyDayFieldIsEnough: Bool

  /// Reads a line.
  ///
  /// - Throws: ``ScheduleError/unreadableCron(_:problem:)`` and ``ScheduleError/neverHappens(_:)``.
  public init(_ text: String) throws(ScheduleError) {
    self.text = text
    let line = try Self.written(out: text)
    let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard parts.count == CronField.allCases.count else {
      let hint = parts.count == 6 ? "; leave out the seconds or the year" : ""
      throw .unreadableCron(
        text,
        problem: "it has \(parts.count) fields and not the five minute, hour, day of the "
          + "month, month, day of the week\(hint)")
    }
    var sets: [UInt64] = []
    for (field, part) in zip(CronField.allCases, parts) {
      sets.append(try field.numbers(in: part, of: text))
    }
    (minutes, hours, days, months) = (sets[0], sets[1], sets[2], sets[3])
    // Sunday is 0, however it is written.
    weekdays = (sets[4] & 0x7F) | (sets[4] >> 7 & 1)
    anyDayFieldIsEnough = !parts[2].hasPrefix("*") && !parts[4].hasPrefix("*")
    guard happens else { throw .neverHappens(text) }
  }

  private static func written(out text: String) throws(ScheduleError) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.hasPrefix("@") else { return trimmed }
    switch trimmed.lowercased() {
    case "@hourly": return "0 * * * *"
    case "@daily", "@midnight": return "0 0 * * *"
    case "@weekly": return "0 0 * * 0"
    case "@monthly": return "0 0 1 * *"
    case "@yearly", "@annually": return "0 0 1 1 *"
    default:
      throw .unreadableCron(
        text,
        problem: "“\(trimmed)” is no name of a line; there are @hourly, @daily, @weekly, "
          + "@monthly and @yearly")
    }
  }

  /// Whether the line matches any existing day; the 30th of February alone never exists.
  private var happens: Bool {
    if anyDayFieldIsEnough { return true }
    let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains { month in
      months.has(month) && (1...lengths[month - 1]).contains { days.has($0) }
    }
  }

  /// The next local time that the line matches.
  ///
  /// It examines one day after the other, up to the 40 years that can lie between two leap days on
  /// a given weekday; nil beyond that.
  func next(after time: LocalTime) -> LocalTime? {
    var day = LocalDay(of: time)
    // On the first day, only times after the given one.
    var minute = (time - day.start) / 60 + 1
    for _ in 0...Self.mostDays {
      if names(day), let found = self.minute(from: minute) { return day.start + found * 60 }
      minute = 0
      day = LocalDay(number: day.number + 1)
    }
    return nil
  }

  private static let mostDays = 366 * 41

  private func names(_ day: LocalDay) -> Bool {
    guard months.has(day.month) else { return false }
    let (isDay, isWeekday) = (days.has(day.day), weekdays.has(day.weekday))
    return anyDayFieldIsEnough ? isDay || isWeekday : isDay && isWeekday
  }

  /// The first matching minute of a day, from one on.
  private func minute(from minute: Int) -> Int? {
    var hour = minute / 60
    var first = minute % 60
    while hour < 24 {
      if hours.has(hour), let found = (first..<60).first(where: { minutes.has($0) }) {
        return hour * 60 + found
      }
      hour += 1
      first = 0
    }
    return nil
  }
}

extension CronLine: Codable {
  /// Reads the line from a string.
  ///
  /// - Throws: `DecodingError` if the string is no valid line.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Writes the line as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A field of a crontab's line.
private enum CronField: CaseIterable {
  case minute, hour, day, month, weekday

  private var name: String {
    switch self {
    case .minute: "minute"
    case .hour: "hour"
    case .day: "day of the month"
    case .month: "month"
    case .weekday: "day of the week"
    }
  }

  private var range: ClosedRange<Int> {
    switch self {
    case .minute: 0...59
    case .hour: 0...23
    case .day: 1...31
    case .month: 1...12
    case .weekday: 0...7
    }
  }

  private var names: [String] {
    switch self {
    case .month:
      ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    case .weekday: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    case .minute, .hour, .day: []
    }
  }

  /// The numbers that a field matches, as bits.
  func numbers(in field: String, of line: String) throws(ScheduleError) -> UInt64 {
    var numbers: UInt64 = 0
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      numbers |= try self.numbers(inPart: String(part), of: line)
    }
    return numbers
  }

  private func numbers(inPart part: String, of line: String) throws(ScheduleError) -> UInt64 {
    let halves = part.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard halves.count <= 2, let base = halves.first, !base.isEmpty else {
      throw unreadable(part, line, "can't be read; write a number, a-b, *, or one of these with /n")
    }
    var step = 1
    if halves.count == 2 {
      guard let number = Int(halves[1]), number > 0 else {
        throw unreadable(part, line, "has no step that is a number above 0")
      }
      step = number
    }
    // A weekday field with every nth day counts Sunday once.
    let all = self == .weekday ? 0...6 : range
    var bounds = all
    if base != "*" {
      let ends = base.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard ends.count <= 2, let first = ends.first else {
        throw unreadable(part, line, "is no range; write a-b")
      }
      let low = try number(first, part, line)
      let high =
        ends.count == 2 ? try number(ends[1], part, line) : halves.count == 2 ? all.upperBound : low
      guard low <= high else {
        throw unreadable(
          part, line, "runs backwards; write two ranges with a comma, as in 22-23,0-2")
      }
      bounds = low...high
    }
    var numbers: UInt64 = 0
    for number in stride(from: bounds.lowerBound, through: bounds.upperBound, by: step) {
      numbers |= 1 << UInt64(number)
    }
    return numbers
  }

  private func number(
    _ text: String, _ part: String, _ line: String
  ) throws(ScheduleError) -> Int {
    if let index = names.firstIndex(of: text.uppercased()) {
      return self == .month ? index + 1 : index
    }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text) else {
      throw unreadable(
        part, line,
        "is no number"
          + (names.isEmpty ? "" : " and no name from \(names[0]) to \(names[names.count - 1])"))
    }
    guard range.contains(number) else {
      throw unreadable(
        part, line, "is not within \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func unreadable(_ part: String, _ line: String, _ problem: String) -> ScheduleError {
    .unreadableCron(line, problem: "the \(name) “\(part)” \(problem)")
  }
}

extension UInt64 {
  fileprivate func has(_ number: Int) -> Bool { self & 1 << UInt64(number) != 0 }
}
