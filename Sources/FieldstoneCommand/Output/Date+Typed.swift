import Foundation

extension Date {
  /// Parses a date from the command line: a day in UTC, or a time.
  static func typed(_ text: String) throws(CommandError) -> Date {
    let day = Date.ISO8601FormatStyle().year().month().day()
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for style in [.iso8601, precise, day] {
      if let date = try? style.parse(text) { return date }
    }
    throw .noDate(text)
  }
}
