package import Foundation

extension Checkpoint.Next {
  /// The stage or the completion, as JSON.
  package var payload: Data {
    switch self {
    case .stage(let payload), .waiting(let payload, until: _),
      .receiving(let payload, signal: _, until: _), .completion(let payload):
      payload
    }
  }

  /// Whether the run is over with it.
  package var isCompletion: Bool {
    if case .completion = self { true } else { false }
  }
}
