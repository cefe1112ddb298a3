import FieldstoneCore

/// A run that this worker has: its claim, its lease, and the work on it.
///
/// The task that drives the run moves it on; the renewal of leases, and a shutdown, may end the
/// work on it.
final class ActiveLease: Sendable {
  /// Why work was cut short.
  enum Ending: Sendable, Equatable {
    case shutdown
    case lost(RunnerEvent.Loss)
  }

  private struct State {
    var claim: RunClaim
    var leaseEndsAt: Duration
    var renewAt: Duration
    var isRenewing = false
    /// The claim is in the driver's hands: its checkpoint tells whether it still holds.
    var isHandedIn = false
    /// The renewals do not look at it any more, unless the driver goes on with it.
    var isUnwatched = false
    var work: StageWork?
    var ending: Ending?
  }

  let flow: String
  let trace: [String: String]
  let lease: Duration
  private let state: Locked<State>

  init(_ record: RunRecord, lease: Duration, beganAt: Duration) {
    flow = record.flow
    trace = record.trace
    self.lease = lease
    state = Locked(
      State(
        claim: RunClaim(id: record.id, sequence: record.sequence, fence: record.fence),
        leaseEndsAt: beganAt + lease, renewAt: beganAt + lease / 3))
  }

  var claim: RunClaim { state.withLock { $0.claim } }
  var leaseEndsAt: Duration { state.withLock { $0.leaseEndsAt } }
  var ending: Ending? { state.withLock { $0.ending } }
}

extension ActiveLease {
  /// Takes work that has begun, so that it can be cut short; at once when the run has ended before.
  func take(_ work: StageWork) {
    let (isEnded, former) = state.withLock { state in
      let former = state.work.take()
      state.work = work
      return (state.ending != nil && !state.isHandedIn, former)
    }
    // What work holds may run code of its own when it goes: not under the lock.
    withExtendedLifetime(former) {}
    if isEnded { work.cancel() }
  }

  /// Cuts the work short; being lost overrides a shutdown.
  ///
  /// Work that has handed its claim in is not cancelled: it finds the ending before its next stage.
  ///
  /// - Parameter cancel: cancels the work, and so may run code of its own.
  func end(_ ending: Ending, cancel: (StageWork) -> Void = { $0.cancel() }) {
    let work: StageWork? = state.withLock { state in
      if case .lost = state.ending { return nil }
      state.ending = ending
      return state.isHandedIn ? nil : state.work
    }
    if let work { cancel(work) }
  }

  /// The work on a stage has ended: from now on the driving task decides about the claim.
  ///
  /// - Returns: what had cut it short, if anything had.
  func handIn() -> Ending? {
    state.withLock { state in
      state.isHandedIn = true
      return state.ending
    }
  }

  /// Goes on to the next stage, on a lease that began then.
  ///
  /// - Returns: whether the renewals have to look at the lease again: it is to be renewed sooner than
  ///   before, or it had ended while the checkpoint was made.
  func advance(leaseBeganAt: Duration) -> Bool {
    state.withLock { state in
      state.claim.sequence += 1
      state.isHandedIn = false
      state.leaseEndsAt = leaseBeganAt + lease
      let renewAt = leaseBeganAt + lease / 3
      defer {
        state.renewAt = renewAt
        state.isUnwatched = false
      }
      return state.isUnwatched || renewAt < state.renewAt
    }
  }
}

extension ActiveLease {
  /// What is to be done about a lease.
  enum Due: Sendable, Equatable {
    case nothing(until: Duration?)
    case renewal
    case expired
  }

  /// What is to be done about the lease at an uptime; a renewal counts as begun.
  ///
  /// A lease is renewed also while its claim is with the driver: the driver may wait for a thread that
  /// others block, and needs the lease for what follows.
  ///
  /// - Parameter isRenewed: whether leases are renewed at all.
  func due(at uptime: Duration, isRenewed: Bool) -> Due {
    state.withLock { state in
      if state.ending.isLost { return .nothing(until: nil) }
      if uptime >= state.leaseEndsAt {
        guard state.isHandedIn else { return .expired }
        state.isUnwatched = true
        return .nothing(until: nil)
      }
      if state.isRenewing || !isRenewed { return .nothing(until: state.leaseEndsAt) }
      if uptime >= state.renewAt {
        state.isRenewing = true
        return .renewal
      }
      return .nothing(until: min(state.renewAt, state.leaseEndsAt))
    }
  }

  /// Takes the answer to a renewal of a claim that may have moved on since.
  ///
  /// - Returns: whether the work on it is to be cut short.
  func renewed(_ claim: RunClaim, isLost: Bool, beganAt: Duration) -> Bool {
    state.withLock { state in
      state.isRenewing = false
      guard state.claim == claim else { return false }
      if isLost {
        // There is nothing to renew any more. The driver's own checkpoint may have given it back.
        state.renewAt = state.leaseEndsAt
        return !state.isHandedIn
      }
      state.leaseEndsAt = max(state.leaseEndsAt, beganAt + lease)
      state.renewAt = max(state.renewAt, beganAt + lease / 3)
      return false
    }
  }

  /// A renewal could not be made; the next is tried then.
  func renewalFailed(nextAt: Duration) {
    state.withLock { state in
      state.isRenewing = false
      state.renewAt = max(state.renewAt, nextAt)
    }
  }
}

extension ActiveLease.Ending? {
  fileprivate var isLost: Bool {
    if case .lost = self { true } else { false }
  }
}
