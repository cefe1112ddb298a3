/// What is to be done about a run.
public enum RunState: String, Sendable, Hashable, Codable, CaseIterable {
  /// It waits for a worker, for a time, or for a signal.
  case ready
  /// A worker has it, on a lease.
  case running
  /// Its flow has come to its completion.
  case completed
  /// Its attempts are used up; the stage is kept, and a person decides.
  case dead
  /// Its stage can't be read by the code that was there; nothing was consumed, and a runner that can
  /// read it frees it once it is started.
  case blocked
  /// It was called off.
  case cancelled

  /// Whether nothing will happen to it any more, unless a person retries or edits it.
  public var isOver: Bool {
    switch self {
    case .completed, .dead, .cancelled: true
    case .ready, .running, .blocked: false
    }
  }

  /// Whether no runner works on it, nor will by itself.
  var isAtRest: Bool { self != .ready && self != .running }
}
