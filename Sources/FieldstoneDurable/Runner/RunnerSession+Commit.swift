import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Makes a checkpoint, and tries again while the lease lasts when the journal can't be used; at a
  /// shutdown for a second after the grace.
  ///
  /// - Returns: what became of the run, and the uptime at which the lease on the next stage began; nil
  ///   when the run was lost.
  /// - Throws: what is the attempt's own fault, and what a write throws.
  func commit(
    _ checkpoint: Checkpoint, of activeLease: ActiveLease
  ) async throws -> (receipt: CheckpointReceipt, leaseBeganAt: Duration)? {
    var backoff = Backoff(until: activeLease.leaseEndsAt)
    // When it was first asked for without an answer: since then it may be there, and its lease.
    var mayBeThereSince: Duration?
    while true {
      let now = journalTime
      do {
        return (try await journal.checkpoint(checkpoint, at: now), now.uptime)
      } catch JournalError.claimLost {
        if let mayBeThereSince {
          do {
            if let receipt = try await receipt(of: checkpoint) { return (receipt, mayBeThereSince) }
          } catch let error as JournalError where error.isTransient {
            if await pause(&backoff, after: error, of: activeLease) { continue }
          } catch {
            // It counts as lost; its lease ends by itself.
          }
        }
        report(.lost(.claimLost), of: activeLease)
        return nil
      } catch let error as JournalError where error.isTransient {
        // It may have been made all the same, with only the answer lost.
        mayBeThereSince = mayBeThereSince ?? now.uptime
        guard await pause(&backoff, after: error, of: activeLease) else {
          await giveUp(activeLease)
          return nil
        }
      }
    }
  }

  /// Gives a run back whose checkpoint could not be made while its lease lasted.
  ///
  /// A disk without room for a stage may have room for the little that this takes. The attempt does
  /// not count: a run must not be dead because a disk was full for long.
  private func giveUp(_ activeLease: ActiveLease) async {
    do {
      try await journal.park(Parking(claim: activeLease.claim, reason: .shutdown), at: journalTime)
      report(.parked, of: activeLease)
    } catch {
      // Its lease ends by itself; the worker that claims it next goes on.
      report(.lost(.leaseEnded), of: activeLease)
    }
  }

  /// What became of a run at a checkpoint of which no answer came; nil when it was not made.
  private func receipt(of checkpoint: Checkpoint) async throws -> CheckpointReceipt? {
    guard let record = try await journal.run(checkpoint.claim.id) else { return nil }
    let isNext =
      record.fence == checkpoint.claim.fence
      && record.sequence == checkpoint.claim.sequence + 1
      && record.payload == checkpoint.next.payload
    guard isNext else { return nil }
    switch (checkpoint.next, record.state) {
    // With the same fence only a pause can have taken it from this worker.
    case (.stage, .ready): return .paused
    case (.stage, .running), (.completion, .completed), (.waiting, .ready), (.receiving, .ready),
      (.joining, .ready):
      return .made
    default: return nil
    }
  }

  /// Gives a run back, and tries again while the lease lasts when the journal can't be used; at a
  /// shutdown for a second after the grace.
  func park(
    _ activeLease: ActiveLease, _ reason: Parking.Reason, as kind: RunnerEvent.Kind
  ) async {
    _ = activeLease.handIn()
    var backoff = Backoff(until: activeLease.leaseEndsAt)
    var mayBeThere = false
    while true {
      do {
        try await journal.park(Parking(claim: activeLease.claim, reason: reason), at: journalTime)
        return report(kind, of: activeLease)
      } catch let error as JournalError where error.isTransient {
        mayBeThere = true
        guard await pause(&backoff, after: error, of: activeLease) else {
          return report(.lost(.leaseEnded), of: activeLease)
        }
      } catch JournalError.claimLost {
        // Refused after an answer was lost, it has most likely been given back.
        return report(mayBeThere ? kind : .lost(.claimLost), of: activeLease)
      } catch {
        // Nothing can be done about it here; the lease ends by itself.
        emit(.journalUnavailable(error: Self.text(of: error)), flow: activeLease.flow)
        return
      }
    }
  }

  /// Waits before the next try; false when the lease has ended that it began with, or the runner ends.
  private func pause(
    _ backoff: inout Backoff, after error: JournalError, of activeLease: ActiveLease
  ) async -> Bool {
    report(.journalUnavailable(error: Self.text(of: error)), of: activeLease)
    let remaining = min(backoff.end, lastTryAt ?? backoff.end) - time.uptime
    guard remaining > .zero else { return false }
    // No more than what remains: the last try is made as the lease ends, and the fence guards it.
    try? await time.sleep(for: min(backoff.next(), remaining))
    return true
  }

  /// Ten milliseconds and then twice as long each time, up to a second.
  private struct Backoff {
    /// The lease may be prolonged meanwhile, which must not make it go on for ever.
    let end: Duration
    private var delay = Duration.milliseconds(10)

    init(until end: Duration) { self.end = end }

    mutating func next() -> Duration {
      defer { delay = min(delay * 2, .seconds(1)) }
      return delay
    }
  }
}
