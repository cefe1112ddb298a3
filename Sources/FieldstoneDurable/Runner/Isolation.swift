/// When a runner works on suspects: runs that may have ended the process before it.
///
/// A suspect is worked on alone, so that it takes nobody with it; until its stage is done nothing
/// else is claimed. So that suspects never stop the others for long, they wait as long as others are
/// due, up to ``patience``; then it is their turn: whatever is under way is given back after its
/// stage, and nothing is claimed until nothing else is under way, for a lease at most.
struct Isolation {
  /// What a runner may do at a time.
  enum Turn: Equatable {
    /// Claim nothing, until then or until something under way has ended.
    case wait(until: Duration)
    case claim(ClaimRequest.Suspects)
  }

  private enum Suspects: Equatable {
    case none
    /// There are some; it is not their turn before this uptime.
    case waiting(until: Duration)
    /// It is their turn, until then.
    case due(until: Duration)
  }

  private let lease: Duration
  /// How many attempts make a suspect.
  private let attempts: Int
  private var suspects = Suspects.none
  /// How long nothing is claimed beside a suspect, at most.
  private var aloneEndsAt: Duration?

  init(lease: Duration, attempts: Int) {
    self.lease = lease
    self.attempts = attempts
  }

  /// For how long others go before suspects, and a suspect is kept alone.
  private var patience: Duration { lease * 10 }

  /// Whether what is under way is given back once its stage is done.
  var isSuspectsTurn: Bool {
    if case .due = suspects { true } else { false }
  }

  mutating func turn(isIdle: Bool, at uptime: Duration) -> Turn {
    if !isIdle, let aloneEndsAt, uptime < aloneEndsAt { return .wait(until: aloneEndsAt) }
    aloneEndsAt = nil
    if case .waiting(let end) = suspects, uptime >= end { suspects = .due(until: uptime + lease) }
    if case .due(let end) = suspects {
      if uptime < end {
        return isIdle ? .claim(.alone(after: attempts)) : .wait(until: end)
      }
      suspects = .waiting(until: uptime + patience)
    }
    return .claim(.left(after: attempts))
  }

  /// Takes what came of a claim that was asked for at an uptime.
  mutating func take(_ claim: Claim, wasIdle: Bool, at uptime: Duration) {
    if claim.runs.contains(where: \.isSuspect) { aloneEndsAt = uptime + patience }
    guard claim.leavesSuspects else {
      suspects = .none
      return
    }
    if isSuspectsTurn { return }
    if wasIdle, claim.runs.isEmpty {
      // Nobody is before them.
      suspects = .due(until: uptime + lease)
    } else if suspects == .none {
      suspects = .waiting(until: uptime + patience)
    }
  }

  /// The stage of whatever is under way is done; a suspect is none any more.
  ///
  /// - Returns: whether that was a suspect's.
  mutating func endAlone() -> Bool {
    aloneEndsAt.take() != nil
  }
}
