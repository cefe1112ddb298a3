import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var queries: [Self] {
    [
      Self(.filter) { try await $0.findsByKeyPrefix() },
      Self(.filter) { try await $0.findsByTimes() },
      Self(.pageOrder) { try await $0.ordersPages() },
      Self(.pageOrder) { try await $0.goesOnBehindWhatWasPurged() },
      Self(.waits) { try await $0.findsByWaits() },
      Self(.waits) { try await $0.findsByPausesAndLimits() },
      Self(.waits) { try await $0.findsWhatIsBehindAFullKey() },
      Self(.errors) { try await $0.groupsErrors() },
      Self(.count) { try await $0.countsUpToALimit() },
    ]
  }
}

extension JournalExamination {
  /// Expects the results of a query on small pages and on a large one, and its count.
  private func expectFound(
    _ query: RunQuery, _ wanted: [RunID], _ promise: Promise, _ what: String
  ) async throws {
    var query = query
    for limit in [1, 3, 1_000] {
      query.limit = limit
      let found = try await all(query, promise)
      expect(found, equals: wanted, promise, "\(what), \(limit) a page")
    }
    let count = try await journal.count(query, atMost: 1_000)
    expect(count, equals: RunCount(wanted.count), .count, "how many are \(what)")
  }

  func findsByKeyPrefix() async throws {
    var runs: [RunRecord] = []
    let keys = [
      "order-1", "order-2", "order-", "order", "orders", "Order-3", "ordes", "order-\u{E9}",
      "order-e\u{301}", nil, "order.", "ordeq", "order-10", "\u{10FFFF}", "\u{10FFFF}a",
    ]
    for (number, key) in keys.enumerated() {
      runs.append(try await start("flow \(number % 2)", key: key))
      move(by: 1)
    }
    let prefixes = [
      "order-", "order", "order-1", "o", "order-\u{E9}", "order-e", "none", "", "\u{10FFFF}",
    ]
    for prefix in prefixes {
      for flow in [nil, "flow 1"] {
        var query = RunQuery(flow: flow)
        query.keyPrefix = prefix
        let wanted = runs.filter {
          $0.key?.utf8.starts(with: prefix.utf8) == true && (flow ?? $0.flow) == $0.flow
        }
        try await expectFound(
          query, wanted.map(\.id).sorted(by: >), .filter, "runs with a key like “\(prefix)”")
      }
    }
  }

  func findsByTimes() async throws {
    let begin = time.date
    var ids: [RunID] = []
    for number in 0..<8 {
      let run = try await startAndClaim("flow")
      ids.append(run.id)
      move(by: 10)
      switch number % 4 {
      case 0: try await checkpoint(run, .completion(json(1)))
      case 1: try await park(run, .dead(error: "no"))
      case 2: try await park(run, .blocked(error: "no"))
      default: try await journal.change(run.id, .cancel, at: time)
      }
      move(by: 10)
    }
    // A running run has no stop time.
    let going = try await startAndClaim("other")
    move(by: 10)
    try await checkpoint(going, .stage(json(1)))
    ids.append(going.id)
    func expectFound(
      _ what: String, _ wanted: Range<Int>, _ change: (inout RunQuery) -> Void
    ) async throws {
      var query = RunQuery()
      change(&query)
      try await self.expectFound(query, ids[wanted].reversed(), .filter, what)
    }
    // Started at 0, 20, 40 … 140 and 160; stopped at 10, 30, 50 … 150.
    try await expectFound("started before 40", 0..<2) { $0.until = begin + 40 }
    try await expectFound("started from 40 to 100", 2..<5) {
      ($0.since, $0.until) = (begin + 40, begin + 100)
    }
    try await expectFound("started before the first", 0..<0) { $0.until = begin }
    try await expectFound("stopped from 50 on", 2..<8) { $0.stoppedSince = begin + 50 }
    try await expectFound("stopped before 50", 0..<2) { $0.stoppedUntil = begin + 50 }
    try await expectFound("stopped from 50 to 110", 2..<5) {
      ($0.stoppedSince, $0.stoppedUntil) = (begin + 50, begin + 110)
    }
    try await expectFound("dead, stopped from 50 on", 5..<6) {
      ($0.states, $0.stoppedSince) = ([.dead], begin + 50)
    }
    try await expectFound("running and stopped", 0..<0) {
      ($0.states, $0.stoppedSince) = ([.running], begin)
    }
  }

