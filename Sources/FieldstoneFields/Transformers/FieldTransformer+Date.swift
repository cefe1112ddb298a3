import FieldstoneCore
public import Foundation

extension FieldTransformer where Value == Date {
  /// A moment in the internet's profile of ISO 8601 (RFC 3339), such as `2026-02-03T10:15:30Z`.
  ///
  /// It reads any offset and any fraction of a second. A text without an offset names no moment and
  /// is malformed. It writes UTC, with as many digits as it takes to read the same moment back:
  /// none, 3, 6, 9, 12 or 15. A date outside of the years 0 to 9999 can't be written.
  public static var iso8601: FieldTransformer {
    FieldTransformer("ISO 8601", fromString: ISO8601.date, toString: ISO8601.text)
  }

  /// A date in a format of Unicode's pattern language, such as `yyyy-MM-dd`.
  ///
  /// A pattern without a time names a day and stands for its first moment: midnight, or one o'clock
  /// where the clocks go forward at midnight. A year before 1000 is read only as the pattern writes
  /// it, with its leading zeros. A date that would be read back in another era, such as one before
  /// Christ without an era in the pattern, can't be written. The formatter is made once and used
  /// under a lock.
  ///
  /// - Parameters:
  ///   - format: the pattern.
  ///   - locale: the language of names in it; by default one that no user setting changes.
  ///   - timeZone: the time zone of the date; UTC by default.
  public static func date(
    format: String, locale: Locale = Locale(identifier: "en_US_POSIX"), timeZone: TimeZone = .gmt
  ) -> FieldTransformer {
    let formatter = DateFormatter()
    formatter.locale = locale
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = format
    let namesDays = !Self.has("abBhHkKjJmsSA" + zoneLetters, format)
    // Foundation reads a day as its midnight, which some days lack in some zones; in GMT all have
    // one.
    if namesDays { formatter.timeZone = .gmt }
    let shared = Locked((reader: formatter, days: DayReader(formatter, timeZone)))
    var transformer = FieldTransformer("date \(format)") { text in
      shared.withLock { shared in
        guard let moment = shared.reader.date(from: text) else { return nil }
        // The formatter reads "20-02-29" by `yyyy-MM-dd` as a day of the year 20. Who writes that
        // means 2020.
        if moment < .year1000, shared.reader.string(from: moment) != text { return nil }
        return namesDays ? shared.days.firstMoment(moment) : moment
      }
    } toString: { date in
      // Beyond the calendar's range the formatter writes nothing, or a text that it can't read back
      // or reads back in another era.
      guard date.timeIntervalSinceReferenceDate.isFinite else { return nil }
      return shared.withLock { shared in
        let moment = namesDays ? shared.days.greenwichDay(date) : date
        guard let moment else { return nil }
        let text = shared.reader.string(from: moment)
        let isReadBack = shared.reader.date(from: text).map { ($0 < .year1) == (moment < .year1) }
        return isReadBack == true ? text : nil
      }
    }
    transformer.timeZone = Self.has(zoneLetters, format) ? nil : timeZone
    return transformer
  }

  private static let zoneLetters = "zZOvVxX"

  /// Whether a pattern has one of some letters outside of quotes.
  private static func has(_ letters: String, _ format: String) -> Bool {
    var isQuoted = false
    return format.contains { letter in
      if letter == "'" { isQuoted.toggle() }
      return !isQuoted && letters.contains(letter)
    }
  }
}

extension Date {
  fileprivate static let year1 = Date(timeIntervalSince1970: -62_135_596_800)
  fileprivate static let year1000 = Date(timeIntervalSince1970: -30_610_224_000)
}

/// The days of a time zone, and the same days in GMT.
private struct DayReader {
  private let greenwich: Calendar
  private let local: Calendar

  init(_ formatter: DateFormatter, _ timeZone: TimeZone) {
    var calendar = formatter.calendar ?? Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    greenwich = calendar
    calendar.timeZone = timeZone
    local = calendar
  }

  /// The first moment of the day with this midnight in GMT; nil where the time zone skipped the
  /// day.
  func firstMoment(_ midnight: Date) -> Date? {
    var day = greenwich.dateComponents([.era, .year, .month, .day], from: midnight)
    let wanted = day
    // Every day has a noon.
    day.hour = 12
    guard let noon = local.date(from: day) else { return nil }
    let first = local.startOfDay(for: noon)
    return local.dateComponents([.era, .year, .month, .day], from: first) == wanted ? first : nil
  }

  /// A moment in GMT on the local day of a date.
  func greenwichDay(_ date: Date) -> Date? {
    var day = local.dateComponents([.era, .year, .month, .day], from: date)
    day.hour = 12
    return greenwich.date(from: day)
  }
}
