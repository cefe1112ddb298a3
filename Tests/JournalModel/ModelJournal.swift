import FieldstoneDurable
import Foundation

/// What a journal promises, in the plainest words: a list of runs, looked through from the start.
struct ModelJournal {
  var runs: [ModelRun] = []
  /// Stages whose children are to be cancelled.
  var orphans: [(parent: RunID, sequence: Int)] = []
  var schedules: [ScheduleRecord] = []
  /// What operators have done, the oldest first.
  var audit: [ModelChange] = []
  /// Whose clock is kept; a server's has no boots, and its leases end by the wall clock.
  var clock = JournalClock.caller
  /// What the journal has answered to the claim that is compared next, where that may differ.
  var answered: Answered?

  /// What a claim may answer in several ways.
  struct Answered {
    /// The order of those that are taken over is a journal's own.
    var runs: [RunID]
    /// It counts a flow's next token, or not, if no run waits for that; and the time of a run that a
    /// claim has found due before the clock was set back, or not.
    var nextDueAt: Date?
  }

  /// Whether it is the model of a journal in a database: what purged steps have consumed is purged with
  /// them, and a run is due since its signal was there, also if its time is out, too.
  var isInDatabase = false
  /// The latest time of a claim.
  private var latestClaim = Date.distantPast

  mutating func start(_ start: RunStart, at time: JournalTime) -> RunRecord {
    if let known = runs.first(where: { $0.id == start.id || $0.replacements.contains(start.id) }) {
      return record(known)
    }
    var run = ModelRun(
      id: start.id, flow: start.flow, version: start.version, key: start.key,
      payload: start.payload, startedAt: time.date, changedAt: time.date)
    run.concurrencyKey = start.concurrencyKey
    run.priority = max(-1_000, min(1_000, start.priority))
    if let date = start.notBefore, date > time.date { run.standing = .until(date) }
    (run.deadline, run.attributes, run.trace) = (start.deadline, start.attributes, start.trace)
    run.origin = start.origin
    let taken = runs.firstIndex { $0.flow == start.flow && $0.key != nil && $0.key == start.key }
    let fork = start.origin == nil ? [] : [ModelChange(action: .fork, subject: .run(start.id))]
    guard let taken else {
      runs.append(run)
      audit += fork
      return record(run)
    }
    switch (start.ifTaken, runs[taken].state) {
    case (.replaceUnlessBegun, .ready) where runs[taken].fence == 0 && runs[taken].sequence == 0:
      runs[taken].replacements.append(start.id)
      runs[taken].version = run.version
      runs[taken].payload = run.payload
      runs[taken].priority = run.priority
      runs[taken].standing = run.standing
      runs[taken].changedAt = time.date
      runs[taken].deadline = run.deadline
      runs[taken].attributes = run.attributes
      runs[taken].trace = run.trace
    case (.restartIfOver, .completed), (.restartIfOver, .dead), (.restartIfOver, .cancelled):
      runs[taken].key = nil
      runs.append(run)
      audit += fork
      return record(run)
    default: break
    }
    return record(runs[taken])
  }

  /// The limits of flows, and how full their buckets were when.
  var limits: [String: FlowLimits] = [:]
  var buckets: [String: TokenBucket] = [:]

  /// What is paused.
  var pauses: [JournalPause] = []

  var isProtocolDemanded = false

  /// The run with what is said of it elsewhere.
  func record(_ run: ModelRun) -> RunRecord {
    var record = run.record
    record.isPaused = pauses.contains { $0.target == .run(run.id) }
    return record
  }

  /// What is over has no pause of its own any more.
  mutating func forgetPauses() {
    leavePlaces()
    for run in runs where run.state.isOver { _ = resume(.run(run.id)) }
  }

  /// The last group of crash-suspected runs that was made.
  private var lastGroup = 0

