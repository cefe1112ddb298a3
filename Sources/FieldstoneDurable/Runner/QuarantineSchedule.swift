/// Decides when a runner tries crash-suspected runs, which may have ended an earlier process.
///
/// They are tried a group at a time. First, other due runs have priority: for one lease if groups
/// of two or more wait, for ten if only single runs wait. Then it is the group's turn. The runs in
/// progress are given back after their stage. Nothing is claimed until all of them have ended, or
/// for a lease at most. Other runs continue at once beside a group of two or more. A single run is
/// tried alone, for ten leases at most.
///
/// If work is in progress after that lease, a group is tried beside it, but no single run. The next
/// time the worker waits for two leases, then for four, up to ten, and other runs have priority ten
/// times as long: so stages that overlap keep no run in quarantine for ever.
struct QuarantineSchedule {
  /// What a runner may do now.
  enum Turn: Equatable {
    /// Claim nothing until then, or until a run in progress has ended.
    case wait(until: Duration)
    case claim(ClaimRequest.Quarantine)
  }

  private enum Waiting: Equatable {
    case nothing
    /// Some wait; their turn is not before this uptime.
    case others(until: Duration)
    /// It is their turn, and runs in progress are given back until then.
    case draining(until: Duration)
    /// It is their turn now, beside the runs in progress.
    case due
  }

  private let lease: Duration
  /// The number of crashes that makes a run crash-suspected.
  private let crashes: Int
  private var waiting = Waiting.nothing
  /// The members of the group on trial whose stages are not done.
  private var trial: Set<RunID> = []
  /// Until when nothing is claimed beside a single run, at most.
  private var aloneEndsAt: Duration?
  /// How long the next turn waits for the runs in progress.
  private var drain: Duration
  /// The kinds of groups that wait, as far as claims have reported them.
  private var left = Claim.Quarantined.none

  init(lease: Duration, crashes: Int) {
    self.lease = lease
    self.crashes = crashes
    drain = lease
  }

  /// How long a single run is kept alone, and the longest wait for the runs in progress.
  private var patience: Duration { lease * 10 }

  /// Whether runs in progress are given back once their stage is done.
  var isDraining: Bool {
    if case .draining = waiting { true } else { false }
  }

  /// Whether a group can be claimed at once.
  var isTurn: Bool { isDraining || waiting == .due }

  /// When the turn of a group begins; nil unless other runs have priority.
  var nextTurnAt: Duration? {
    if case .others(let end) = waiting { end } else { nil }
  }

  mutating func turn(isIdle: Bool, at uptime: Duration) -> Turn {
    if !trial.isEmpty {
      if let aloneEndsAt, uptime < aloneEndsAt { return .wait(until: aloneEndsAt) }
      aloneEndsAt = nil
      return .claim(.left(after: crashes))
    }
    if case .others(let end) = waiting, uptime >= end { waiting = .draining(until: uptime + drain) }
    switch waiting {
    case .nothing, .others: return .claim(.left(after: crashes))
    case .draining(let end) where !isIdle && uptime < end: return .wait(until: end)
    case .draining, .due:
      return .claim(isIdle ? .alone(after: crashes) : .group(after: crashes))
    }
  }

  /// Takes the result of a claim that was made at an uptime.
  ///
  /// - Parameter wasForAllFlows: whether each flow had room. A claim does not report the
  ///   crash-suspected runs of a flow without room.
  mutating func take(
    _ claim: Claim, askedFor wanted: ClaimRequest.Quarantine, wasIdle: Bool, wasForAllFlows: Bool,
    at uptime: Duration
  ) {
    let members = claim.runs.filter(\.isCrashSuspected)
    if !members.isEmpty {
      trial = Set(members.map(\.record.id))
      waiting = .nothing
      drain = lease
      aloneEndsAt = members.contains(where: \.isAlone) ? uptime + patience : nil
      return
    }
    guard trial.isEmpty else { return }
    // Runs of a flow without room continue to wait.
    if claim.quarantined != .none || wasForAllFlows { left = claim.quarantined }
    if left != .lone {
      drain = lease
    } else if case .group = wanted {
      // Work in progress has outlasted the wait for it.
      drain = min(drain * 2, patience)
    }
    let wait = left == .lone ? drain * 10 : lease
    switch (wanted, claim.quarantined) {
    case (_, .none) where wasForAllFlows: waiting = .nothing
    case (.left, .none): break
    case (.left, .groups) where claim.runs.isEmpty: waiting = .due
    case (.left, .lone) where claim.runs.isEmpty && wasIdle: waiting = .due
    case (.left, _):
      if case .others(let end) = waiting {
        waiting = .others(until: min(end, uptime + wait))
      } else {
        waiting = .others(until: uptime + wait)
      }
    // It was the group's turn, but the claim gave no member.
    case (_, _): waiting = .others(until: uptime + wait)
    }
  }

  /// Removes a run from the trial: its stage is done, or this worker no longer has it.
  ///
  /// - Returns: true if it was the last of the group on trial.
  mutating func leaveTrial(_ id: RunID) -> Bool {
    guard trial.remove(id) != nil, trial.isEmpty else { return false }
    aloneEndsAt = nil
    return true
  }
}
