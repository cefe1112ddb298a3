public import Foundation

/// What a worker got.
public struct Claim: Sendable {
  /// The runs that are now its own until their leases end, those taken over first, then those
  /// longest due.
  public var runs: [ClaimedRun]
  /// When the next run of these flows is due that is not yet, by the wall clock; nil when none is
  /// or only a signal can make it so.
  public var nextDueAt: Date?
  /// What waits in quarantine that the worker has room for and did not get.
  public var quarantined: Quarantined

  /// Which groups of crash-suspected runs wait; a group that a living worker tries does not.
  public enum Quarantined: Sendable, Hashable {
    /// None.
    case none
    /// Only groups of one run, each of which is tried alone.
    case lone
    /// Groups of two runs or more, among others perhaps.
    case groups
  }

  /// Makes an answer.
  public init(runs: [ClaimedRun], nextDueAt: Date? = nil, quarantined: Quarantined = .none) {
    self.runs = runs
    self.nextDueAt = nextDueAt
    self.quarantined = quarantined
  }
}
