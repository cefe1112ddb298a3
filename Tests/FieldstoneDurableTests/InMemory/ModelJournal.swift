import FieldstoneDurable
import Foundation

/// What a journal promises, in the plainest words: a list of runs, looked through from the start.
struct ModelJournal {
  var runs: [ModelRun] = []

  mutating func start(_ start: RunStart, at time: JournalTime) -> RunRecord {
    if let known = runs.first(where: { $0.id == start.id }) { return known.record }
    if let known = runs.first(where: {
      $0.flow == start.flow && $0.key != nil && $0.key == start.key
    }) {
      return known.record
    }
    let run = ModelRun(
      id: start.id, flow: start.flow, version: start.version, key: start.key,
      payload: start.payload, startedAt: time.date, changedAt: time.date)
    runs.append(run)
    return run.record
  }

  mutating func claim(_ request: ClaimRequest, at time: JournalTime) -> Claim {
    var all: [(Date, Int)] = []
    var suspects: [Int] = []
    var nexts: [Date] = []
    for room in request.flows {
      let mine = runs.indices.filter {
        runs[$0].flow == room.flow && runs[$0].version <= room.version
      }
      nexts += mine.compactMap { runs[$0].nextDue(at: time) }
      let due = mine.compactMap { index in
        runs[index].due(at: time).map { (index: index, date: $0) }
      }.sorted { ($0.date, runs[$0.index].id) < ($1.date, runs[$1.index].id) }
      let others = due.filter { !isSuspect($0.index, to: request) }
      if room.limit > 0 { suspects += due.map(\.index).filter { isSuspect($0, to: request) } }
      all += others.prefix(room.limit).map { ($0.date, $0.index) }
    }
    all.sort { ($0.0, runs[$0.1].id) < ($1.0, runs[$1.1].id) }
    suspects.sort { (runs[$0].attempts, runs[$0].id) < (runs[$1].attempts, runs[$1].id) }
    var taken = all.map(\.1)
    if case .alone = request.suspects, !suspects.isEmpty { taken = [suspects.removeFirst()] }
    return Claim(
      runs: taken.map { take($0, for: request, at: time) }, nextDueAt: nexts.min(),
      leavesSuspects: !suspects.isEmpty)
  }

  private func isSuspect(_ index: Int, to request: ClaimRequest) -> Bool {
    guard runs[index].worker != nil else { return false }
    switch request.suspects {
    case .likeOthers: return false
    case .left(let attempts), .alone(let attempts): return runs[index].attempts >= attempts
    }
  }

  private mutating func take(
    _ index: Int, for request: ClaimRequest, at time: JournalTime
  ) -> ClaimedRun {
    let isSuspect = isSuspect(index, to: request)
    let signal = runs[index].next
    if signal == nil { runs[index].awaited = nil }
    runs[index].standing = .running(
      worker: request.worker, end: time.uptime + request.lease, boot: time.boot)
    runs[index].fence += 1
    runs[index].attempts += 1
    runs[index].changedAt = time.date
    return ClaimedRun(record: runs[index].record, signal: signal, isSuspect: isSuspect)
  }

  /// Where the run is that a claim is good for.
  private func held(_ claim: RunClaim) throws(JournalError) -> Int {
    let index = runs.firstIndex {
      $0.id == claim.id && $0.worker != nil && $0.fence == claim.fence
        && $0.sequence == claim.sequence
    }
    guard let index else { throw .claimLost(claim.id) }
    return index
  }

