public import Foundation

/// The result of a worker's claim.
public struct Claim: Sendable {
  /// The claimed runs, which the worker holds until their leases expire.
  ///
  /// Runs that were taken over come first, then those longest due.
  public var runs: [ClaimedRun]
  /// When the next run of these flows becomes due, by the caller's wall clock.
  ///
  /// Nil if there is none, or if only a signal can make it due. A time that has passed says that the
  /// claim has stopped at a bound of its own, and that the next one goes on.
  public var nextDueAt: Date?
  /// The quarantined groups that the worker has room for and did not get.
  public var quarantined: Quarantined
  /// The due schedules, whatever flows the worker requests; nil if none will ever be due.
  public var schedules: DueSchedules?

  /// The kinds of waiting groups of crash-suspected runs, except groups that a living worker tries.
  public enum Quarantined: Sendable, Hashable {
    /// None.
    case none
    /// Only groups of one run, each of which is tried alone.
    case lone
    /// Groups of two runs or more, and possibly others.
    case groups
  }

  /// Makes an answer.
  public init(runs: [ClaimedRun], nextDueAt: Date? = nil, quarantined: Quarantined = .none) {
    self.runs = runs
    self.nextDueAt = nextDueAt
    self.quarantined = quarantined
  }
}

/// A run that a worker holds on a lease.
public struct ClaimedRun: Sendable, Hashable {
  /// The run's current record: running, with this claim's fence and including this attempt.
  public var record: RunRecord
  /// The oldest signal of an awaited name; nil if there is none.
  public var signal: SignalRecord?
  /// Whether it is in quarantine: given with its group only.
  public var isCrashSuspected: Bool
  /// Whether it is tried alone, so that a crash counts as a lone one.
  public var isAlone: Bool
  /// The worker that held it when its lease ended or it died; nil if the run was not taken over, and
  /// in a journal of another module.
  package var takenFrom: String?

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

/// A worker's claim of a run; a claim with an older fence is refused.
public struct RunClaim: Sendable, Hashable {
  /// Identifies the run.
  public var id: RunID
  /// The number of the claimed stage.
  public var sequence: Int
  /// The fence of the claim.
  public var fence: Int

  /// Makes a claim.
  public init(id: RunID, sequence: Int, fence: Int) {
    self.id = id
    self.sequence = sequence
    self.fence = fence
  }
}

/// A run that is given back at its current stage.
public struct Parking: Sendable, Hashable {
  /// The reason for giving it back.
  public enum Reason: Sendable, Hashable {
    /// The worker stops, or could not write the work's result; the attempt does not count.
    case shutdown
    /// The attempt failed; another may begin at that time, by the caller's clock.
    case retry(at: Date, error: String)
    /// The attempt failed, and there will be no other.
    case dead(error: String)
    /// There will be no attempt: the budget is used up, or the run has ended workers during lone
    /// trials; this attempt does not count.
    case exhausted(error: String)
    /// The stage can't be read; the attempt does not count.
    case blocked(error: String)
  }

  /// The claim of the run.
  public var claim: RunClaim
  /// The reason for giving it back.
  public var reason: Reason
  /// A line about the attempt, which is written with it; nil for none.
  ///
  /// A journal that keeps reports adds it to those of the run, see ``Journal/write(_:at:)``.
  public var line: RunLogLine?
  /// The fingerprint of an encoded error; nil to compute it from the text.
  package var encodedFingerprint: ErrorFingerprint?

  /// Makes a parking.
  public init(claim: RunClaim, reason: Reason, line: RunLogLine? = nil) {
    self.claim = claim
    self.reason = reason
    self.line = line
  }
}

extension Parking {
  /// The report that has its line.
  package var report: RunReportWrite? {
    line.map { RunReportWrite(run: claim.id, fence: claim.fence, lines: [$0]) }
  }

  /// The fingerprint that a journal stores for a dead or blocked run; nil for other runs.
  package var fingerprint: ErrorFingerprint? {
    switch reason {
    case .shutdown, .retry: nil
    case .dead(let error), .exhausted(let error), .blocked(let error):
      encodedFingerprint ?? ErrorFingerprint(of: error)
    }
  }
}
