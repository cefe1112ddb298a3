import Foundation

extension InMemoryRuns {
  mutating func checkpoint(
    _ checkpoint: Checkpoint, within limits: PayloadLimits, at time: JournalTime
  ) throws(JournalError) -> CheckpointReceipt {
    let receipt = try leaveStage(by: checkpoint, within: limits, at: time)
    startChildren(checkpoint, at: time)
    for start in checkpoint.starts { _ = self.start(start, at: time) }
    for signal in checkpoint.signals { _ = try self.signal(signal.run, signal.signal, at: time) }
    return receipt
  }

  /// Moves a run on to what follows its stage.
  private mutating func leaveStage(
    by checkpoint: Checkpoint, within limits: PayloadLimits, at time: JournalTime
  ) throws(JournalError) -> CheckpointReceipt {
    var run = try held(by: checkpoint.claim)
    try checkChildren(of: checkpoint, leaving: run, limits)
    try checkSignals(of: checkpoint, leaving: run)
    // The chain and the signals are changed in place: copying them would take O(n) in their number.
    all[run.record.id]?.steps = []
    all[run.record.id]?.signals = InMemorySignals()
    for id in checkpoint.consumedSignals { run.signals.consume(id) }
    run.leave(.done, beganAt: checkpoint.beganAt, endedAt: time.date)
    run.record.version = checkpoint.version
    run.record.payload = checkpoint.next.payload
    run.record.awaitedSignals = []
    run.record.join = nil
    var receipt = CheckpointReceipt.made
    switch checkpoint.next {
    case .stage where isPaused(run.record):
      run.release(to: .ready, at: time)
      receipt = .paused
    case .stage:
      run.record.attempts = 1
      run.lease = InMemoryRun.Lease(checkpoint.lease, from: time)
    case .waiting(_, let date):
      run.release(to: .ready, due: date, at: time)
    case .receiving(_, let names, let date):
      run.record.awaitedSignals = names
      run.release(to: .ready, due: date ?? .distantFuture, at: time)
    case .joining(_, let join):
      run.record.join = join.record(at: checkpoint.claim.sequence)
      run.release(to: .ready, due: join.dueAt, at: time)
    case .completion:
      run.release(to: .completed, at: time)
    }
    put(run)
    return receipt
  }

  /// Throws for a checkpoint with a signal that will be refused, before anything is changed.
  private func checkSignals(
    of checkpoint: Checkpoint, leaving run: InMemoryRun
  ) throws(JournalError) {
    guard !checkpoint.signals.isEmpty else { return }
    let started = runs(startedBy: checkpoint)
    // The names of signals in the checkpoint itself: two may have one identifier.
    var names: [RunID: [[UInt8]: String]] = [:]
    for sent in checkpoint.signals {
      let (id, signal) = (sent.run, sent.signal)
      let key = Array(signal.id.utf8)
      let known = all[id]?.signals.name(of: signal.id) ?? names[id]?[key]
      if let known, !known.utf8.elementsEqual(signal.name.utf8) {
        throw .signalTaken(id: signal.id, name: known)
      }
      if known != nil { continue }
      names[id, default: [:]][key] = signal.name
      if let state = all[id]?.record.state {
        let isItself = id == run.record.id
        if state.isOver || (isItself && checkpoint.next.isCompletion) {
          throw .notAllowed(id, state: isItself ? .completed : state, action: "signalled")
        }
      } else if !started.contains(id) {
        throw .noRun(id)
      }
    }
  }

  mutating func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) -> [RunClaim] {
    cancelLate(among: Set(claims.map(\.id)), at: time)
    return claims.filter { claim in
      guard let run = all[claim.id], run.isHeld(by: claim) else { return true }
      let renewed = InMemoryRun.Lease(lease, from: time)
      all[claim.id]?.lease?.prolong(to: renewed)
      return false
    }
  }

  mutating func park(_ parking: Parking, at time: JournalTime) throws(JournalError) {
    var run = try held(by: parking.claim)
    run.fingerprint = parking.fingerprint
    switch parking.reason {
    case .shutdown:
      run.record.attempts -= 1
      run.release(to: .ready, at: time)
    case .retry(let date, let error):
      run.record.error = error
      run.clear()
      run.release(to: .ready, due: date, at: time)
    case .dead(let error):
      run.record.error = error
      run.release(to: .dead, at: time)
    case .exhausted(let error):
      run.record.attempts -= 1
      run.record.error = error
      run.release(to: .dead, at: time)
    case .blocked(let error):
      run.record.attempts -= 1
      run.record.error = error
      run.clear()
      run.release(to: .blocked, at: time)
    }
    put(run)
  }

  mutating func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) throws(JournalError) -> SignalReceipt {
    // The record alone: a copy of the run would share its signals, which are changed in place.
    guard let record = all[id]?.record else { throw .noRun(id) }
    if let name = all[id]?.signals.name(of: signal.id) {
      guard name.utf8.elementsEqual(signal.name.utf8) else {
        throw .signalTaken(id: signal.id, name: name)
      }
      return .alreadySent
    }
    if record.state.isOver {
      throw .notAllowed(id, state: record.state, action: "signalled")
    }
    var kept = signal
    kept.actor = nil
    all[id]?.signals.append(kept)
    note(AuditEntry(signalling: id, signal), at: time)
    return .sent
  }

  mutating func change(
    _ id: RunID, _ change: RunChange, at time: JournalTime
  ) throws(JournalError) -> RunRecord {
    guard var run = all[id] else { throw .noRun(id) }
    try change.check(against: run.record)
    if change != .cancel { run.keepOutcome() }
    switch change {
    case .retry:
      run.loseDeadline(at: time)
      run.record.attempts = 0
      run.clear()
      run.release(to: .ready, at: time)
    case .edit(let payload, let version, _):
      run.loseDeadline(at: time)
      run.leave(.edited, beganAt: time.date, endedAt: time.date)
      run.record.payload = payload
      // Later signals are not for this stage.
      if run.signal == nil { run.record.awaitedSignals = [] }
      run.record.version = version ?? run.record.version
      run.release(to: .ready, at: time)
    case .cancel:
      run.release(to: .cancelled, at: time)
    }
    put(run)
    return all[id]?.record ?? run.record
  }

  /// The run that a valid claim holds.
  private func held(by claim: RunClaim) throws(JournalError) -> InMemoryRun {
    guard let run = all[claim.id], run.isHeld(by: claim), run.record.sequence == claim.sequence
    else { throw .claimLost(claim.id) }
    return run
  }
}