  mutating func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) throws(JournalError) {
    let index = try held(checkpoint.claim)
    runs[index].inbox.removeAll { checkpoint.consumedSignals.contains($0.id) }
    runs[index].leave(.done, beganAt: checkpoint.beganAt, at: time)
    runs[index].version = checkpoint.version
    runs[index].changedAt = time.date
    runs[index].awaited = nil
    switch checkpoint.next {
    case .stage(let payload):
      runs[index].payload = payload
      runs[index].attempts = 1
      runs[index].standing = .running(
        worker: runs[index].worker ?? "", end: time.uptime + checkpoint.lease, boot: time.boot)
    case .waiting(let payload, let date):
      runs[index].payload = payload
      runs[index].standing = .until(date)
    case .receiving(let payload, let signal, let date):
      runs[index].payload = payload
      runs[index].awaited = signal
      runs[index].standing = .receiving(until: date)
    case .completion(let payload):
      runs[index].payload = payload
      runs[index].standing = .over(.completed)
    }
  }

  mutating func renew(_ claims: [RunClaim], lease: Duration, at time: JournalTime) -> [RunClaim] {
    var lost: [RunClaim] = []
    for claim in claims {
      let index = runs.firstIndex {
        $0.id == claim.id && $0.worker != nil && $0.fence == claim.fence
      }
      if let index, case .running(let worker, let end, let boot) = runs[index].standing {
        let least = boot == time.boot ? end : .zero
        runs[index].standing = .running(
          worker: worker, end: max(least, time.uptime + lease), boot: time.boot)
      } else {
        lost.append(claim)
      }
    }
    return lost
  }

  mutating func park(_ parking: Parking, at time: JournalTime) throws(JournalError) {
    let index = try held(parking.claim)
    runs[index].changedAt = time.date
    switch parking.reason {
    case .shutdown:
      runs[index].attempts -= 1
      runs[index].standing = .due
    case .retry(let date, let error):
      runs[index].standing = .until(date)
      runs[index].error = error
    case .dead(let error):
      runs[index].standing = .over(.dead)
      runs[index].error = error
    case .blocked(let error):
      runs[index].attempts -= 1
      runs[index].standing = .over(.blocked)
      runs[index].error = error
    }
  }

  mutating func signal(
    _ id: RunID, _ signal: SignalRecord
  ) throws(JournalError) -> SignalReceipt {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { throw .noRun(id) }
    if let name = runs[index].known[signal.id] {
      if name != signal.name { throw .signalTaken(id: signal.id, name: name) }
      return .alreadySent
    }
    switch runs[index].state {
    case .completed, .dead, .cancelled:
      throw .notAllowed(id, state: runs[index].state, action: "signalled")
    case .ready, .running, .blocked:
      runs[index].known[signal.id] = signal.name
      runs[index].inbox.append(signal)
      return .sent
    }
  }

  mutating func change(
    _ id: RunID, _ change: RunChange, at time: JournalTime
  ) throws(JournalError) -> RunRecord {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { throw .noRun(id) }
    let state = runs[index].state
    switch (change, state) {
    case (.cancel, .completed), (.cancel, .dead), (.cancel, .cancelled):
      throw .notAllowed(id, state: state, action: "cancelled")
    case (.cancel, _):
      runs[index].standing = .over(.cancelled)
    case (.retry, .running), (.retry, .completed):
      throw .notAllowed(id, state: state, action: "retried")
    case (.retry, _):
      runs[index].attempts = 0
      runs[index].standing = .due
    case (.edit, .running), (.edit, .completed):
      throw .notAllowed(id, state: state, action: "edited")
    case (.edit(let payload, let version), _):
      runs[index].leave(.edited, beganAt: time.date, at: time)
      runs[index].payload = payload
      if runs[index].next == nil { runs[index].awaited = nil }
      if let version { runs[index].version = version }
      runs[index].standing = .due
    }
    runs[index].changedAt = time.date
    return runs[index].record
  }

  func page(_ query: RunQuery) -> RunPage {
    var all: [RunRecord] = []
    for run in runs.map(\.record) {
      if let flow = query.flow, flow != run.flow { continue }
      if let key = query.key, key != run.key { continue }
      if let since = query.since, since > run.startedAt { continue }
      if !query.states.isEmpty, !query.states.contains(run.state) { continue }
      all.append(run)
    }
    all.sort { $0.id > $1.id }
    let rest = all.filter { run in query.before.map { run.id < $0 } ?? true }
    let page = Array(rest.prefix(max(1, query.limit)))
    return RunPage(runs: page, next: page.count < rest.count ? page.last?.id : nil)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) -> StepPage {
    let all = runs.first { $0.id == id }?.steps ?? []
    let rest = all.filter { step in sequence.map { step.sequence > $0 } ?? true }
    let page = Array(rest.prefix(max(1, limit)))
    return StepPage(steps: page, next: page.count < rest.count ? page.last?.sequence : nil)
  }

  mutating func purge(_ retention: JournalRetention, at time: JournalTime) -> Int {
    let count = runs.count
    runs.removeAll {
      ($0.standing == .over(.completed) || $0.standing == .over(.cancelled))
        && time.date.timeIntervalSince($0.changedAt) > retention.runs / .seconds(1)
    }
    for index in runs.indices {
      runs[index].steps = runs[index].steps.suffix(retention.stepsPerRun)
    }
    return count - runs.count
  }
}
