import FieldstoneCore
import Foundation

/// The two forms of the header `Retry-After`: seconds, and a date.
enum RetryAfter {
  /// How long to wait; nil when the header is not there or says nothing that can be understood.
  static func duration(in headers: ResponseHeaders, time: TimeSource) -> Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than a number can have is for ever.
      return .seconds(Int64(text) ?? .max)
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    return .seconds(max(0, date.timeIntervalSince(time.now)))
  }
}
