import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Renews every lease after a third of it, and cuts short the work on an expired lease.
  ///
  /// It runs on the renewal thread, and so do all its callees.
  func keepLeases() async {
    await withDiscardingTaskGroup { group in
      while !hasNoMoreLeases {
        let uptime = time.uptime
        let (isHung, nextLook) = lookAtExecutor(at: uptime)
        var next = nextLook
        var renewals: [ActiveLease] = []
        for activeLease in activeLeases {
          switch activeLease.due(at: uptime, isRenewed: !isHung) {
          case .renewal:
            renewals.append(activeLease)
            let end = activeLease.leaseEndsAt
            next = min(next ?? end, end)
          case .expired: end(activeLease, .leaseEnded)
          case .nothing(let until?): next = min(next ?? until, until)
          case .nothing(nil): break
          }
        }
        if !renewals.isEmpty {
          if let look = probe(at: uptime) { next = min(next ?? look, look) }
          // Beside the loop: a journal that hangs must not keep the loop from noticing an expired
          // lease.
          for renewals in byShard(renewals) {
            group.addTask { await self.renew(renewals) }
          }
        }
        await leaseWakeEvent.wait(until: next, by: time, on: renewalExecutor)
      }
    }
  }

  /// Groups the leases by journal: a journal that hangs or fails delays no other.
  private func byShard(_ activeLeases: [ActiveLease]) -> [[ActiveLease]] {
    guard let routing = journal as? any RunRouting else { return [activeLeases] }
    let parts = Dictionary(grouping: activeLeases) { routing.shard(of: $0.claim.id) }
    return parts.sorted { $0.key < $1.key }.map(\.value)
  }

  private func renew(_ activeLeases: [ActiveLease]) async {
    let now = journalTime
    let claims = activeLeases.map(\.claim)
    do {
      let lost = Set(
        try await answer(on: renewalExecutor) { [journal, lease] in
          try await journal.renew(claims, lease: lease, at: now)
        })
      for (activeLease, claim) in zip(activeLeases, claims) {
        if activeLease.renewed(claim, isLost: lost.contains(claim), beganAt: now.uptime) {
          noteRefusal(of: "its renewal", on: claim)
          end(activeLease, .claimLost)
        }
      }
    } catch let error as JournalError where !error.isTransient {
      fail(with: error)
    } catch {
      // Also without an answer: work that ignores its cancellation keeps its lease.
      emitAside(.journalUnavailable(error: Self.text(of: error)))
      let next = time.uptime + lease / 12
      for activeLease in activeLeases { activeLease.renewalFailed(nextAt: next) }
    }
    leaseWakeEvent.signal()
    wakeHeldUpClaim()
  }

  /// Cuts short the work on a lost run, on another thread: cancelling may run code of the work.
  private func end(_ activeLease: ActiveLease, _ loss: RunnerEvent.Loss) {
    activeLease.end(.lost(loss)) { work in
      if let cancellations { cancellations.async { work.cancel() } } else { work.cancel() }
    }
  }
}

// MARK: The executor of the stages

extension RunnerSession {
  /// Reports an executor that does not run its jobs.
  ///
  /// - Returns: whether renewals have stopped, and when to look again.
  private func lookAtExecutor(at uptime: Duration) -> (isHung: Bool, next: Duration?) {
    let (finding, isHung, next) = executorWatch.withLock { watch in
      let finding = watch.look(at: uptime)
      return (finding, watch.isHung, watch.nextLook)
    }
    switch finding {
    case .heldUp(let wait): emitAside(.executorHeldUp(for: wait, isOver: false))
    case .hung(let wait): emitAside(.renewalStopped(heldUpFor: wait))
    case nil: break
    }
    return (isHung, next)
  }

  /// Sends a probe to the executor of the stages, unless one is still out.
  ///
  /// - Returns: when to check for its return; nil if one is out.
  private func probe(at uptime: Duration) -> Duration? {
    let next = executorWatch.withLock { watch in
      watch.ask(at: uptime) ? watch.nextLook : nil
    }
    guard next != nil else { return nil }
    Task(executorPreference: options.executor) {
      let wait = self.executorWatch.withLock { $0.answer(at: self.time.uptime) }
      guard let wait else { return }
      self.emitAside(.executorHeldUp(for: wait, isOver: true))
      self.leaseWakeEvent.signal()
    }
    return next
  }
}
