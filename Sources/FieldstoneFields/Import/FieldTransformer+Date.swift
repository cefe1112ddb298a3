import FieldstoneCore
public import Foundation

extension FieldTransformer where Value == Date {
  /// A moment as internet formats write it (RFC 3339, ISO 8601), such as `2026-02-03T10:15:30Z`.
  ///
  /// It reads any offset and any fraction of the second; without an offset the text names no
  /// moment and is malformed. It writes in UTC, with as many digits as it takes to read the same
  /// moment back: none, 3, 6, 9, 12 or 15. What is outside of the years 0 to 9999 can't be written.
  public static var iso8601: FieldTransformer {
    FieldTransformer("ISO 8601", fromString: ISO8601.date, toString: ISO8601.text)
  }

  /// A date in a format of Unicode's pattern language, such as `yyyy-MM-dd`.
  ///
  /// The formatter is made once and is used behind a lock.
  ///
  /// - Parameters:
  ///   - format: the pattern.
  ///   - locale: the language of names in it; one that no setting of a person changes unless given.
  ///   - timeZone: where the date is; UTC unless given.
  public static func date(
    format: String, locale: Locale = Locale(identifier: "en_US_POSIX"), timeZone: TimeZone = .gmt
  ) -> FieldTransformer {
    let formatter = DateFormatter()
    formatter.locale = locale
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = format
    let shared = Locked(formatter)
    return FieldTransformer("date \(format)") { text in
      shared.withLock { $0.date(from: text) }
    } toString: { date in
      // Where no calendar reaches, the formatter writes nothing, or what it can't read itself.
      shared.withLock { formatter in
        let text = formatter.string(from: date)
        return formatter.date(from: text) == nil ? nil : text
      }
    }
  }
}
