public import Foundation

/// What a worker got.
public struct Claim: Sendable {
  /// The runs that are now its own until their leases end, those taken over first, then those
  /// longest due.
  public var runs: [ClaimedRun]
  /// When the next run of these flows is due that is not yet, by the wall clock; nil when none is
  /// or only a signal can make it so.
  public var nextDueAt: Date?
  /// Whether there are suspects that the worker has room for and did not get.
  public var leavesSuspects: Bool

  /// Makes an answer.
  public init(runs: [ClaimedRun], nextDueAt: Date? = nil, leavesSuspects: Bool = false) {
    self.runs = runs
    self.nextDueAt = nextDueAt
    self.leavesSuspects = leavesSuspects
  }
}
