import Foundation

extension InMemoryRuns {
  mutating func claim(
    _ request: ClaimRequest, at time: JournalTime
  ) throws(JournalError) -> Claim {
    if request.protocolVersion < minimumProtocol {
      throw .newerProtocol(minimum: minimumProtocol, known: request.protocolVersion)
    }
    endPauses(at: time)
    cancelLate(at: time)
    // All of them: a child that is left would be given to a worker below.
    while cancelChildren(at: time) {}
    let isDisregarded = request.quarantine == .disregarded
    if !isDisregarded { settleCrashes(for: request, at: time) }
    if !pauses.isEmpty { settlePaused(for: request, at: time) }
    var found: [(due: Date, id: RunID)] = []
    var next = (pauses.values.compactMap(\.self) + [nextDeadline].compactMap(\.self)).min()
    var admissions: [String: Admission] = [:]
    for room in request.flows {
      var admission = admission(of: room.flow, at: time)
      admissions[room.flow] = admission
      if let date = admission.nextToken, pauses[.flow(room.flow)] == nil {
        next = min(next ?? date, date)
      }
      var due: [(due: Date, id: RunID)] = []
      for id in open[room.flow] ?? [] {
        guard let run = all[id], run.record.version <= room.version else { continue }
        // A run in quarantine is given with its group only.
        if run.group != nil, !isDisregarded { continue }
        if isPaused(run.record) { continue }
        if let date = run.due(at: time) {
          due.append((date, id))
        } else if run.record.state == .ready, let date = run.record.dueAt, date != .distantFuture {
          next = min(next ?? date, date)
        }
      }
      var count = 0
      for one in due.sorted(by: { $0 < $1 }) where count < room.limit {
        guard let run = all[one.id] else { continue }
        if admission.admit(run) {
          found.append(one)
          count += 1
        } else if run.group == nil, admission.lacksOnlyPlaceOfKey(run) {
          all[one.id]?.isBehind = true
        }
      }
    }
    let tried = CrashSuspectedRun.next(
      of: quarantine(at: time, admissions), for: request)
    var group = tried.members
    group.removeAll { member in
      guard let run = all[member.id] else { return true }
      return admissions[member.flow]?.admit(run) == false
    }
    let given =
      group.isEmpty
      ? found.sorted { $0 < $1 }.map(\.id).prefix(max(request.limit, 0)) : group.map(\.id)[...]
    if !given.isEmpty { endLoneTrials(of: request.worker) }
    let takenOver = Set(given.filter { all[$0]?.record.state == .running })
    let isAlone = if case .alone = request.quarantine { group.count == 1 } else { false }
    let runs = given.compactMap { id in
      take(id, isAlone: isAlone && isLone(id), for: request, at: time)
    }
    for room in request.flows {
      let count = runs.count { $0.record.flow == room.flow && !takenOver.contains($0.record.id) }
      takeTokens(count, of: room.flow, at: time)
    }
    return Claim(runs: runs, nextDueAt: next, quarantined: tried.left)
  }

  /// Gives back the runs that the death of their workers puts into quarantine.
  private mutating func settleCrashes(for request: ClaimRequest, at time: JournalTime) {
    var dead: [String: Set<CrashSuspectedRun>] = [:]
    for room in request.flows where room.limit > 0 {
      for id in open[room.flow] ?? [] {
        guard let run = all[id], run.record.version <= room.version, run.record.state == .running,
          run.due(at: time) != nil, run.isCrashSuspected(by: request)
        else { continue }
        dead[run.record.worker ?? "", default: []].insert(run.crashSuspected(isHeld: false))
      }
    }
    for (_, runs) in dead.sorted(by: { $0.key < $1.key }) {
      for group in CrashSuspectedRun.groups(ofDeadWorker: Array(runs)) {
        lastGroup += 1
        for member in group {
          guard var run = all[member.id] else { continue }
          run.countCrash()
          run.record.attempts -= 1
          run.release(to: .ready, at: time)
          run.group = lastGroup
          put(run)
        }
      }
    }
  }

  private func quarantine(
    at time: JournalTime, _ admissions: [String: Admission]
  ) -> [CrashSuspectedRun] {
    quarantined.compactMap { id in
      guard let run = all[id] else { return nil }
      return run.crashSuspected(
        isHeld: run.record.state == .running && run.due(at: time) == nil,
        isPaused: isPaused(run.record)
          || admissions[run.record.flow]?.wouldAdmit(run) == false)
    }
  }

  private func isLone(_ id: RunID) -> Bool {
    guard let group = all[id]?.group else { return false }
    return quarantined.count { all[$0]?.group == group } == 1
  }

  /// A worker that gets further runs no longer tries its runs alone.
  private mutating func endLoneTrials(of worker: String) {
    for id in quarantined where all[id]?.record.worker == worker { all[id]?.isAlone = false }
  }

  private mutating func take(
    _ id: RunID, isAlone: Bool, for request: ClaimRequest, at time: JournalTime
  ) -> ClaimedRun? {
    guard var run = all[id] else { return nil }
    let signal = run.signal
    // The time-out then holds for all attempts, even if a signal arrives meanwhile.
    if signal == nil { run.record.awaitedSignals = [] }
    let holder = run.record.state == .running ? run.record.worker : nil
    if run.record.state == .running {
      run.countCrash()
    } else {
      run.record.attempts += 1
    }
    run.isAlone = isAlone
    run.isBehind = false
    run.record.state = .running
    if run.record.concurrencyKey != nil, limits[run.record.flow]?.limits.perKey != nil {
      run.hasPlace = true
    }
    run.hasFlowPlace = limits[run.record.flow]?.limits.wholeRuns != nil
    run.record.fence += 1
    run.record.dueAt = nil
    run.record.join?.policy = nil
    run.record.worker = request.worker
    run.record.changedAt = time.date
    run.lease = InMemoryRun.Lease(request.lease, from: time)
    put(run)
    var claimed = ClaimedRun(
      record: run.record, signal: signal,
      isCrashSuspected: run.group != nil && request.quarantine != .disregarded, isAlone: isAlone)
    claimed.takenFrom = holder
    return claimed
  }
}

extension InMemoryRun {
  fileprivate func crashSuspected(isHeld: Bool, isPaused: Bool = false) -> CrashSuspectedRun {
    CrashSuspectedRun(
      id: record.id, flow: record.flow, version: record.version, crashes: record.crashes,
      group: group, isHeld: isHeld, isPaused: isPaused)
  }
}
