import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Writes a checkpoint, and retries while the lease lasts if the journal is unavailable; after a
  /// shutdown's grace, for one second.
  ///
  /// - Returns: the run's new state, and the uptime at which the lease on the next stage began; nil
  ///   if the run was lost.
  /// - Throws: errors that are the attempt's own fault, and write errors.
  func commit(
    _ checkpoint: Checkpoint, of activeLease: ActiveLease
  ) async throws -> (receipt: CheckpointReceipt, leaseBeganAt: Duration)? {
    var backoff = Backoff(from: time.uptime, until: activeLease.leaseEndsAt)
    // The uptime of the first try without an answer: the checkpoint and its lease may exist since
    // then.
    var mayBeThereSince: Duration?
    while true {
      let now = journalTime
      do {
        // Asked here, too: most checkpoints need no closure that outlives this function.
        guard isStopping else {
          return (try await journal.checkpoint(checkpoint, at: now), now.uptime)
        }
        let receipt = try await answer { [journal] in
          try await journal.checkpoint(checkpoint, at: now)
        }
        return (receipt, now.uptime)
      } catch is FarewellEnded {
        // It may still be written; then the lease on the next stage expires.
        report(.lost(.leaseEnded), of: activeLease)
        return nil
      } catch JournalError.claimLost {
        if let mayBeThereSince {
          do {
            let receipt = try await answer { try await self.receipt(of: checkpoint) }
            if let receipt { return (receipt, mayBeThereSince) }
          } catch let error as JournalError where error.isTransient {
            if await pause(&backoff, after: error, of: activeLease) { continue }
          } catch {
            // The run counts as lost; its lease expires.
          }
        }
        noteRefusal(of: "its checkpoint", on: checkpoint.claim)
        report(.lost(.claimLost), of: activeLease)
        return nil
      } catch let error as JournalError where error.isTransient || error.isMissingRight {
        // The checkpoint may have been written with only the answer lost.
        mayBeThereSince = mayBeThereSince ?? now.uptime
        guard await pause(&backoff, after: error, of: activeLease) else {
          await giveUp(activeLease)
          return nil
        }
      }
    }
  }

  /// Gives back a run whose checkpoint could not be written while its lease lasted.
  ///
  /// A disk without room for a stage may have room for this small write. The attempt does not
  /// count: a full disk must not make a run dead.
  private func giveUp(_ activeLease: ActiveLease) async {
    reports.hold(PendingReports.Claim(activeLease.claim))
    do {
      let (parking, now) = (Parking(claim: activeLease.claim, reason: .shutdown), journalTime)
      try await answer { [journal] in try await journal.park(parking, at: now) }
      activeLease.giveBack()
      report(.parked, of: activeLease)
    } catch {
      // The lease expires; the worker that claims the run next continues it.
      report(.lost(.leaseEnded), of: activeLease)
    }
  }

  /// The result of a checkpoint without an answer; nil if it was not written.
  private func receipt(of checkpoint: Checkpoint) async throws -> CheckpointReceipt? {
    let claim = checkpoint.claim
    guard let record = try await journal.run(claim.id) else { return nil }
    if record.fence > claim.fence {
      // Another worker has claimed the run. The checkpoint was made if this claim left the stage.
      let before = claim.sequence > 0 ? claim.sequence - 1 : nil
      let steps = try await journal.steps(of: claim.id, after: before, limit: 1).steps
      let isLeft = steps.contains {
        $0.sequence == claim.sequence && $0.fence == claim.fence && $0.kind == .done
      }
      // The next stage would be this worker's, if a pause had not taken the run.
      return isLeft ? (checkpoint.next.isStage ? .paused : .made) : nil
    }
    let isNext =
      record.fence == claim.fence
      && record.sequence == claim.sequence + 1
      && record.payload == checkpoint.next.payload
    guard isNext else { return nil }
    switch (checkpoint.next, record.state) {
    // With the same fence, only a pause can have taken the run from this worker.
    case (.stage, .ready): return .paused
    case (.stage, .running), (.completion, .completed), (.waiting, .ready), (.receiving, .ready),
      (.joining, .ready):
      return .made
    default: return nil
    }
  }

  /// Gives a run back, and retries while the lease lasts if the journal is unavailable; after a
  /// shutdown's grace, for one second.
  func park(
    _ activeLease: ActiveLease, _ reason: Parking.Reason, as kind: RunnerEvent.Kind
  ) async {
    _ = activeLease.handIn()
    reports.hold(PendingReports.Claim(activeLease.claim))
    let line = line(about: reason, as: kind, of: activeLease.claim)
    var backoff = Backoff(from: time.uptime, until: activeLease.leaseEndsAt)
    var mayBeThere = false
    while true {
      do {
        let now = journalTime
        try await answer { [journal, claim = activeLease.claim] in
          try await journal.park(Parking(claim: claim, reason: reason, line: line), at: now)
        }
        activeLease.giveBack()
        return report(kind, of: activeLease)
      } catch let error as JournalError where error.isTransient {
        mayBeThere = true
        guard await pause(&backoff, after: error, of: activeLease) else {
          return report(.lost(.leaseEnded), of: activeLease)
        }
      } catch JournalError.claimLost {
        // Refused after an answer was lost: most likely the run has been given back.
        if mayBeThere {
          activeLease.giveBack()
          return report(kind, of: activeLease)
        }
        noteRefusal(of: "its return", on: activeLease.claim)
        return report(.lost(.claimLost), of: activeLease)
      } catch is FarewellEnded {
        return report(.lost(.leaseEnded), of: activeLease)
      } catch {
        // Nothing more can be done here; the lease expires.
        emit(.journalUnavailable(error: Self.text(of: error)), flow: activeLease.flow)
        return report(.lost(.leaseEnded), of: activeLease)
      }
    }
  }

  /// Waits before the next try; false if the lease of the first try has expired or the runner ends.
  private func pause(
    _ backoff: inout Backoff, after error: JournalError, of activeLease: ActiveLease
  ) async -> Bool {
    report(.journalUnavailable(error: Self.text(of: error)), of: activeLease)
    let lastTryAt = lastTryAt(since: backoff.beganAt) ?? backoff.end
    let remaining = min(backoff.end, lastTryAt) - time.uptime
    guard remaining > .zero else { return false }
    // At most the remaining time: the last try is made as the lease expires, and the fence guards
    // it.
    try? await time.sleep(for: min(backoff.next(), remaining))
    return true
  }

  /// Ten milliseconds, then twice as long each time, up to a second.
  private struct Backoff {
    let beganAt: Duration
    /// Fixed at the start: a lease that is renewed meanwhile must not extend it for ever.
    let end: Duration
    private var delay = Duration.milliseconds(10)

    init(from beganAt: Duration, until end: Duration) {
      self.beganAt = beganAt
      self.end = end
    }

    mutating func next() -> Duration {
      defer { delay = min(delay * 2, .seconds(1)) }
      return delay
    }
  }
}

extension Checkpoint.Next {
  /// Whether this worker goes on with another stage.
  fileprivate var isStage: Bool { if case .stage = self { true } else { false } }
}

extension JournalError {
  /// A right that a role lacks may be granted; the attempts of a run don't depend on it.
  fileprivate var isMissingRight: Bool { if case .notPermitted = self { true } else { false } }
}
