import FieldstoneRunDisplay
import Foundation

extension Date {
  /// Parses a date from the command line: a day in UTC, or a time.
  static func typed(_ text: String) throws(CommandError) -> Date {
    guard let date = Date(typed: text) else { throw .noDate(text) }
    return date
  }
}
