package import Foundation

extension PayloadLimits {
  /// Refuses a payload that is above the limit.
  package func check(_ payload: Data) throws(JournalError) {
    if payload.count > error { throw .tooLarge(bytes: payload.count, limit: error) }
  }

  /// Refuses a payload that is above the limit or no JSON.
  package func checkJSON(_ payload: Data) throws(JournalError) {
    try check(payload)
    guard (try? JSONSerialization.jsonObject(with: payload, options: .fragmentsAllowed)) != nil
    else { throw .notJSON }
  }
}
