import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var limits: [Self] {
    [
      Self(.limits) { try await $0.keepsLimits() },
      Self(.flowLimit) { try await $0.limitsFlows() },
      Self(.flowLimit) { try await $0.limitsFlowsOfManyWorkers() },
      Self(.flowLimit) { try await $0.limitsFlowsByWholeRuns() },
      Self(.flowLimit) { try await $0.limitsFlowsOfStuckRuns() },
      Self(.flowLimit) { try await $0.limitsFlowsOfRunsThatHaveBegun() },
      Self(.flowLimit) { try await $0.limitsFlowsAndKeys() },
      Self(.keyPlaces) { try await $0.limitsKeysByWholeRuns() },
      Self(.keyPlaces) { try await $0.limitsKeysByWork() },
      Self(.keyPlaces) { try await $0.limitsKeysOfStuckRuns() },
      Self(.keyPlaces) { try await $0.limitsKeysOfRunsThatHaveBegun() },
      Self(.keyPlaces) { try await $0.limitsKeysAmongMany() },
      Self(.keyPlaces) { try await $0.goesOnAtOnceBehindManyKeys() },
      Self(.keyPlaces) { try await $0.limitsKeysOfReplacedRuns() },
      Self(.keyPlaces) { try await $0.limitsKeysOfPurgedRuns() },
      Self(.keyPlaces) { try await $0.limitsKeysOfManyStarts() },
      Self(.rate) { try await $0.limitsRates() },
      Self(.rate) { try await $0.limitsRatesOfAttempts() },
      Self(.rate) { try await $0.takesAnyRate() },
    ]
  }
}

extension JournalExamination {
  @discardableResult
  private func limit(
    _ limits: FlowLimits?, of flow: String = "flow", replacing: Bool = true
  ) async throws -> FlowLimits? {
    try await journal.setLimits(limits, of: flow, replacing: replacing, at: time)
  }

  /// Claims, in the order of the result.
  private func given(
    _ flow: String = "flow", limit: Int = 100, lease: Duration = .seconds(600)
  ) async throws -> [RunRecord] {
    try await claim(flow, limit: limit, lease: lease).runs.map(\.record)
  }

