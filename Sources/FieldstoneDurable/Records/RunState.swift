/// The state of a run.
public enum RunState: String, Sendable, Hashable, Codable, CaseIterable {
  /// It waits for a worker, for a time, or for a signal.
  case ready
  /// A worker holds it, on a lease.
  case running
  /// Its flow has completed.
  case completed
  /// Its attempts are used up; the stage is kept, and an operator decides.
  case dead
  /// The claiming code can't read its stage; nothing was consumed.
  ///
  /// A runner that can read it frees it when the runner starts.
  case blocked
  /// It was cancelled.
  case cancelled

  /// True if the run has ended for good, unless an operator retries or edits it.
  public var isOver: Bool {
    switch self {
    case .completed, .dead, .cancelled: true
    case .ready, .running, .blocked: false
    }
  }

  /// True if no runner works on it or will do so by itself.
  var isAtRest: Bool { self != .ready && self != .running }

  /// The states of runs that have stopped.
  package static let stopped: Set<Self> = [.completed, .dead, .blocked, .cancelled]
}
