#if INSPECTOR
  import Foundation

  /// Times of forms, in UTC: what a browser sends for a field of a day and a time.
  enum FormTime {
    /// Parses a day, with or without a time; nil for other text.
    static func date(of text: String) -> Date? {
      text.utf8.count == 10 ? time(of: text + "T00:00:00") : time(of: text)
    }

    /// Parses a day and a time; nil for other text.
    static func time(of text: String) -> Date? {
      // Browsers omit the seconds.
      let whole = text.utf8.count == 16 ? text + ":00" : text
      // A style takes the hour 25, and whatever follows.
      guard let date = try? second.parse(whole), second.format(date) == whole else { return nil }
      return date
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