  func keepsLimits() async throws {
    let first = FlowLimits(runs: 3, perKey: .init(2), rate: .init(5, each: .seconds(60)))
    let second = FlowLimits(perKey: .init(1, counting: .executing, whenStuck: .releases))
    expect(try await journal.flowLimits(), equals: [:], .limits, "limits of a new journal")
    expect(try await limit(first, replacing: false), equals: first, .limits, "the first limits")
    expect(try await limit(second, replacing: false), equals: first, .limits, "what is kept")
    expect(try await limit(second), equals: second, .limits, "what replaces them")
    try await limit(FlowLimits(runs: -1), of: "another flow")
    let whole = FlowLimits(runs: 4, counting: .wholeRun, whenStuck: .releases)
    expect(try await limit(whole, of: "whole"), equals: whole, .limits, "limits of whole runs")
    expect(
      try await journal.flowLimits(),
      equals: ["flow": second, "another flow": FlowLimits(runs: 1), "whole": whole],
      .limits, "the limits of all flows")
    expect(try await limit(nil), equals: nil, .limits, "no limits")
    expect(
      try await journal.flowLimits()["flow"], equals: nil, .limits, "the limits that were removed")
    var old = ClaimRequest(
      worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
    old.protocolVersion = 1
    let request = old
    try await expectRefusal(.protocolVersion, .newerProtocol, "a worker that ignores limits") {
      _ = try await self.journal.claim(request, at: self.time)
    }
  }

  func limitsFlows() async throws {
    try await limit(FlowLimits(runs: 2))
    for _ in 0..<8 { try await start() }
    try await start("another flow")
    var held = try await given(lease: .seconds(10))
    expect(held.count, equals: 2, .flowLimit, "runs of a flow with a limit of 2")
    guard held.count == 2 else { return }
    expect(try await given().count, equals: 0, .flowLimit, "runs beyond the limit")
    expect(try await given("another flow").count, equals: 1, .flowLimit, "another flow's runs")
    try await checkpoint(held[0], .stage(json(1)), lease: .seconds(10))
    expect(try await given().count, equals: 0, .flowLimit, "what is given after a stage")
    // Their worker dies: a run that is taken over already has its place.
    move(by: 20)
    held = try await given()
    expect(held.map(\.crashes), equals: [1, 1], .flowLimit, "the crashes of what is taken over")
    var places: [(String, (RunRecord) async throws -> Void)] = []
    places.append(
      (
        "a wait",
        { try await self.checkpoint($0, .waiting(self.json(2), until: self.time.date + 9_999)) }
      ))
    places.append(("a completion", { try await self.checkpoint($0, .completion(self.json(2))) }))
    places.append(
      ("a retry", { try await self.park($0, .retry(at: self.time.date + 9_999, error: "no")) }))
    places.append(("a death", { try await self.park($0, .dead(error: "no")) }))
    places.append(("a block", { try await self.park($0, .blocked(error: "no")) }))
    places.append(
      ("a cancellation", { try await self.journal.change($0.id, .cancel, at: self.time) }))
    for (what, leave) in places {
      guard let first = held.first else { throw Missing(detail: "no run was given after \(what).") }
      try await leave(first)
      let next = try await given()
      expect(next.count, equals: 1, .flowLimit, "what is given after \(what)")
      held = Array(held.dropFirst()) + next
    }
  }

  func limitsFlowsOfManyWorkers() async throws {
    try await limit(FlowLimits(runs: 3, perKey: .init(1)))
    for number in 0..<24 { try await start(concurrencyKey: "\(number % 4)") }
    let journals = [journal, other ?? journal]
    let time = time
    for _ in 0..<3 {
      let given = try await withThrowingTaskGroup(of: [RunRecord].self) { group in
        for number in 0..<8 {
          let journal = journals[number % 2]
          group.addTask {
            let request = ClaimRequest(
              worker: "worker \(number)", flows: [.init(flow: "flow", version: 1, limit: 2)],
              lease: .seconds(600))
            return try await journal.claim(request, at: time).runs.map(\.record)
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      expect(given.count <= 3, .flowLimit, "\(given.count) runs were given with a limit of 3.")
      let rest = try await self.given()
      expect(given.count + rest.count, equals: 3, .flowLimit, "runs of a limit of 3")
      let keys = (given + rest).map(\.concurrencyKey)
      expect(Set(keys).count, equals: keys.count, .keyPlaces, "keys among \(keys)")
      for run in given + rest { try await checkpoint(run, .completion(json(1))) }
    }
  }

  func limitsFlowsByWholeRuns() async throws {
    try await limit(FlowLimits(runs: 2, counting: .wholeRun))
    var ids: [RunID] = []
    for _ in 0..<6 {
      ids.append(try await start().id)
      move(by: 1)
    }
    let held = try await given()
    expect(held.map(\.id), equals: Array(ids[..<2]), .flowLimit, "the first runs of a limit of 2")
    guard held.count == 2 else { return }
    try await checkpoint(held[0], .waiting(json(1), until: time.date + 60))
    expect(try await given().count, equals: 0, .flowLimit, "what is given while one waits")
    try await park(held[1], .retry(at: time.date + 60, error: "no"))
    expect(try await given().count, equals: 0, .flowLimit, "what is given while both wait")
    // Runs that have begun go on, however many earlier ones have not.
    move(by: 60)
    let one = try await given(limit: 1, lease: .seconds(10))
    let again = try await one + given(limit: 1, lease: .seconds(10))
    expect(Set(again.map(\.id)), equals: Set(ids[..<2]), .flowLimit, "the runs that waited")
    expect(try await given().count, equals: 0, .flowLimit, "what is given beside them")
    move(by: 20)
    let takenOver = try await given()
    expect(Set(takenOver.map(\.id)), equals: Set(ids[..<2]), .flowLimit, "what is taken over")
    guard let first = takenOver.first else { return }
    try await checkpoint(first, .completion(json(1)))
    expect(try await given().map(\.id), equals: [ids[2]], .flowLimit, "what follows a completion")
    try await journal.change(ids[2], .cancel, at: time)
    expect(try await given().map(\.id), equals: [ids[3]], .flowLimit, "what follows a cancellation")
    expect(try await given("another flow").count, equals: 0, .flowLimit, "another flow's runs")
  }

  func limitsFlowsOfStuckRuns() async throws {
    for whenStuck in FlowLimits.WhenStuck.allCases {
      let flow = "flow \(whenStuck)"
      try await limit(FlowLimits(runs: 1, counting: .wholeRun, whenStuck: whenStuck), of: flow)
      for reason in [Parking.Reason.dead(error: "no"), .blocked(error: "no")] {
        let first = try await start(flow).id
        move(by: 1)
        let second = try await start(flow).id
        guard let run = try await given(flow).first else {
          throw Missing(detail: "no run of a flow was given.")
        }
        try await park(run, reason)
        let holds = whenStuck == .holds
        let next = try await given(flow)
        expect(
          next.map(\.id), equals: holds ? [] : [second], .flowLimit,
          "what is given after \(reason), which \(whenStuck)")
        try await journal.change(first, .retry, at: time)
        if !holds {
          // It has given its place back, so it needs another one.
          expect(try await given(flow).count, equals: 0, .flowLimit, "runs after a retry")
        }
        for run in next { try await checkpoint(run, .completion(json(1))) }
        for wanted in holds ? [first, second] : [first] {
          let given = try await given(flow)
          expect(given.map(\.id), equals: [wanted], .flowLimit, "what is given after the retry")
          for run in given { try await checkpoint(run, .completion(json(1))) }
        }
      }
    }
  }

  func limitsFlowsOfRunsThatHaveBegun() async throws {
    for _ in 0..<3 { try await start() }
    let begun = try await given(limit: 2)
    for run in begun { try await checkpoint(run, .waiting(json(1), until: time.date + 5)) }
    try await limit(FlowLimits(runs: 1, counting: .wholeRun))
    expect(try await given().count, equals: 0, .flowLimit, "runs when two had begun before")
    move(by: 5)
    let given = try await given()
    expect(
      Set(given.map(\.id)), equals: Set(begun.map(\.id)), .flowLimit, "the runs that had begun")
    for (number, run) in given.enumerated() {
      try await checkpoint(run, .completion(json(1)))
      let next = try await self.given()
      expect(next.count, equals: number, .flowLimit, "runs after \(number + 1) of 2 have ended")
    }
    for _ in 0..<2 { try await start() }
    expect(try await self.given().count, equals: 0, .flowLimit, "runs beyond the limit")
    try await limit(nil)
    expect(try await self.given().count, equals: 2, .flowLimit, "runs without a limit")
  }

  /// A run without a place of its flow must not keep one that has a place from its key.
  func limitsFlowsAndKeys() async throws {
    try await limit(
      FlowLimits(runs: 2, counting: .wholeRun, perKey: .init(1, counting: .executing)))
    let first = try await start(concurrencyKey: "a").id
    for run in try await given() {
      try await checkpoint(run, .waiting(json(1), until: time.date + 10))
    }
    move(by: 1)
    try await start(concurrencyKey: "a")
    let second = try await given()
    try await start(concurrencyKey: "a")
    move(by: 10)
    expect(try await given().count, equals: 0, .keyPlaces, "runs of a key with one place")
    for run in second { try await checkpoint(run, .waiting(json(1), until: time.date + 999)) }
    let given = try await given()
    expect(given.map(\.id), equals: [first], .flowLimit, "the run of a full flow that has begun")
    for run in given { try await checkpoint(run, .completion(json(1))) }
    expect(try await self.given().count, equals: 1, .flowLimit, "runs after the flow has room")
  }

  func limitsKeysByWholeRuns() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    var runs: [RunID] = []
    for _ in 0..<4 {
      move(by: 1)
      runs.append(try await start(concurrencyKey: "a").id)
    }
    let other = try await start(concurrencyKey: "b").id
    let free = try await start(concurrencyKey: nil).id
    move(by: 1)
    let first = try await given()
    expect(
      Set(first.map(\.id)), equals: [runs[0], other, free], .keyPlaces, "what is given of two keys")
    guard let run = first.first, run.id == runs[0] else { return }
    try await checkpoint(run, .waiting(json(1), until: time.date + 5))
    expect(try await given().count, equals: 0, .keyPlaces, "what is given while a run waits")
    move(by: 5)
    let again = try await given(lease: .seconds(10))
    expect(again.map(\.id), equals: [runs[0]], .keyPlaces, "what is given after the wait")
    move(by: 20)
    let taken = try await given()
    expect(taken.map(\.id), equals: [runs[0]], .keyPlaces, "what is taken over")
    guard let taken = taken.first else { return }
    try await park(taken, .retry(at: time.date + 5, error: "no"))
    expect(try await given().count, equals: 0, .keyPlaces, "what is given before a retry")
    move(by: 5)
    let retried = try await given()
    guard let last = retried.first else { throw Missing(detail: "a retry was not given.") }
    try await checkpoint(last, .completion(json(2)))
    for next in runs.dropFirst() {
      let given = try await given()
      expect(given.map(\.id), equals: [next], .keyPlaces, "the next in the order of starting")
      try await journal.change(next, .cancel, at: time)
    }
    expect(try await given().count, equals: 0, .keyPlaces, "what is given when none is left")
  }

  func limitsKeysByWork() async throws {
    try await limit(FlowLimits(perKey: .init(2, counting: .executing)))
    for _ in 0..<4 { try await start(concurrencyKey: "a") }
    var held = try await given()
    expect(held.count, equals: 2, .keyPlaces, "runs of a key with a limit of 2")
    guard held.count == 2 else { return }
    try await checkpoint(held[0], .waiting(json(1), until: time.date + 5))
    let next = try await given()
    expect(next.count, equals: 1, .keyPlaces, "runs in the place of one that waits")
    move(by: 5)
    expect(try await given().count, equals: 0, .keyPlaces, "runs when all places are taken")
    held = held.dropFirst() + next
    try await park(held[0], .shutdown)
    expect(try await given().count, equals: 1, .keyPlaces, "runs in the place of a parked one")
  }

  func limitsKeysOfStuckRuns() async throws {
    for whenStuck in FlowLimits.WhenStuck.allCases {
      let flow = "flow \(whenStuck)"
      try await limit(FlowLimits(perKey: .init(1, whenStuck: whenStuck)), of: flow)
      for reason in [Parking.Reason.dead(error: "no"), .blocked(error: "no")] {
        let first = try await start(flow, concurrencyKey: "a").id
        move(by: 1)
        let second = try await start(flow, concurrencyKey: "a").id
        guard let run = try await given(flow).first else {
          throw Missing(detail: "no run of a key was given.")
        }
        try await park(run, reason)
        let holds = whenStuck == .holds
        let next = try await given(flow)
        expect(
          next.map(\.id), equals: holds ? [] : [second], .keyPlaces,
          "what is given after \(reason), which \(whenStuck)")
        for run in next { try await checkpoint(run, .completion(json(1))) }
        try await journal.change(first, .retry, at: time)
        for wanted in holds ? [first, second] : [first] {
          let given = try await given(flow)
          expect(given.map(\.id), equals: [wanted], .keyPlaces, "what is given after the retry")
          for run in given { try await checkpoint(run, .completion(json(1))) }
        }
      }
    }
  }

  func limitsKeysOfRunsThatHaveBegun() async throws {
    for _ in 0..<3 { try await start(concurrencyKey: "a") }
    let waiting = try await given(limit: 1)
    for run in waiting { try await checkpoint(run, .waiting(json(1), until: time.date + 5)) }
    try await limit(FlowLimits(perKey: .init(1)))
    expect(try await given().count, equals: 0, .keyPlaces, "runs when one had begun before")
    move(by: 5)
    let given = try await given()
    expect(given.map(\.id), equals: waiting.map(\.id), .keyPlaces, "the run that had begun before")
    try await limit(nil)
    expect(try await self.given().count, equals: 2, .keyPlaces, "runs without a limit")
  }

  func limitsKeysAmongMany() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    // They wait for the same time, and then compete for places.
    for number in 0..<30 {
      _ = try await journal.start(
        RunStart(
          id: newID(), flow: "flow", version: 1, payload: json(0), notBefore: time.date + 5,
          priority: number == 20 ? 1 : 0, concurrencyKey: "a"), at: time)
    }
    move(by: 6)
    let other = try await start(concurrencyKey: "b").id
    let given = try await given(limit: 2)
    expect(given.count, equals: 2, .keyPlaces, "runs of two keys among many of one")
    expect(given.last?.id == other, .keyPlaces, "one key's runs kept another's from being given.")
    expect(given.first?.priority, equals: 1, .keyPlaces, "the priority of the first of a key")
    var count = 1
    var next = given.first
    while let run = next, count < 40 {
      try await checkpoint(run, .completion(json(1)))
      next = try await self.given().first
      if next != nil { count += 1 }
    }
    expect(count, equals: 30, .keyPlaces, "the runs of a key, one after the other")
  }

  func limitsRates() async throws {
    try await limit(FlowLimits(rate: .init(2, each: .seconds(60))))
    for _ in 0..<4 { try await start() }
    let begin = time.date
    let claim = try await claim(lease: .seconds(10))
    expect(claim.runs.count, equals: 2, .rate, "runs with a rate of 2")
    let next = try await self.claim().nextDueAt?.timeIntervalSince(begin) ?? 0
    expect(abs(next - 30) < 0.01, .rate, "the next token came after \(next) and not 30 seconds.")
    move(by: 20)
    let taken = try await given()
    expect(taken.count, equals: 2, .rate, "runs that are taken over")
    expect(taken.allSatisfy { $0.crashes == 1 }, .rate, "runs were given beyond the rate.")
    move(by: 10)
    expect(try await given().count, equals: 1, .rate, "runs after half a period")
    expect(try await given().count, equals: 0, .rate, "runs beyond the rate")
    // The clock is set back: tokens are still added.
    time.date -= 10_000
    time.uptime += .seconds(1)
    _ = try await given()
    move(by: 30)
    expect(try await given().count, equals: 1, .rate, "runs after the clock was set back")
  }

  /// A claim that examines a bounded number of keys says that the next one is to go on.
  func goesOnAtOnceBehindManyKeys() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    func starts(_ count: Int, key: (Int) -> String) async throws {
      let starts = (0..<count).map { number in
        RunStart(
          id: newID(), flow: "flow", version: 1, payload: json(0), concurrencyKey: key(number))
      }
      for answer in await journal.start(starts, at: time) { _ = try answer.get() }
    }
    try await starts(2_500) { "key \($0)" }
    var given = 0
    for _ in 0..<10 {
      let claim = try await claim(limit: 5_000, lease: .seconds(600))
      given += claim.runs.count
      guard let next = claim.nextDueAt, next <= time.date else { break }
    }
    expect(given, equals: 2_500, .keyPlaces, "what is given of many keys without a wait")
  }

  func limitsKeysOfReplacedRuns() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    func start(_ key: String?, priority: Int = 0) async throws -> RunID {
      let start = RunStart(
        id: newID(), flow: "flow", version: 1, key: key, payload: json(0),
        ifTaken: .replaceUnlessBegun, priority: priority, concurrencyKey: "a")
      move(by: 1)
      return try await journal.start(start, at: time).id
    }
    _ = try await start(nil)
    let holder = try await claimOne().record
    _ = try await start("first")
    let second = try await start("second")
    try await checkpoint(holder, .completion(json(1)))
    _ = try await start("second", priority: 10)
    expect(
      try await given(limit: 1).map(\.id), equals: [second], .keyPlaces,
      "what gets a place after its priority was replaced")
  }

