/// When a run goes on that waits for its children.
///
/// A child that is *dead* or was cancelled counts as failed. A *blocked* one has not ended.
public enum JoinPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// When all have ended.
  case all
  /// When the first has ended, in whatever way.
  case first
  /// When all have ended, or as soon as one has failed.
  case failFast
}

extension JoinPolicy {
  /// Whether the run goes on after another child has ended.
  package func isMet(open: Int, hasFailed: Bool) -> Bool {
    switch self {
    case .all: open <= 0
    case .first: true
    case .failFast: open <= 0 || hasFailed
    }
  }

  /// The number that stands for the policy in a database, for ever.
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

/// A run's wait for the children that its stage has started.
public struct RunJoin: Sendable, Hashable, Codable {
  /// The number of the stage that has started the children.
  public var sequence: Int
  /// What the run waits for; nil once it goes on.
  public var policy: JoinPolicy?
  /// How many children have not ended; once the run goes on, how many had not.
  public var open: Int

  /// Makes a wait.
  public init(sequence: Int, policy: JoinPolicy?, open: Int) {
    self.sequence = sequence
    self.policy = policy
    self.open = open
  }
}
