import FieldstoneCore
import Foundation

/// The header `Retry-After`, whose value is a number of seconds or a date.
enum RetryAfter {
  /// The delay; nil if the header is missing or malformed.
  static func duration(in headers: ResponseHeaders, time: TimeSource) -> Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // A number with too many digits counts as the longest delay.
      return .seconds(Int64(text) ?? .max)
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    return .seconds(max(0, date.timeIntervalSince(time.now)))
  }
}

/// Dates of HTTP, in the current form and the two obsolete ones (RFC 9110, 5.6.7).
///
/// They are parsed by hand, because Foundation's formatters depend on locales, and leak on Linux.
enum HTTPDate {
  /// The date of a text such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil if it is malformed.
  static func parse(_ text: String) -> Date? {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT":
      return date(year: words[3], month: words[2], day: words[1], time: words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: return date(year: words[4], month: words[1], day: words[2], time: words[3])
    default: return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func date(year: String, month: String, day: String, time: String) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number("\($0)") }
    guard let month = months.firstIndex(of: month).map({ $0 + 1 }),
      let year = number(year), let day = number(day), (1...31).contains(day),
      clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysSince1970(year: year < 100 ? century(year) : year, month: month, day: day)
    return Date(
      timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
  }

  /// A year of two digits is between 1970 and 2069.
  private static func century(_ year: Int) -> Int {
    year < 70 ? 2000 + year : 1900 + year
  }

  private static func number(_ text: String) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Years start in March, so that a leap day is the last day of its year.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