  mutating func claim(
    _ request: ClaimRequest, at time: JournalTime
  ) throws(JournalError) -> Claim {
    if isProtocolDemanded, request.protocolVersion < 2 {
      throw .newerProtocol(minimum: 2, known: request.protocolVersion)
    }
    pauses.removeAll { pause in pause.until.map { $0 <= time.date } ?? false }
    cancelLate(at: time)
    let threshold: Int? =
      switch request.quarantine {
      case .disregarded: nil
      case .left(let crashes), .group(let crashes), .alone(let crashes): max(1, crashes)
      }
    cancelOrphans(at: time)
    forgetPauses()
    if let threshold { bury(request, threshold, at: time) }
    giveBackPaused(request, at: time)
    leavePlaces()
    var all: [(date: Date, index: Int)] = []
    var nexts = pauses.compactMap(\.until)
    var optional: [Date] = []
    defer { latestClaim = max(latestClaim, time.date) }
    nexts += runs.filter { ![.completed, .dead, .cancelled].contains($0.state) }
      .compactMap(\.deadline)
    for room in request.flows {
      let mine = runs.indices.filter {
        runs[$0].flow == room.flow && runs[$0].version <= room.version
          && (threshold == nil || runs[$0].group == nil) && !isPaused(runs[$0])
      }
      for date in mine.compactMap({ runs[$0].nextDue(at: time) }) {
        if isInDatabase, date <= latestClaim {
          optional.append(date)
        } else {
          nexts.append(date)
        }
      }
      let due = mine.compactMap { index in
        runs[index].due(at: time).map { (date: $0, index: index) }
      }.sorted(by: comesFirst)
      var taken: [Int] = []
      for (date, index) in due where taken.count < room.limit {
        guard isAllowed(index, beside: taken, at: time) else {
          if isKeyFull(for: index, beside: taken, at: time) { runs[index].isBehind = true }
          continue
        }
        taken.append(index)
        all.append((date, index))
      }
      let isFlowPaused = pauses.contains { $0.target == .flow(room.flow) }
      if !isFlowPaused, let rate = limits[room.flow]?.rate {
        let isAwaited =
          taken.count < room.limit
          && due.contains { isRateFull(for: $0.index, beside: taken, at: time) }
        if let date = bucket(of: room.flow, at: time)?.nextToken(by: rate) {
          if isAwaited { nexts.append(date) } else { optional.append(date) }
        }
      }
    }
    all.sort(by: comesFirst)
    var taken = all.prefix(max(0, request.limit)).map(\.index)
    var waiting = threshold == nil ? [] : waitingGroups(for: request, at: time)
    var isLone = false
    switch request.quarantine {
    case .disregarded, .left: break
    case .group:
      if let index = waiting.firstIndex(where: { $0.size > 1 }) {
        taken = waiting.remove(at: index).fitting
      }
    case .alone:
      if !waiting.isEmpty {
        let first = waiting.removeFirst()
        isLone = first.size == 1
        taken = first.fitting
      }
    }
    let asked = taken
    taken = []
    for index in asked where isAllowed(index, beside: taken, at: time) { taken.append(index) }
    for room in request.flows {
      let count = taken.count { runs[$0].flow == room.flow && runs[$0].worker == nil }
      guard var bucket = bucket(of: room.flow, at: time) else { continue }
      let wasSetBack = buckets[room.flow].map { $0.filledAt > time.date } ?? false
      if count == 0, !wasSetBack { continue }
      bucket.tokens -= Double(count)
      buckets[room.flow] = bucket
    }
    if !taken.isEmpty {
      for index in runs.indices where runs[index].worker == request.worker {
        runs[index].isAlone = false
      }
    }
    let left: Claim.Quarantined =
      waiting.contains { $0.size > 1 } ? .groups : waiting.isEmpty ? .none : .lone
    var claim = Claim(
      runs: taken.map { take($0, isLone: isLone, for: request, at: time) },
      nextDueAt: nextDueAt(nexts.min(), optional),
      quarantined: left)
    claim.schedules = dueSchedules(at: time)
    return claim
  }

