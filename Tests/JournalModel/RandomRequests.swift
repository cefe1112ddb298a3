import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// Requests and clocks by chance: few flows, keys and names, so that they meet; stale claims too.
struct RandomRequests {
  var time = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(100), boot: "boot 0")
  private var generator: SeededGenerator
  private var ids: [RunID] = []
  private var starts: [RunID] = []
  /// Every claim that there was, also those that are lost by now.
  private var claims: [RunClaim] = []
  private var payloads = 0
  /// Every record of a schedule that there was.
  private var schedules: [ScheduleRecord] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func payload() -> Data {
    payloads += 1
    return Data("\(payloads)".utf8)
  }

  private mutating func anyID() -> RunID {
    ids.randomElement(using: &generator) ?? RunID(at: time.date, using: &generator)
  }

  /// Mostly one of the latest, as a worker's is.
  private mutating func anyClaim() -> RunClaim {
    let pool = number(0...3) == 0 ? claims[...] : claims.suffix(4)
    guard var claim = pool.randomElement(using: &generator) else {
      return RunClaim(id: anyID(), sequence: 0, fence: 1)
    }
    if number(0...19) == 0 { claim.fence += number(-1...1) }
    if number(0...19) == 0 { claim.sequence += number(-1...1) }
    return claim
  }

  private mutating func later() -> Date { time.date + Double(number(-2...6)) }

  /// Learns from an answer which runs and claims there are.
  mutating func learn(_ answer: JournalAnswer, to request: JournalRequest) {
    switch (request, answer) {
    case (.start(let start), .record(let run)):
      ids.append(run.id)
      // The identifier of a start that took the place of another.
      if start.id != run.id { starts.append(start.id) }
    case (.starts(let starts), .records(let runs)):
      for (start, run) in zip(starts, runs) { learn(.record(run), to: .start(start)) }
    case (_, .claim(let runs, _, _, _)):
      claims += runs.map {
        RunClaim(id: $0.record.id, sequence: $0.record.sequence, fence: $0.record.fence)
      }
    case (.checkpoint(let checkpoint), .checkpoint(let receipt)):
      ids += checkpoint.starts.map(\.id)
      if case .joining(_, let join) = checkpoint.next { ids += join.children.map(\.id) }
      guard case .stage = checkpoint.next, receipt == .made else { return }
      var claim = checkpoint.claim
      claim.sequence += 1
      claims.append(claim)
    case (.setSchedule(_, from: _, to: let new, starting: let starts, by: _), .isSet(true)):
      ids += starts.map(\.id)
      if let new { schedules.append(new) }
    default: break
    }
  }

  /// The clocks that a journal goes by: a server's has no boots, and tells its uptime by the date.
  func time(by clock: JournalClock) -> JournalTime {
    clock == .caller
      ? time
      : JournalTime(
        date: time.date, uptime: .seconds(time.date.timeIntervalSinceReferenceDate), boot: "server")
  }

  mutating func moveClocks() {
    switch number(0...11) {
    case 0...3:
      let seconds = number(1...3)
      time.date += Double(seconds)
      time.uptime += .seconds(seconds)
    case 4: time.date += Double(number(-4...4))
    case 5 where number(0...9) == 0:
      time.boot = "boot \(number(1...99))"
      time.uptime = .seconds(number(1...9))
    default: break
    }
  }

  mutating func next() -> JournalRequest {
    switch number(0...35) {
    case 35:
      switch number(0...7) {
      case 0: return .schedules
      case 1...2: return .purgeRun(anyID())
      default: return setSchedule()
      }
    case 32, 33: return number(0...4) == 0 ? .flowLimits : limits()
    case 30: return .pause(target(), until: number(0...1) == 0 ? later() : nil)
    case 31: return number(0...3) == 0 ? .pauses : .resume(target())
    case 0...2: return .start(forked(start()))
    case 3: return .starts((0..<number(0...3)).map { _ in forked(start()) })
    case 4...9:
      let flows = (0...1).map {
        ClaimRequest.FlowRoom(flow: "flow \($0)", version: number(1...3), limit: number(0...4))
      }
      let quarantine: [ClaimRequest.Quarantine] = [
        .disregarded, .left(after: number(0...2)), .group(after: number(1...2)),
        .alone(after: number(1...2)),
      ]
      var request =
        ClaimRequest(
          worker: "worker \(number(0...2))", flows: flows, lease: .seconds(number(1...5)),
          limit: number(0...9) == 0 ? number(0...2) : .max, quarantine: quarantine[number(0...3)])
      if number(0...5) == 0 { request.protocolVersion = 1 }
      return .claim(request)
    case 10...16: return .checkpoint(checkpoint())
    case 17:
      return .renew((0..<number(0...3)).map { _ in anyClaim() }, .seconds(number(1...5)))
    case 18...20:
      let reasons: [Parking.Reason] = [
        .shutdown, .retry(at: later(), error: "retry"), .dead(error: "dead \(number(0...99))"),
        .blocked(error: "blocked"), .exhausted(error: "exhausted"),
      ]
      return .park(Parking(claim: anyClaim(), reason: reasons[number(0...4)]))
    case 21...23:
      return .signal(anyID(), signal())
    case 24...25:
      let version = number(0...1) == 0 ? nil : number(1...3)
      let changes: [RunChange] = [
        .retry,
        .edit(
          payload(), version: version, expectedSequence: number(0...2) == 0 ? number(0...2) : nil),
        .cancel,
      ]
      return .change(anyID(), changes[number(0...2)])
    case 26: return .runs(query())
    case 27: return number(0...3) == 0 ? .errorGroups(atMost: number(0...3)) : .runs(query())
    case 34: return .count(query(), atMost: number(0...6))
    case 28 where number(0...1) == 0:
      return .children(
        anyID(), number(0...2) == 0 ? nil : number(0...2),
        number(0...2) == 0 ? ChildPlace(sequence: number(0...2), ordinal: number(0...1)) : nil,
        number(0...3))
    case 28: return .steps(anyID(), number(0...2) == 0 ? nil : number(-1...3), number(0...3))
    default:
      return .purge(JournalRetention(runs: .seconds(number(0...9)), stepsPerRun: number(0...3)))
    }
  }

  private mutating func start() -> RunStart {
    let key = number(0...2) == 0 ? "key \(number(0...2))" : nil
    let known = number(0...1) == 0 ? anyID() : starts.randomElement(using: &generator)
    let id = number(0...19) == 0 ? known ?? anyID() : RunID(at: time.date, using: &generator)
    var start = RunStart(
      id: id, flow: "flow \(number(0...1))", version: number(1...2), key: key,
      payload: payload(), ifTaken: TakenKeyPolicy.allCases[number(0...2)],
      notBefore: number(0...3) == 0 ? later() : nil,
      priority: number(0...2) == 0 ? [-2_000, -1, 1, 2, 2_000][number(0...4)] : 0,
      concurrencyKey: number(0...1) == 0 ? "customer \(number(0...1))" : nil)
    if number(0...5) == 0 { start.deadline = later() }
    if number(0...2) == 0 { start.attributes = ["a": .integer(number(0...1))] }
    if number(0...4) == 0 { start.attributes["b"] = number(0...1) == 0 ? "1" : true }
    if number(0...9) == 0 { start.trace = ["traceparent": "\(number(0...9))"] }
    return start
  }

  /// Mostly changes the latest record of a schedule.
  private mutating func setSchedule() -> JournalRequest {
    let name = "schedule \(number(0...2))"
    let known = schedules.filter { $0.name == name }
    let old = number(0...4) == 0 ? known.randomElement(using: &generator) : known.last
    let new = ScheduleRecord(
      name: name, definition: number(0...3) > 0 ? old?.definition ?? payload() : payload(),
      progress: payload(), dueAt: number(0...3) == 0 ? nil : later())
    let starts = (0..<(number(0...1) == 0 ? number(1...2) : 0)).map { _ in start() }
    return .setSchedule(
      name, from: number(0...7) == 0 ? nil : old, to: number(0...5) == 0 ? nil : new,
      starting: starts, by: number(0...2) == 0 ? "person" : nil)
  }

  private mutating func forked(_ start: RunStart) -> RunStart {
    guard number(0...5) == 0 else { return start }
    var start = start
    start.origin = RunOrigin(run: anyID(), sequence: number(0...2))
    return start
  }

  private mutating func limits() -> JournalRequest {
    let perKey = FlowLimits.PerKey(
      number(0...2), counting: FlowLimits.Counting.allCases[number(0...1)],
      whenStuck: FlowLimits.WhenStuck.allCases[number(0...1)])
    let limits = FlowLimits(
      runs: number(0...1) == 0 ? number(0...3) : nil,
      counting: number(0...3) == 0 ? .wholeRun : .executing,
      whenStuck: FlowLimits.WhenStuck.allCases[number(0...1)],
      perKey: number(0...2) > 0 ? perKey : nil,
      rate: number(0...3) == 0 ? .init(number(0...3), each: .seconds(number(1...8))) : nil)
    return .limits(
      number(0...5) == 0 ? nil : limits, flow: "flow \(number(0...1))",
      replacing: number(0...3) > 0)
  }

  private mutating func target() -> PauseTarget {
    switch number(0...3) {
    case 0: .flow("flow \(number(0...1))")
    case 1: .concurrencyKey("customer \(number(0...1))", flow: "flow \(number(0...1))")
    default: .run(anyID())
    }
  }

  private mutating func signal() -> SignalRecord {
    var signal = SignalRecord(
      id: "\(number(0...5))", name: "name \(number(0...1))", payload: payload(),
      sentAt: time.date)
    // Every second one, without a draw: the other requests of a seed stay the same.
    if payloads.isMultiple(of: 2) { signal.actor = "person" }
    return signal
  }

  private mutating func checkpoint() -> Checkpoint {
    let started = (0..<(number(0...3) == 0 ? number(1...2) : 0)).map { _ in start() }
    let signals = (0..<(number(0...3) == 0 ? number(1...2) : 0)).map { _ in
      Checkpoint.Signal(
        to: number(0...2) == 0 ? started.last?.id ?? anyID() : anyID(), signal())
    }
    let until = later()
    let names = [["name 0"], ["name 1"], ["name 1", "name 0"]][number(0...2)]
    let children = (0..<number(0...3)).map { _ in
      ChildStart(start(), isDetached: number(0...3) == 0)
    }
    let join = Checkpoint.Join(
      children, when: JoinPolicy.allCases[number(0...2)],
      until: number(0...2) == 0 ? later() : nil)
    let nexts: [Checkpoint.Next] = [
      .joining(payload(), join), .joining(payload(), join),
      .stage(payload()), .stage(payload()), .waiting(payload(), until: until),
      .receiving(payload(), signals: names, until: number(0...1) == 0 ? nil : until),
      .receiving(payload(), signals: names, until: until), .completion(payload()),
    ]
    return Checkpoint(
      claim: anyClaim(), version: number(1...3), next: nexts[number(0...7)],
      consumedSignals: (0..<number(0...2)).map { _ in "\(number(0...5))" },
      beganAt: time.date - 1, lease: .seconds(number(1...5)), starts: started, signals: signals)
  }

  private mutating func query() -> RunQuery {
    // With many filters at once most pages are empty.
    if number(0...1) == 0 {
      var query = RunQuery(limit: number(1...4))
      query.order = RunOrder.allCases[number(0...3)]
      if number(0...1) == 0 {
        let waits = RunWait.allWithoutName.prefix(3) + [.signal("name 0")]
        query.waiting = waits[number(0...3)]
      }
      return query
    }
    let states = Set(RunState.allCases.shuffled(using: &generator).prefix(number(0...3)))
    var query = RunQuery(
      flow: number(0...1) == 0 ? nil : "flow \(number(0...1))", states: states,
      key: number(0...2) == 0 ? "key \(number(0...2))" : nil,
      since: number(0...2) == 0 ? later() : nil, before: number(0...2) == 0 ? anyID() : nil,
      limit: number(0...4))
    if number(0...2) == 0 { query.attributes["a"] = .integer(number(0...1)) }
    if number(0...4) == 0 { query.attributes["b"] = "1" }
    query.order = RunOrder.allCases[number(0...3)]
    if number(0...4) == 0 { query.keyPrefix = ["", "key", "key 1"][number(0...2)] }
    if number(0...4) == 0 { query.until = later() }
    if number(0...4) == 0 { query.stoppedSince = later() }
    if number(0...4) == 0 { query.stoppedUntil = later() }
    if number(0...4) == 0 { query.error = ErrorFingerprint(of: "dead 7") }
    if number(0...2) == 0 {
      let waits = RunWait.allWithoutName + [.signal("name 0")]
      query.waiting = waits.randomElement(using: &generator)
    }
    if query.after != nil, query.order.isByStop, number(0...3) > 0 {
      query.after?.stoppedAt = later()
    }
    return query
  }
}
