import FieldstoneCore
import FieldstoneFields
public import Foundation

extension FieldTextFormat where Value == Date {
  /// A day and a time to the minute, such as `2026-02-03T10:15`.
  ///
  /// - Parameter timeZone: where that is; where the person is unless given.
  public static func dayAndTime(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.date, "yyyy-MM-dd'T'HH:mm", ["yyyy-MM-dd'T'HH:mm:ss"], timeZone, "2026-02-03T10:15")
  }

  /// A day, such as `2026-02-03`; the date is the first moment of that day.
  ///
  /// - Parameter timeZone: where that is; where the person is unless given.
  public static func day(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.day, "yyyy-MM-dd", [], timeZone, "2026-02-03")
  }

  /// A time of day to the minute, such as `10:15`; the date is that time on the first of January
  /// 2000.
  ///
  /// - Parameter timeZone: where that is; where the person is unless given.
  public static func time(in timeZone: TimeZone = .autoupdatingCurrent) -> FieldTextFormat {
    calendar(.time, "HH:mm", ["HH:mm:ss"], timeZone, "10:15")
  }

  /// The format for a kind of control, where the person is; nil for other kinds.
  static func usual(for kind: FieldKind?) -> FieldTextFormat? {
    switch kind {
    case .date: .dayAndTime()
    case .day: .day()
    case .time: .time()
    default: nil
    }
  }

  /// Writes what controls of web pages write, and reads what they send.
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
    let shared = Locked(formatters)
    var format = FieldTextFormat(kind: kind) { text in
      let text = text.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { return nil }
      let date = shared.withLock { formatters -> Date? in
        for (pattern, formatter) in formatters {
          // A day without a midnight begins later; what the calendar does not have is refused.
          formatter.isLenient = pattern == "yyyy-MM-dd"
          guard let date = formatter.date(from: text) else { continue }
          if formatter.string(from: date) == text { return date }
        }
        return nil
      }
      guard let date else {
        throw FieldIssue(
          code: kind == .time ? "notATime" : "notADate", parameters: ["example": example])
      }
      return date
    } print: { date in
      shared.withLock { $0[0].formatter.string(from: date) }
    }
    format.isForWebControls = true
    return format
  }
}