  /// Those of dead workers that have crashed often enough come into groups, or into halves of theirs.
  private mutating func bury(_ request: ClaimRequest, _ threshold: Int, at time: JournalTime) {
    let dead = runs.indices.filter { index in
      guard runs[index].worker != nil, runs[index].due(at: time) != nil else { return false }
      let isKnown = request.flows.contains {
        $0.limit > 0 && $0.flow == runs[index].flow && runs[index].version <= $0.version
      }
      return isKnown && (runs[index].group != nil || runs[index].crashes + 1 >= threshold)
    }.sorted { runs[$0].id < runs[$1].id }
    for worker in Set(dead.map { runs[$0].worker ?? "" }).sorted() {
      let its = dead.filter { runs[$0].worker == worker }
      for old in Set(its.map { runs[$0].group ?? 0 }).sorted() {
        let members = its.filter { (runs[$0].group ?? 0) == old }
        for (place, index) in members.enumerated() {
          // The first half, with the one in the middle, and the second.
          let isSecond = old != 0 && place * 2 >= members.count + members.count % 2
          runs[index].group = lastGroup + (isSecond ? 2 : 1)
        }
        lastGroup += 2
      }
    }
    for index in dead { giveBack(index, at: time) }
  }

  private mutating func giveBack(_ index: Int, at time: JournalTime) {
    runs[index].crash()
    runs[index].attempts -= 1
    runs[index].standing = .due
    runs[index].changedAt = time.date
  }

  /// Those of dead workers that are paused wait by themselves.
  private mutating func giveBackPaused(_ request: ClaimRequest, at time: JournalTime) {
    for index in runs.indices where runs[index].worker != nil && isPaused(runs[index]) {
      let isKnown = request.flows.contains {
        $0.limit > 0 && $0.flow == runs[index].flow && runs[index].version <= $0.version
      }
      if isKnown, runs[index].due(at: time) != nil { giveBack(index, at: time) }
    }
  }

  /// The groups that nobody tries, in the order in which they are given.
  private func waitingGroups(
    for request: ClaimRequest, at time: JournalTime
  ) -> [(size: Int, fitting: [Int])] {
    var waiting: [(size: Int, crashes: Int, first: RunID, fitting: [Int])] = []
    for group in Set(runs.compactMap(\.group)) {
      let members = runs.indices.filter { runs[$0].group == group }
        .sorted { runs[$0].id < runs[$1].id }
      if members.contains(where: { runs[$0].worker != nil && runs[$0].due(at: time) == nil }) {
        continue
      }
      var fitting: [Int] = []
      for room in request.flows {
        fitting += members.filter {
          runs[$0].flow == room.flow && runs[$0].version <= room.version && !isPaused(runs[$0])
            && isAllowed($0, beside: [], at: time)
        }.prefix(room.limit)
      }
      guard !fitting.isEmpty else { continue }
      waiting.append(
        (
          members.count, members.map { runs[$0].crashes }.min() ?? 0, runs[members[0]].id,
          fitting.sorted { runs[$0].id < runs[$1].id }
        ))
    }
    return waiting.sorted { ($0.crashes, $0.first) < ($1.crashes, $1.first) }
      .map { ($0.size, $0.fitting) }
  }

