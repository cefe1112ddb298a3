public import Foundation

/// What a worker got.
public struct Claim: Sendable {
  /// The runs that are now its own until their leases end, those longest due first.
  public var runs: [ClaimedRun]
  /// When the next run of these flows is due that is not yet, by the wall clock.
  public var nextDueAt: Date?

  /// Makes an answer.
  public init(runs: [ClaimedRun], nextDueAt: Date? = nil) {
    self.runs = runs
    self.nextDueAt = nextDueAt
  }
}
