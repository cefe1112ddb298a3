import FieldstoneCore
import Foundation

/// A run that this worker holds: its claim, its lease and the work on it.
///
/// The driving task advances it; the renewal of leases and a shutdown may end its work.
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
    /// The number of the attempt at the stage, including crashes.
    var attempt: Int
    /// The uptime at which the stage was claimed, or the one before it was checkpointed.
    var stageBeganAt: Duration
    var isRenewing = false
    /// The driver has the claim: its checkpoint decides whether the claim still holds.
    var isHandedIn = false
    /// The renewals no longer watch it, unless the driver continues it.
    var isUnwatched = false
    /// The journal has taken the run back.
    var isGivenBack = false
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
        leaseEndsAt: beganAt + lease, renewAt: beganAt + lease / 3,
        attempt: record.attempts + record.crashes, stageBeganAt: beganAt))
  }

  var claim: RunClaim { state.withLock { $0.claim } }
  var leaseEndsAt: Duration { state.withLock { $0.leaseEndsAt } }
  var isGivenBack: Bool { state.withLock { $0.isGivenBack } }
  var ending: Ending? { state.withLock { $0.ending } }

  /// The run for tools that show it, at a moment.
  func held(at date: Date, uptime: Duration) -> RunnerStanding.Held {
    let (claim, attempt, beganAt, endsAt) = state.withLock {
      ($0.claim, $0.attempt, $0.stageBeganAt, $0.leaseEndsAt)
    }
    return RunnerStanding.Held(
      run: claim.id, flow: flow, sequence: claim.sequence, attempt: attempt,
      since: date.addingTimeInterval((beganAt - uptime) / .seconds(1)),
      leaseLeft: max(.zero, endsAt - uptime))
  }
}

extension ActiveLease {
  /// Takes work that has begun, to be cut short later, or at once if the run has already ended.
  func take(_ work: StageWork) {
    let (isEnded, former) = state.withLock { state in
      let former = state.work.take()
      state.work = work
      return (state.ending != nil && !state.isHandedIn, former)
    }
    // Releasing the work's objects may run their own code: not under the lock.
    withExtendedLifetime(former) {}
    if isEnded { work.cancel() }
  }

  /// Cuts the work short; a loss overrides a shutdown.
  ///
  /// Work that has handed its claim in is not cancelled: the driver finds the ending before the
  /// next stage.
  ///
  /// - Parameter cancel: cancels the work, which may run the work's own code.
  func end(_ ending: Ending, cancel: (StageWork) -> Void = { $0.cancel() }) {
    let work: StageWork? = state.withLock { state in
      if case .lost = state.ending { return nil }
      state.ending = ending
      return state.isHandedIn ? nil : state.work
    }
    if let work { cancel(work) }
  }

  /// Ends the work on a stage: from now on the driving task decides about the claim.
  ///
  /// - Returns: the reason for which it was cut short, if it was.
  func handIn() -> Ending? {
    state.withLock { state in
      state.isHandedIn = true
      return state.ending
    }
  }

  /// Notes that the journal has taken the run back from this worker, which did not lose it.
  func giveBack() { state.withLock { $0.isGivenBack = true } }

  /// Continues with the next stage, on a lease that began at the given uptime.
  ///
  /// - Returns: true if the renewals have to check the lease again: it must be renewed sooner than
  ///   before, or it had expired during the checkpoint.
  func advance(leaseBeganAt: Duration) -> Bool {
    state.withLock { state in
      state.claim.sequence += 1
      state.attempt = 1
      state.stageBeganAt = leaseBeganAt
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
  /// The action that a lease needs.
  enum Due: Sendable, Equatable {
    case nothing(until: Duration?)
    case renewal
    case expired
  }

  /// The action that the lease needs at an uptime; a renewal counts as begun.
  ///
  /// A lease is also renewed while the driver has its claim. The driver may wait for a blocked
  /// thread, and needs the lease afterwards.
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

  /// Takes the answer to a renewal of a claim, which may have advanced since.
  ///
  /// - Returns: true if the work on it must be cut short.
  func renewed(_ claim: RunClaim, isLost: Bool, beganAt: Duration) -> Bool {
    state.withLock { state in
      state.isRenewing = false
      guard state.claim == claim else { return false }
      if isLost {
        // Nothing is left to renew. The driver's own checkpoint may have given the run back.
        state.renewAt = state.leaseEndsAt
        return !state.isHandedIn
      }
      state.leaseEndsAt = max(state.leaseEndsAt, beganAt + lease)
      state.renewAt = max(state.renewAt, beganAt + lease / 3)
      return false
    }
  }

  /// Notes that a renewal failed; the next one is tried at the given uptime.
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