  private mutating func take(
    _ index: Int, isLone: Bool, for request: ClaimRequest, at time: JournalTime
  ) -> ClaimedRun {
    let before = runs
    defer { follow(before, at: time) }
    let signal = runs[index].next
    if signal == nil { runs[index].awaited = [] }
    let holder = runs[index].worker
    if holder == nil { runs[index].attempts += 1 } else { runs[index].crash() }
    runs[index].standing = .running(
      worker: request.worker, end: time.uptime + request.lease, boot: time.boot)
    runs[index].fence += 1
    runs[index].isAlone = isLone
    let isLimited = limits[runs[index].flow]?.perKey != nil
    if isLimited, runs[index].concurrencyKey != nil { runs[index].hasPlace = true }
    runs[index].hasFlowPlace = countsWholeRuns(runs[index].flow)
    runs[index].changedAt = time.date
    var claimed = ClaimedRun(
      record: record(runs[index]), signal: signal,
      isCrashSuspected: runs[index].group != nil && request.quarantine != .disregarded,
      isAlone: isLone)
    claimed.takenFrom = holder
    return claimed
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

  mutating func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) throws(JournalError) -> CheckpointReceipt {
    let before = self
    do throws(JournalError) {
      let receipt = try leave(checkpoint, at: time)
      try startChildren(checkpoint, at: time)
      follow(before.runs, at: time)
      for start in checkpoint.starts { _ = self.start(start, at: time) }
      for sent in checkpoint.signals { _ = try signal(sent.run, sent.signal) }
      return receipt
    } catch {
      self = before
      throw error
    }
  }

  private mutating func leave(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) throws(JournalError) -> CheckpointReceipt {
    let index = try held(checkpoint.claim)
    runs[index].inbox.removeAll { checkpoint.consumedSignals.contains($0.id) }
    for id in checkpoint.consumedSignals {
      runs[index].known[id]?.consumedBy = checkpoint.claim.sequence
    }
    runs[index].leave(.done, beganAt: checkpoint.beganAt, at: time)
    runs[index].version = checkpoint.version
    runs[index].changedAt = time.date
    runs[index].awaited = []
    runs[index].join = nil
    switch checkpoint.next {
    case .stage(let payload) where isPaused(runs[index]):
      runs[index].payload = payload
      runs[index].standing = .due
      return .paused
    case .stage(let payload):
      runs[index].payload = payload
      runs[index].attempts = 1
      runs[index].standing = .running(
        worker: runs[index].worker ?? "", end: time.uptime + checkpoint.lease, boot: time.boot)
    case .waiting(let payload, let date):
      runs[index].payload = payload
      runs[index].standing = .until(date)
    case .receiving(let payload, let signals, let date):
      runs[index].payload = payload
      runs[index].awaited = signals
      runs[index].standing = .receiving(until: date)
      runs[index].signalledAt = isInDatabase ? time.date : nil
    case .joining(let payload, let join):
      runs[index].payload = payload
      runs[index].join = RunJoin(
        sequence: checkpoint.claim.sequence, policy: join.policy, open: join.children.count)
      runs[index].standing = join.children.isEmpty ? .due : .joining(until: join.until)
    case .completion(let payload):
      runs[index].payload = payload
      runs[index].standing = .over(.completed)
    }
    return .made
  }

