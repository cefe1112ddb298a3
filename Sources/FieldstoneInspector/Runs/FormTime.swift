#if INSPECTOR
  import FieldstoneRunDisplay
  import Foundation

  /// Times of forms, in UTC: what a browser sends for a field of a day and a time.
  enum FormTime {
    /// Parses a day, with or without a time; nil for other text.
    static func date(of text: String) -> Date? { Date(typed: text) }

    /// Parses a day and a time; nil for other text.
    static func time(of text: String) -> Date? {
      text.utf8.count > 10 ? Date(typed: text) : nil
    }

    /// The value of a field: to the minute, or to the second where there are some.
    static func text(of date: Date) -> String {
      let text = second.format(date)
      return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }

    private static let second = Date.ISO8601FormatStyle().year().month().day()
      .dateTimeSeparator(.standard).time(includingFractionalSeconds: false)
  }
#endif
