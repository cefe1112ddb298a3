import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Renews every lease at a third of it, and cuts short the work on a lease that has ended.
  ///
  /// It runs on the thread of the renewals, and so does all that it calls and awaits.
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
          // Beside the loop: a journal that hangs must not keep it from seeing a lease end.
          let renewals = renewals
          group.addTask { await self.renew(renewals) }
        }
        await leaseWakeEvent.wait(until: next, by: time, on: renewalExecutor)
      }
    }
  }

  private func renew(_ activeLeases: [ActiveLease]) async {
    let now = journalTime
    let claims = activeLeases.map(\.claim)
    do {
      let lost = Set(try await journal.renew(claims, lease: lease, at: now))
      for (activeLease, claim) in zip(activeLeases, claims) {
        if activeLease.renewed(claim, isLost: lost.contains(claim), beganAt: now.uptime) {
          end(activeLease, .claimLost)
        }
      }
    } catch let error as JournalError where !error.isTransient {
      fail(with: error)
    } catch {
      emit(.journalUnavailable(error: Self.text(of: error)))
      let next = time.uptime + lease / 12
      for activeLease in activeLeases { activeLease.renewalFailed(nextAt: next) }
    }
    leaseWakeEvent.signal()
    wakeHeldUpClaim()
  }

  /// Cuts short the work on a run that was lost, on another thread: the work may have set up what
  /// happens when it is cancelled.
  private func end(_ activeLease: ActiveLease, _ loss: RunnerEvent.Loss) {
    activeLease.end(.lost(loss)) { work in
      if let cancellations { cancellations.async { work.cancel() } } else { work.cancel() }
    }
  }
}

// MARK: The executor of the stages

extension RunnerSession {
  /// Tells of an executor that does not run what it is given.
  ///
  /// - Returns: whether leases are renewed no more, and when to look again.
  private func lookAtExecutor(at uptime: Duration) -> (isHung: Bool, next: Duration?) {
    let (finding, isHung, next) = executorWatch.withLock { watch in
      let finding = watch.look(at: uptime)
      return (finding, watch.isHung, watch.nextLook)
    }
    switch finding {
    case .heldUp(let wait): emit(.executorHeldUp(for: wait, isOver: false))
    case .hung(let wait): emit(.renewalStopped(heldUpFor: wait))
    case nil: break
    }
    return (isHung, next)
  }

  /// Puts a probe on the executor of the stages, unless one is out.
  ///
  /// - Returns: when to look whether it has come back; nil when one is out.
  private func probe(at uptime: Duration) -> Duration? {
    let next = executorWatch.withLock { watch in
      watch.ask(at: uptime) ? watch.nextLook : nil
    }
    guard next != nil else { return nil }
    Task(executorPreference: options.executor) {
      let wait = self.executorWatch.withLock { $0.answer(at: self.time.uptime) }
      guard let wait else { return }
      self.emit(.executorHeldUp(for: wait, isOver: true))
      self.leaseWakeEvent.signal()
    }
    return next
  }
}