  func ordersPages() async throws {
    var ids: [RunID] = []
    for number in 0..<10 {
      ids.append(try await start("flow \(number % 2)").id)
      move(by: 1)
    }
    // They stop in another order, the last two at the same time.
    var stopped: [RunID] = []
    for place in [4, 1, 8, 0, 6, 3] {
      if place != 3 { move(by: 1) }
      try await journal.change(ids[place], .cancel, at: time)
      stopped.append(ids[place])
    }
    func expectOrder(
      _ order: RunOrder, _ wanted: [RunID], _ what: String,
      _ change: (inout RunQuery) -> Void = { _ in }
    ) async throws {
      var query = RunQuery()
      query.order = order
      change(&query)
      try await expectFound(query, wanted, .pageOrder, what)
    }
    let last = Array(stopped.prefix(4)) + stopped.suffix(2).sorted()
    try await expectOrder(.newestFirst, ids.reversed(), "all, the youngest first")
    try await expectOrder(.oldestFirst, ids, "all, the oldest first")
    try await expectOrder(.firstStoppedFirst, last, "those that stopped, the first first")
    try await expectOrder(.lastStoppedFirst, last.reversed(), "those that stopped, the last first")
    try await expectOrder(
      .oldestFirst, ids.enumerated().filter { $0.offset % 2 == 1 }.map(\.element),
      "those of a flow, the oldest first"
    ) { $0.flow = "flow 1" }
    let even = last.filter { id in ids.firstIndex(of: id).map { $0 % 2 == 0 } ?? false }
    try await expectOrder(.firstStoppedFirst, even, "those of a flow that stopped") {
      $0.flow = "flow 0"
    }
    try await expectOrder(.lastStoppedFirst, [], "ready ones by their stop") {
      $0.states = [.ready]
    }
    var query = RunQuery(limit: 4)
    query.order = .lastStoppedFirst
    let page = try await journal.runs(query)
    expect(
      page.nextPlace?.stoppedAt, equals: page.runs.last?.changedAt, .pageOrder,
      "the time where a page ends that is ordered by it")
    query.after = RunPlace(ids[0])
    expect(
      try await journal.runs(query), equals: RunPage(runs: []), .pageOrder,
      "what comes after a place without a time")
  }

  func goesOnBehindWhatWasPurged() async throws {
    for order in RunOrder.allCases {
      var ids: [RunID] = []
      for _ in 0..<5 {
        let run = try await startAndClaim("\(order)")
        try await checkpoint(run, .completion(json(1)))
        ids.append(run.id)
        move(by: 1)
      }
      let isReversed = order == .newestFirst || order == .lastStoppedFirst
      let wanted = isReversed ? ids.reversed() : ids
      var query = RunQuery(flow: "\(order)", limit: 2)
      query.order = order
      let page = try await journal.runs(query)
      try await journal.purge(wanted[1], by: nil, at: time)
      (query.after, query.limit) = (page.nextPlace, 100)
      let found = page.runs.map(\.id) + (try await journal.runs(query).runs.map(\.id))
      expect(
        found, equals: wanted, .pageOrder,
        "two pages by \(order), between which the run was purged where the first one ends")
    }
  }

  func findsByWaits() async throws {
    func expectWaiting(_ wait: RunWait, _ wanted: [RunID], flow: String? = nil) async throws {
      var query = RunQuery(flow: flow)
      query.waiting = wait
      try await expectFound(query, wanted.sorted(by: >), .waits, "runs that wait for \(wait)")
    }
    let later = time.date + 1_000
    let timed = RunStart(
      id: newID(), flow: "start", version: 1, payload: json(0), notBefore: later)
    _ = try await journal.start(timed, at: time)
    let waiting = try await startAndClaim("time")
    try await checkpoint(waiting, .waiting(json(1), until: later))
    let failed = try await startAndClaim("retry")
    try await park(failed, .retry(at: later, error: "no"))
    let first = try await startAndClaim("signal")
    try await checkpoint(first, .receiving(json(1), signals: ["go"], until: nil))
    let second = try await startAndClaim("signal")
    try await checkpoint(second, .receiving(json(1), signals: ["stop"], until: later))
    let third = try await startAndClaim("other")
    try await checkpoint(third, .receiving(json(1), signals: ["go"], until: later))
    let fourth = try await startAndClaim("signal")
    try await checkpoint(fourth, .receiving(json(1), signals: ["halt", "go"], until: later))
    let parent = try await startParent(of: [child()], flow: "parent")
    let due = try await start("due")
    _ = try await startAndClaim("running")
    try await expectWaiting(.time, [timed.id, waiting.id])
    try await expectWaiting(.time, [timed.id], flow: "start")
    try await expectWaiting(.retry, [failed.id])
    try await expectWaiting(.signal(nil), [first.id, second.id, third.id, fourth.id])
    try await expectWaiting(.signal("go"), [first.id, third.id, fourth.id])
    try await expectWaiting(.signal("go"), [third.id], flow: "other")
    try await expectWaiting(.signal("halt"), [fourth.id])
    try await expectWaiting(.signal("g"), [])
    try await expectWaiting(.children, [parent.id])
    for wait in [RunWait.pause, .keyLimit, .quarantine] { try await expectWaiting(wait, []) }
    // A run no longer waits for a signal or a time that has come.
    try await signal(first.id, "1", named: "stop")
    try await signal(third.id, "2", named: "go")
    try await expectWaiting(.signal(nil), [first.id, second.id, fourth.id])
    try await journal.change(waiting.id, .retry, at: time)
    try await journal.change(failed.id, .cancel, at: time)
    try await expectWaiting(.time, [timed.id])
    try await expectWaiting(.retry, [])
    let taken = try await claim("due", lease: .seconds(10)).runs.map(\.record.id)
    expect(taken, equals: [due.id], .waits, "the run that is due")
    move(by: 20)
    _ = try await claim("due", worker: "next", quarantine: .left(after: 1))
    try await expectWaiting(.quarantine, [due.id])
    var query = RunQuery(states: [.running])
    query.waiting = .quarantine
    try await expectFound(query, [], .waits, "running runs that wait")
  }