  func limitsKeysOfPurgedRuns() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    try await start(concurrencyKey: "a")
    let holder = try await claimOne().record
    try await park(holder, .dead(error: "no"))
    let next = try await start(concurrencyKey: "a").id
    expect(try await given().count, equals: 0, .keyPlaces, "runs behind a dead one")
    try await journal.purge(holder.id, by: nil, at: time)
    expect(
      try await given().map(\.id), equals: [next], .keyPlaces, "the run behind a purged one")
  }

  func limitsKeysOfManyStarts() async throws {
    try await limit(FlowLimits(perKey: .init(1)))
    let ids = (0..<5).map { _ in newID() }.sorted()
    let starts = ids.map { id in
      RunStart(id: id, flow: "flow", version: 1, payload: json(0), concurrencyKey: "a")
    }
    for answer in await journal.start(starts, at: time) { _ = try answer.get() }
    var order: [RunID] = []
    while let run = try await given().first, order.count < ids.count {
      order.append(run.id)
      try await checkpoint(run, .completion(json(1)))
    }
    expect(order, equals: ids, .keyPlaces, "the runs of a key that were started in one call")
  }

  func limitsRatesOfAttempts() async throws {
    try await limit(FlowLimits(rate: .init(2, each: .seconds(600))))
    try await start()
    for attempt in 1...2 {
      let runs = try await given()
      guard let run = runs.first else {
        throw Missing(detail: "attempt \(attempt) was not given within a rate of 2.")
      }
      move(by: 1)
      try await park(run, .retry(at: time.date, error: "no"))
    }
    expect(try await given().count, equals: 0, .rate, "a third attempt within a rate of 2")
  }

  func takesAnyRate() async throws {
    for count in [Int.max, Int.max / 2, 0, -1, Int.min] {
      let flow = "rate of \(count)"
      try await limit(FlowLimits(rate: .init(count, each: .seconds(60))), of: flow)
      for _ in 0..<3 { try await start(flow) }
      expect(
        try await given(flow, limit: 3).count, equals: count > 0 ? 3 : 1, .rate,
        "what is given at a rate of \(count)")
    }
  }
}
