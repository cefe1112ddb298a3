/// When a run that waits for its children continues.
///
/// A *dead* or cancelled child counts as failed. A *blocked* child has not ended.
public enum JoinPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// When all have ended.
  case all
  /// When the first has ended, in any way.
  case first
  /// When all have ended, or as soon as one has failed.
  case failFast
}

extension JoinPolicy {
  /// Whether the run continues after another child has ended.
  package func isMet(open: Int, hasFailed: Bool) -> Bool {
    switch self {
    case .all: open <= 0
    case .first: true
    case .failFast: open <= 0 || hasFailed
    }
  }

  /// The number of the policy in databases, which never changes.
  package var code: Int {
    switch self {
    case .all: 0
    case .first: 1
    case .failFast: 2
    }
  }

  package init?(code: Int) {
    guard let policy = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = policy
  }
}

/// A run's wait for the children that its stage started.
public struct RunJoin: Sendable, Hashable, Codable {
  /// The number of the stage that started the children.
  public var sequence: Int
  /// The condition that the run waits for; nil once it continues.
  public var policy: JoinPolicy?
  /// The number of unfinished children; fixed once the run continues.
  public var open: Int

  /// Makes a wait.
  public init(sequence: Int, policy: JoinPolicy?, open: Int) {
    self.sequence = sequence
    self.policy = policy
    self.open = open
  }
}