  func findsByPausesAndLimits() async throws {
    func start(_ flow: String, _ key: String?) async throws -> RunID {
      move(by: 1)
      let start = RunStart(
        id: newID(), flow: flow, version: 1, payload: json(0), concurrencyKey: key)
      return try await journal.start(start, at: time).id
    }
    func expectWaiting(_ wait: RunWait, _ wanted: [RunID]) async throws {
      var query = RunQuery()
      query.waiting = wait
      try await expectFound(query, wanted.sorted(by: >), .waits, "runs that wait for \(wait)")
    }
    let flow = [try await start("paused", nil), try await start("paused", "a")]
    let key = [try await start("open", "a"), try await start("open", "a")]
    let other = [try await start("open", nil), try await start("open", "b")]
    try await journal.pause(.flow("paused"), until: nil, at: time)
    try await journal.pause(.concurrencyKey("a", flow: "open"), until: nil, at: time)
    try await journal.pause(.run(other[0]), until: nil, at: time)
    try await journal.pause(.run(flow[0]), until: nil, at: time)
    try await expectWaiting(.pause, flow + key + [other[0]])
    try await journal.resume(.flow("paused"), at: time)
    try await journal.resume(.run(other[0]), at: time)
    try await expectWaiting(.pause, [flow[0]] + key)
    try await journal.resume(.concurrencyKey("a", flow: "open"), at: time)
    try await journal.resume(.run(flow[0]), at: time)
    try await expectWaiting(.pause, [])
    try await journal.setLimits(
      FlowLimits(perKey: .init(1)), of: "limited", replacing: true, at: time)
    let limited = [
      try await start("limited", "a"), try await start("limited", "a"),
      try await start("limited", "a"), try await start("limited", "b"),
    ]
    let given = try await claim("limited").runs.map(\.record)
    expect(given.map(\.id), equals: [limited[0], limited[3]], .waits, "the runs with places")
    try await expectWaiting(.keyLimit, [limited[1], limited[2]])
    guard let first = given.first else { return }
    try await checkpoint(first, .completion(json(1)))
    _ = try await claim("limited")
    try await expectWaiting(.keyLimit, [limited[2]])
  }

  /// A run whose time comes while its key is full waits for the key, and for nothing else, in the
  /// lists as by its reason.
  func findsWhatIsBehindAFullKey() async throws {
    func expectWaiting(_ wait: RunWait, _ wanted: [RunID]) async throws {
      var query = RunQuery()
      query.waiting = wait
      try await expectFound(query, wanted.sorted(by: >), .waits, "runs that wait for \(wait)")
    }
    func claimNext() async throws -> RunRecord {
      let start = RunStart(
        id: newID(), flow: "limited", version: 1, payload: json(0), concurrencyKey: "a")
      _ = try await journal.start(start, at: time)
      return try await claimOne("limited").record
    }
    let limits = FlowLimits(perKey: .init(1, counting: .executing))
    try await journal.setLimits(limits, of: "limited", replacing: true, at: time)
    let due = time.date + 30
    let timed = try await claimNext()
    try await checkpoint(timed, .waiting(json(1), until: due))
    let failed = try await claimNext()
    try await park(failed, .retry(at: due, error: "no"))
    let awaiting = try await claimNext()
    try await checkpoint(awaiting, .receiving(json(1), signals: ["go"], until: due))
    let parent = try await claimNext()
    try await checkpoint(parent, .joining(json(1), .init([child()], when: .all, until: due)))
    let holder = try await claimNext()
    let waits: [(RunWait, RunID)] = [
      (.time, timed.id), (.retry, failed.id), (.signal("go"), awaiting.id), (.children, parent.id),
    ]
    for (wait, id) in waits { try await expectWaiting(wait, [id]) }
    try await expectWaiting(.keyLimit, [])
    move(by: 30)
    expect(
      try await claim("limited").runs, equals: [], .waits, "what is given while the key is full")
    for (wait, id) in waits {
      try await expectWaiting(wait, [])
      expect(
        try await journal.waitReason(of: id, at: time.date),
        equals: .keyLimit("a", 1, heldBy: [holder.id]), .waits,
        "why a run that is due does not go on")
    }
    try await expectWaiting(.keyLimit, waits.map(\.1))
    try await checkpoint(holder, .completion(json(1)))
    let next = try await claimOne("limited").record.id
    try await expectWaiting(.keyLimit, waits.map(\.1).filter { $0 != next })
  }

