import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Makes a checkpoint, and tries again while the lease lasts when the journal can't be used.
  ///
  /// - Returns: the uptime at which the lease on the next stage began; nil when the run was lost.
  /// - Throws: what is the attempt's own fault, and what a write throws.
  func commit(_ checkpoint: Checkpoint, of holding: Holding) async throws -> Duration? {
    var backoff = Backoff(until: holding.leaseEndsAt)
    // When it was first asked for without an answer: since then it may be there, and its lease.
    var mayBeThereSince: Duration?
    while true {
      let now = journalTime
      do {
        try await journal.checkpoint(checkpoint, at: now)
        return now.uptime
      } catch JournalError.claimLost {
        if let mayBeThereSince, await isThere(checkpoint) { return mayBeThereSince }
        report(.lost(.claimLost), of: holding)
        return nil
      } catch let error as JournalError where error.mayPass {
        // It may have been made all the same, with only the answer lost.
        mayBeThereSince = mayBeThereSince ?? now.uptime
        guard await pause(&backoff, after: error, of: holding) else {
          await giveUp(holding)
          return nil
        }
      }
    }
  }

  /// Gives a run back whose checkpoint could not be made while its lease lasted.
  ///
  /// A disk without room for a stage may have room for the little that this takes. The attempt does
  /// not count: a run must not be dead because a disk was full for long.
  private func giveUp(_ holding: Holding) async {
    do {
      try await journal.park(Parking(claim: holding.claim, reason: .shutdown), at: journalTime)
      report(.parked, of: holding)
    } catch {
      // Its lease has ended; whoever claims it next goes on.
      report(.lost(.leaseEnded), of: holding)
    }
  }

  /// Whether a checkpoint was made of which no answer came.
  private func isThere(_ checkpoint: Checkpoint) async -> Bool {
    // When the journal can't be asked the run counts as lost; its lease ends by itself.
    guard let record = try? await journal.run(checkpoint.claim.id) else { return false }
    let isNext =
      record.fence == checkpoint.claim.fence
      && record.sequence == checkpoint.claim.sequence + 1
      && record.payload == checkpoint.next.payload
    switch checkpoint.next {
    case .stage: return isNext && record.state == .running
    case .completion: return isNext && record.state == .completed
    case .waiting, .receiving: return isNext && record.state == .ready
    }
  }

  /// Gives a run back, and tries again while the lease lasts when the journal can't be used.
  func park(
    _ holding: Holding, _ reason: Parking.Reason, as kind: RunnerEvent.Kind
  ) async {
    _ = holding.handIn()
    var backoff = Backoff(until: holding.leaseEndsAt)
    var mayBeThere = false
    while true {
      do {
        try await journal.park(Parking(claim: holding.claim, reason: reason), at: journalTime)
        return report(kind, of: holding)
      } catch let error as JournalError where error.mayPass {
        mayBeThere = true
        guard await pause(&backoff, after: error, of: holding) else {
          return report(.lost(.leaseEnded), of: holding)
        }
      } catch JournalError.claimLost {
        // Refused after an answer was lost, it has most likely been given back.
        return report(mayBeThere ? kind : .lost(.claimLost), of: holding)
      } catch {
        // Nothing can be done about it here; the lease ends by itself.
        emit(.journalUnavailable(error: Self.text(of: error)), flow: holding.flow)
        return
      }
    }
  }

  /// Waits before the next try; false when the lease has ended that it began with.
  private func pause(
    _ backoff: inout Backoff, after error: JournalError, of holding: Holding
  ) async -> Bool {
    report(.journalUnavailable(error: Self.text(of: error)), of: holding)
    let remaining = backoff.end - time.uptime
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