  mutating func renew(_ claims: [RunClaim], lease: Duration, at time: JournalTime) -> [RunClaim] {
    cancelLate(at: time, among: claims.map(\.id))
    var lost: [RunClaim] = []
    for claim in claims {
      let index = runs.firstIndex {
        $0.id == claim.id && $0.worker != nil && $0.fence == claim.fence
      }
      if let index, case .running(let worker, let end, let boot) = runs[index].standing {
        // The end of a lease is further away than two of them only if the clock was set back since.
        let latest = clock == .server ? time.uptime + lease + lease : end
        let least = boot == time.boot ? min(end, latest) : .zero
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
    let before = runs
    defer { follow(before, at: time) }
    runs[index].changedAt = time.date
    switch parking.reason {
    case .shutdown:
      runs[index].attempts -= 1
      runs[index].standing = .due
    case .retry(let date, let error):
      runs[index].standing = .until(date)
      runs[index].error = error
      runs[index].clear()
    case .dead(let error):
      runs[index].standing = .over(.dead)
      runs[index].error = error
    case .exhausted(let error):
      runs[index].attempts -= 1
      runs[index].standing = .over(.dead)
      runs[index].error = error
    case .blocked(let error):
      runs[index].attempts -= 1
      runs[index].standing = .over(.blocked)
      runs[index].error = error
      runs[index].clear()
    }
    if case .over = runs[index].standing { runs[index].group = nil }
    runs[index].isAlone = false
  }

  mutating func signal(
    _ id: RunID, _ signal: SignalRecord
  ) throws(JournalError) -> SignalReceipt {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { throw .noRun(id) }
    if let name = runs[index].known[signal.id]?.name {
      if name != signal.name { throw .signalTaken(id: signal.id, name: name) }
      return .alreadySent
    }
    switch runs[index].state {
    case .completed, .dead, .cancelled:
      throw .notAllowed(id, state: runs[index].state, action: "signalled")
    case .ready, .running, .blocked:
      runs[index].known[signal.id] = .init(name: signal.name)
      var kept = signal
      kept.actor = nil
      let isFirst = runs[index].next == nil
      runs[index].inbox.append(kept)
      if isInDatabase, isFirst { runs[index].signalledAt = signal.sentAt }
      if signal.actor != nil { audit.append(ModelChange(action: .signal, subject: .run(id))) }
      return .sent
    }
  }

  mutating func change(
    _ id: RunID, _ change: RunChange, at time: JournalTime
  ) throws(JournalError) -> RunRecord {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { throw .noRun(id) }
    let state = runs[index].state
    let before = runs
    if case .edit(_, _, let expected?) = change, expected != runs[index].sequence {
      throw .hasGoneOn(id, from: expected, to: runs[index].sequence)
    }
    if change != .cancel, state == .dead, runs[index].end == .dead, runs[index].endError == nil {
      runs[index].endError = runs[index].error
    }
    switch (change, state) {
    case (.cancel, .completed), (.cancel, .dead), (.cancel, .cancelled):
      throw .notAllowed(id, state: state, action: "cancelled")
    case (.cancel, _):
      runs[index].standing = .over(.cancelled)
      runs[index].group = nil
    case (.retry, .running), (.retry, .completed):
      throw .notAllowed(id, state: state, action: "retried")
    case (.retry, _):
      pardon(index, at: time)
      runs[index].attempts = 0
      runs[index].clear()
      runs[index].standing = .due
    case (.edit, .running), (.edit, .completed):
      throw .notAllowed(id, state: state, action: "edited")
    case (.edit(let payload, let version, _), _):
      pardon(index, at: time)
      runs[index].leave(.edited, beganAt: time.date, at: time)
      runs[index].payload = payload
      if runs[index].next == nil { runs[index].awaited = [] }
      if let version { runs[index].version = version }
      runs[index].standing = .due
    }
    runs[index].changedAt = time.date
    follow(before, at: time)
    forgetPauses()
    return record(runs[index])
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) -> StepPage {
    let all = runs.first { $0.id == id }?.steps ?? []
    let rest = all.filter { step in sequence.map { step.sequence > $0 } ?? true }
    let page = Array(rest.prefix(max(1, limit)))
    return StepPage(steps: page, next: page.count < rest.count ? page.last?.sequence : nil)
  }

  mutating func purge(_ retention: JournalRetention, at time: JournalTime) -> Int {
    let count = runs.count
    let before = self
    runs.removeAll {
      ($0.standing == .over(.completed) || $0.standing == .over(.cancelled))
        && time.date.timeIntervalSince($0.changedAt) > retention.runs / .seconds(1)
        && !before.isNeeded($0)
    }
    for index in runs.indices {
      runs[index].steps = runs[index].steps.suffix(retention.stepsPerRun)
      guard isInDatabase else { continue }
      let first = runs[index].sequence - retention.stepsPerRun
      runs[index].known = runs[index].known.filter { $0.value.consumedBy ?? first >= first }
    }
    return count - runs.count
  }
}
