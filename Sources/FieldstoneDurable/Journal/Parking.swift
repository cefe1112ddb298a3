public import Foundation

/// A run given back without a step forward.
public struct Parking: Sendable, Hashable {
  /// Why it is given back.
  public enum Reason: Sendable, Hashable {
    /// The worker stops, or could not write what the work has come to; the attempt does not count.
    case shutdown
    /// The attempt failed; another may be made from that time on.
    case retry(at: Date, error: String)
    /// The attempt failed, and there will be no other.
    case dead(error: String)
    /// There will be no attempt: the budget is used up, or workers have died of the run alone; the
    /// attempt does not count.
    case exhausted(error: String)
    /// The stage can't be read; the attempt does not count.
    case blocked(error: String)
  }

  /// Whose run it is.
  public var claim: RunClaim
  /// Why it is given back.
  public var reason: Reason

  /// Makes a parking.
  public init(claim: RunClaim, reason: Reason) {
    self.claim = claim
    self.reason = reason
  }
}
