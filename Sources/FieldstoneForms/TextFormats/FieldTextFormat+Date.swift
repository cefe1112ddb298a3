import FieldstoneCore
import FieldstoneFields
public import Foundation

extension FieldTextFormat where Value == Date {
  /// A day and a time to the minute, such as `2026-02-03T10:15`.
  ///
  /// - Parameter timeZone: the time zone of the text; the user's by default.
  public static func dayAndTime(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.date, "yyyy-MM-dd'T'HH:mm", ["yyyy-MM-dd'T'HH:mm:ss"], timeZone, "2026-02-03T10:15")
  }

  /// A day, such as `2026-02-03`; the date is the first moment of that day.
  ///
  /// - Parameter timeZone: the time zone of the text; the user's by default.
  public static func day(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.day, "yyyy-MM-dd", [], timeZone, "2026-02-03")
  }

  /// A time of day to the minute, such as `10:15`; its date is the first of January 2000.
  ///
  /// - Parameter timeZone: the time zone of the text; the user's by default.
  public static func time(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.time, "HH:mm", ["HH:mm:ss"], timeZone, "10:15")
  }

  /// The format for a kind of control; nil for other kinds.
  static func usual(for kind: FieldKind, in timeZone: TimeZone) -> FieldTextFormat? {
    switch kind {
    case .date: .dayAndTime(in: timeZone)
    case .day: .day(in: timeZone)
    case .time: .time(in: timeZone)
    default: nil
    }
  }

  /// Writes and reads the texts that date controls of web pages use.
  private static func calendar(
    _ kind: FieldKind, _ pattern: String, _ others: [String], _ timeZone: TimeZone,
    _ example: String
  ) -> FieldTextFormat {
    let formatters = ([pattern] + others).map { pattern in
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.calendar = Calendar(identifier: .gregorian)
      formatter.timeZone = timeZone
      formatter.dateFormat = pattern
      return (pattern: pattern, formatter: formatter)
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let shared = Locked((formatters: formatters, calendar: calendar))
    var format = FieldTextFormat(kind: kind) { text in
      let text = text.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { return nil }
      let date = shared.withLock { shared -> Date? in
        for (pattern, formatter) in shared.formatters {
          // Lenient for days, as one without a midnight begins later; the check below refuses other
          // dates.
          formatter.isLenient = pattern == "yyyy-MM-dd"
          guard let date = formatter.date(from: text) else { continue }
          guard formatter.string(from: date) == text else { continue }
          // Of a day with two midnights the formatter reads the second one.
          return kind == .day ? shared.calendar.startOfDay(for: date) : date
        }
        return nil
      }
      guard let date else {
        throw FieldIssue(
          code: kind == .time ? "notATime" : "notADate", parameters: ["example": example])
      }
      return date
    } print: { date in
      shared.withLock { $0.formatters[0].formatter.string(from: date) }
    }
    format.isForWebControls = true
    format.timeZone = timeZone
    return format
  }
}