  func groupsErrors() async throws {
    func fail(_ error: String, blocked: Bool = false) async throws -> RunID {
      move(by: 1)
      let run = try await startAndClaim("flow \(error.count % 2)")
      try await park(run, blocked ? .blocked(error: error) : .dead(error: error))
      return run.id
    }
    let timeouts = [
      try await fail("order 17 timed out"), try await fail("order 4 timed out", blocked: true),
      try await fail("order 200 timed out"),
    ]
    let full = [try await fail("the disk is full"), try await fail("the disk is full")]
    let alone = try await fail("unknown customer \"ada\"")
    let retried = try await startAndClaim("retried")
    try await park(retried, .retry(at: time.date + 10, error: "order 5 timed out"))
    var query = RunQuery()
    query.error = ErrorFingerprint(of: "order 99 timed out")
    try await expectFound(query, timeouts.reversed(), .errors, "runs with an error")
    query.states = [.blocked]
    try await expectFound(query, [timeouts[1]], .errors, "blocked runs with an error")
    query.states = [.ready]
    try await expectFound(query, [], .errors, "ready runs with an error")
    query = RunQuery()
    query.error = ErrorFingerprint(of: "unknown customer \"bob\"")
    try await expectFound(query, [alone], .errors, "runs with another error")
    func group(_ ids: [RunID], _ error: String) -> ErrorGroup {
      ErrorGroup(
        fingerprint: ErrorFingerprint(of: error), runs: RunCount(ids.count),
        youngest: ids[ids.count - 1], sample: error)
    }
    let groups = [
      group(timeouts, "order 200 timed out"), group(full, "the disk is full"),
      group([alone], "unknown customer \"ada\""),
    ]
    expect(try await journal.errorGroups(atMost: 10), equals: groups, .errors, "the groups")
    expect(
      try await journal.errorGroups(atMost: 2), equals: Array(groups.prefix(2)), .errors,
      "the two largest groups")
    expect(try await journal.errorGroups(atMost: 0), equals: [], .errors, "no groups")
    // Retried and cancelled runs are in none.
    try await journal.change(timeouts[2], .retry, at: time)
    try await journal.change(timeouts[1], .cancel, at: time)
    let left = try await journal.errorGroups(atMost: 10)
    // Groups of one size have no order.
    expect(
      left.first == groups[1] && left.count == 3
        && Set(left.dropFirst()) == [groups[2], group([timeouts[0]], "order 17 timed out")],
      .errors, "the groups after a retry and a cancellation were \(left).")
  }

  func countsUpToALimit() async throws {
    for number in 0..<12 {
      let run = try await start("flow \(number % 3)", key: "key \(number)")
      if number < 2 { try await journal.change(run.id, .cancel, at: time) }
    }
    var prefixed = RunQuery()
    prefixed.keyPrefix = "key 1"
    var stopped = RunQuery()
    stopped.order = .lastStoppedFirst
    let queries: [(RunQuery, Int)] = [
      (RunQuery(), 12), (RunQuery(flow: "flow 1"), 4), (RunQuery(states: [.ready]), 10),
      (RunQuery(flow: "flow 0", states: [.cancelled, .dead]), 1), (RunQuery(key: "key 7"), 1),
      (RunQuery(flow: "no flow"), 0), (prefixed, 3), (stopped, 2), (RunQuery(limit: 1), 12),
    ]
    for (query, number) in queries {
      for limit in [0, 1, number - 1, number, number + 1, 10_000, .max] where limit >= 0 {
        let count = try await journal.count(query, atMost: limit)
        expect(
          count, equals: RunCount(min(number, limit), hasMore: number > limit), .count,
          "the count up to \(limit) of \(query)")
      }
    }
    let page = try await journal.runs(RunQuery(limit: 5))
    var rest = RunQuery(limit: 5)
    rest.after = page.nextPlace
    expect(
      try await journal.count(rest, atMost: 100), equals: RunCount(12), .count,
      "the count from a place on")
    expect(
      try await journal.count(RunQuery(), atMost: -1), equals: RunCount(0, hasMore: true), .count,
      "the count up to less than none")
  }
}
