/// When a runner tries crash-suspected runs: those that may have ended the process before it.
///
/// They are tried a group at a time. Others that are due go first, for a lease where groups of two or
/// more wait, and for ten where only single runs do. Then it is the group's turn: what is under way is
/// given back after its stage, and nothing is claimed until nothing else is under way, for a lease at
/// most. Beside a group of two or more others go on at once. A single run is tried alone, for ten
/// leases at most.
struct QuarantineSchedule {
  /// What a runner may do at a time.
  enum Turn: Equatable {
    /// Claim nothing, until then or until something under way has ended.
    case wait(until: Duration)
    case claim(ClaimRequest.Quarantine)
  }

  private enum Waiting: Equatable {
    case nothing
    /// Some wait; it is not their turn before this uptime.
    case others(until: Duration)
    /// It is their turn, and what is under way is given back until then.
    case draining(until: Duration)
    /// It is their turn now, beside what is under way.
    case due
  }

  private let lease: Duration
  /// How many crashes make a crash-suspected run.
  private let crashes: Int
  private var waiting = Waiting.nothing
  /// The members of the group that is tried whose stages are not done.
  private var trial: Set<RunID> = []
  /// How long nothing is claimed beside a single run, at most.
  private var aloneEndsAt: Duration?

  init(lease: Duration, crashes: Int) {
    self.lease = lease
    self.crashes = crashes
  }

  /// How long others go before a single run, and how long one is kept alone.
  private var patience: Duration { lease * 10 }

  /// Whether what is under way is given back once its stage is done.
  var isDraining: Bool {
    if case .draining = waiting { true } else { false }
  }

  /// Whether there is something to claim at once.
  var isTurn: Bool { isDraining || waiting == .due }

  mutating func turn(isIdle: Bool, at uptime: Duration) -> Turn {
    if !trial.isEmpty {
      if let aloneEndsAt, uptime < aloneEndsAt { return .wait(until: aloneEndsAt) }
      aloneEndsAt = nil
      return .claim(.left(after: crashes))
    }
    if case .others(let end) = waiting, uptime >= end { waiting = .draining(until: uptime + lease) }
    switch waiting {
    case .nothing, .others: return .claim(.left(after: crashes))
    case .draining(let end) where !isIdle && uptime < end: return .wait(until: end)
    case .draining, .due:
      return .claim(isIdle ? .alone(after: crashes) : .group(after: crashes))
    }
  }

  /// Takes what came of a claim that was asked for at an uptime.
  ///
  /// - Parameter wasForAllFlows: whether each flow had room. A claim says nothing of the
  ///   crash-suspected runs of a flow that had none.
  mutating func take(
    _ claim: Claim, askedFor wanted: ClaimRequest.Quarantine, wasIdle: Bool, wasForAllFlows: Bool,
    at uptime: Duration
  ) {
    let members = claim.runs.filter(\.isCrashSuspected)
    if !members.isEmpty {
      trial = Set(members.map(\.record.id))
      waiting = .nothing
      aloneEndsAt = members.contains(where: \.isAlone) ? uptime + patience : nil
      return
    }
    guard trial.isEmpty else { return }
    let wait = claim.quarantined == .groups ? lease : patience
    switch (wanted, claim.quarantined) {
    case (_, .none) where wasForAllFlows: waiting = .nothing
    // Those of a flow without room go on waiting.
    case (.left, .none): break
    case (.group, .none): waiting = .others(until: uptime + lease)
    case (.left, .groups) where claim.runs.isEmpty: waiting = .due
    case (.left, .lone) where claim.runs.isEmpty && wasIdle: waiting = .due
    case (.left, _):
      if case .others(let end) = waiting {
        waiting = .others(until: min(end, uptime + wait))
      } else {
        waiting = .others(until: uptime + wait)
      }
    // It was its turn, and it was not to be had.
    case (_, _): waiting = .others(until: uptime + wait)
    }
  }

  /// The stage of a run is done, or the run is no longer here.
  ///
  /// - Returns: whether that was the last of the group that is tried.
  mutating func leaveTrial(_ id: RunID) -> Bool {
    guard trial.remove(id) != nil, trial.isEmpty else { return false }
    aloneEndsAt = nil
    return true
  }
}
