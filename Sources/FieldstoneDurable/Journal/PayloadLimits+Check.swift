package import Foundation

extension PayloadLimits {
  /// Refuses a payload that is above the limit.
  package func check(_ payload: Data) throws(JournalError) {
    if payload.count > error { throw .tooLarge(bytes: payload.count, limit: error) }
  }

  /// Refuses a checkpoint of which a payload is above the limit, or a signal no JSON.
  package func checkPayloads(of checkpoint: Checkpoint) throws(JournalError) {
    try check(checkpoint.next.payload)
    for start in checkpoint.starts { try check(start.payload) }
    for signal in checkpoint.signals { try checkJSON(signal.signal.payload) }
  }

  /// Refuses a payload that is above the limit or no JSON.
  package func checkJSON(_ payload: Data) throws(JournalError) {
    try check(payload)
    guard (try? JSONSerialization.jsonObject(with: payload, options: .fragmentsAllowed)) != nil
    else { throw .notJSON }
  }
}
