public import Foundation

/// What a worker got.
public struct Claim: Sendable {
  /// The runs that are now its own until their leases end, those taken over first, then those
  /// longest due.
  public var runs: [ClaimedRun]
  /// When the next run of these flows is due that is not yet, by the caller's wall clock; nil when none is
  /// or only a signal can make it so.
  public var nextDueAt: Date?
  /// What waits in quarantine that the worker has room for and did not get.
  public var quarantined: Quarantined
  /// The schedules that are due, whatever flows the worker asks for; nil when none will ever be.
  public var schedules: DueSchedules?

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

/// A run that a worker has on a lease.
public struct ClaimedRun: Sendable, Hashable {
  /// The run as it stands: running, its fence counted up, this attempt counted in.
  public var record: RunRecord
  /// The oldest signal of the name that the run awaits; nil when it awaits none or there is none.
  public var signal: SignalRecord?
  /// Whether it is in quarantine: given with its group and nothing else.
  public var isCrashSuspected: Bool
  /// Whether it is tried alone, so that a crash counts as a lone one.
  public var isAlone: Bool

  /// Makes a claimed run.
  public init(
    record: RunRecord, signal: SignalRecord? = nil, isCrashSuspected: Bool = false,
    isAlone: Bool = false
  ) {
    self.record = record
    self.signal = signal
    self.isCrashSuspected = isCrashSuspected
    self.isAlone = isAlone
  }
}

/// A worker's hold on a run: one with an older fence is refused.
public struct RunClaim: Sendable, Hashable {
  /// Names the run.
  public var id: RunID
  /// The number of the stage that is worked on.
  public var sequence: Int
  /// The fence that the run was claimed with.
  public var fence: Int

  /// Makes a claim.
  public init(id: RunID, sequence: Int, fence: Int) {
    self.id = id
    self.sequence = sequence
    self.fence = fence
  }
}

/// A run given back without a step forward.
public struct Parking: Sendable, Hashable {
  /// Why it is given back.
  public enum Reason: Sendable, Hashable {
    /// The worker stops, or could not write what the work has come to; the attempt does not count.
    case shutdown
    /// The attempt failed; another may be made from that time on, by the caller's clock.
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
