import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Several journals as one", .timeLimit(.minutes(20)))
struct ShardedJournalTests {
  @Test("A key is there once, in the shard of its slot; an identifier of another slot is refused")
  func keys() async throws {
    let shards = Shards(3)
    let journal = try await shards.open()
    for index in 0..<3 {
      let key = shards.key(in: index)
      let first = shards.start(in: index, key: key)
      let second = shards.start(in: index, key: key)
      _ = try await journal.start(first, at: shards.now)
      #expect(try await journal.start(second, at: shards.now).id == first.id)
      #expect(try await shards.memories[index].run(first.id) != nil)
      var wrong = second
      wrong.id = shards.newID(slot: second.id.slot &+ 1)
      await #expect(throws: JournalError.slotOfKey(wrong.id)) {
        _ = try await journal.start(wrong, at: shards.now)
      }
      let answers = await journal.start([wrong, second], at: shards.now)
      #expect(throws: JournalError.slotOfKey(wrong.id)) { try answers[0].get() }
      #expect(try answers[1].get().id == first.id)
      let own = RunID(at: shards.time.now, flow: "flow", key: key)
      #expect(own.slot == first.id.slot)
    }
  }

  @Test("Pages are those of one journal, whatever their size")
  func pages() async throws {
    let shards = Shards(3)
    let journal = try await shards.open()
    var ids: [RunID] = []
    for number in 0..<40 {
      if number.isMultiple(of: 3) { shards.time.advance(by: .seconds(1)) }
      let start = RunStart(
        id: shards.newID(), flow: number.isMultiple(of: 4) ? "other" : "flow", version: 1,
        payload: Data("1".utf8))
      ids.append(try await journal.start(start, at: shards.now).id)
    }
    for limit in [1, 2, 3, 7, 39, 40, 41] {
      for flow in [nil, "other"] {
        var found: [RunID] = []
        var query = RunQuery(flow: flow, limit: limit)
        repeat {
          let page = try await journal.runs(query)
          #expect(page.runs.count <= limit)
          found += page.runs.map(\.id)
          query.before = page.next
        } while query.before != nil && found.count <= 40
        let wanted = flow == nil ? ids : stride(from: 0, to: 40, by: 4).map { ids[$0] }
        #expect(found == wanted.sorted(by: >), "limit \(limit)")
      }
    }
  }

  @Test("Claims begin with each shard in turn, also where one has more than there is room for")
  func turns() async throws {
    let shards = Shards(3)
    let journal = try await shards.open()
    for _ in 0..<60 { _ = try await journal.start(shards.start(in: 0), at: shards.now) }
    for index in 1...2 {
      for _ in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    }
    var given: [Int] = []
    for _ in 0..<6 {
      let runs = try await journal.claim(shards.request(room: 2), at: shards.now).runs
      #expect(runs.count == 2)
      given += runs.map { journal.shard(of: $0.record.id) }
    }
    #expect(given.prefix(6) == [0, 0, 1, 1, 2, 2])
    #expect(given.count { $0 == 0 } == 8)
    // What one shard leaves of the room, the others get; no more than the limit is given.
    let rest = try await journal.claim(shards.request(limit: 5), at: shards.now).runs
    #expect(rest.count == 5)
  }

  @Test(
    "A shard that is down is left out for longer and longer; its runs wait")
  func downs() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let lost = shards.start(in: 1)
    _ = try await journal.start(lost, at: shards.now)
    shards.set(1, isDown: true)
    func claims(_ count: Int) async throws -> [String] {
      let before = shards.calls.elements.count
      for _ in 0..<count {
        _ = try await journal.start(shards.start(in: 0), at: shards.now)
        let runs = try await journal.claim(shards.request(lease: .seconds(600)), at: shards.now)
          .runs
        #expect(runs.count == 1)
      }
      return shards.calls.elements[before...].filter { $0 == "1 claim" }
    }
    #expect(try await claims(4).count == 1)
    #expect(journal.unavailableShards == [1])
    for pause in [1, 2, 4, 8, 16, 30, 30] {
      shards.time.advance(by: .seconds(pause) - .milliseconds(1))
      #expect(try await claims(2) == [], "within \(pause) seconds")
      shards.time.advance(by: .milliseconds(1))
      #expect(try await claims(2).count == 1, "after \(pause) seconds")
    }
    await #expect(throws: JournalError.self) { _ = try await journal.run(lost.id) }
    await #expect(throws: JournalError.self) { _ = try await journal.runs(RunQuery()) }
    shards.set(1, isDown: false)
    shards.time.advance(by: .seconds(30))
    let runs = try await journal.claim(shards.request(lease: .seconds(600)), at: shards.now).runs
    #expect(runs.map(\.record.id) == [lost.id])
    #expect(journal.unavailableShards == [])
    for index in 0...1 { shards.set(index, isDown: true) }
    for _ in 0..<3 {
      await #expect(throws: JournalError.self) {
        _ = try await journal.claim(shards.request(lease: .seconds(600)), at: shards.now)
      }
    }
    shards.set(0, isDown: false)
    _ = try await journal.start(shards.start(in: 0), at: shards.now)
    #expect(
      try await journal.claim(shards.request(lease: .seconds(600)), at: shards.now).runs.count == 1)
  }

  @Test("A shard that hangs before it fails is left out from then on")
  func hangs() async throws {
    let shards = Shards(2)
    let time = shards.time
    let calls = Recorder<Int>()
    let journals = shards.memories.enumerated().map { index, memory in
      JournalProxy(journal: memory) { call in
        guard call == .claim else { return }
        calls.record(index)
        if index == 1 {
          time.advance(by: .seconds(31))
          throw JournalError.unavailable("it hangs")
        }
      }
    }
    let journal = try await ShardedJournal(journals, time: time.source)
    for _ in 0..<3 { _ = try await journal.claim(shards.request(), at: shards.now) }
    #expect(calls.elements == [0, 1, 0, 0])
    time.advance(by: .seconds(1))
    _ = try await journal.claim(shards.request(), at: shards.now)
    #expect(calls.elements == [0, 1, 0, 0, 1, 0])
  }

  @Test("Limits that are declared while a shard is down hold there before it gives runs")
  func lateLimits() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    for shard in [0, 0, 1, 1] {
      _ = try await journal.start(shards.start(in: shard), at: shards.now)
    }
    shards.set(1, isDown: true)
    let limits = FlowLimits(runs: 2)
    let given = try await journal.setLimits(limits, of: "flow", replacing: false, at: shards.now)
    #expect(given == limits)
    // An operator is told that a shard was left out.
    await #expect(throws: JournalError.self) {
      try await journal.setLimits(limits, of: "other", replacing: true, at: shards.now)
    }
    let here = try await journal.claim(shards.request(), at: shards.now).runs
    #expect(here.map { journal.shard(of: $0.record.id) } == [0])
    #expect(try await shards.memories[1].flowLimits() == [:])
    shards.set(1, isDown: false)
    shards.time.advance(by: .seconds(30))
    let there = try await journal.claim(shards.request(), at: shards.now).runs
    #expect(there.map { journal.shard(of: $0.record.id) } == [1])
    #expect(try await journal.flowLimits() == ["flow": limits])
    for shard in 0...1 { shards.set(shard, isDown: true) }
    await #expect(throws: JournalError.self) {
      try await journal.setLimits(limits, of: "third", replacing: false, at: shards.now)
    }
  }

  @Test("An error that stays is told by the next claim, so that no claimed run is lost")
  func errors() async throws {
    let memory = InMemoryJournal()
    let isClosed = Locked(false)
    var other = JournalMutant()
    other.onClaim = { base, request, time in
      if isClosed.withLock({ $0 }) { throw JournalError.closed }
      return try await base.claim(request, at: time)
    }
    let shards = Shards(2)
    let journal = try await ShardedJournal([memory, other])
    _ = try await journal.start(shards.start(in: 0), at: shards.now)
    isClosed.withLock { $0 = true }
    #expect(try await journal.claim(shards.request(), at: shards.now).runs.count == 1)
    await #expect(throws: JournalError.closed) {
      _ = try await journal.claim(shards.request(), at: shards.now)
    }
  }

  @Test("Renewals go to each shard; what is down loses nothing and holds up nothing")
  func renewals() async throws {
    let shards = Shards(3)
    let journal = try await shards.open()
    for index in 0..<3 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    let runs = try await journal.claim(shards.request(), at: shards.now).runs.map(\.record)
    let claims = runs.map(\.held)
    let lost = try #require(claims.first { journal.shard(of: $0.id) == 1 })
    _ = try await journal.change(lost.id, .cancel, at: shards.now)
    shards.set(2, isDown: true)
    shards.time.advance(by: .seconds(40))
    #expect(try await journal.renew(claims, lease: .seconds(60), at: shards.now) == [lost])
    shards.set(2, isDown: false)
    shards.time.advance(by: .seconds(30))
    let taken = try await journal.claim(shards.request("another"), at: shards.now).runs
    #expect(taken.map { journal.shard(of: $0.record.id) } == [2])
    for index in 0..<3 { shards.set(index, isDown: true) }
    await #expect(throws: JournalError.self) {
      _ = try await journal.renew(claims, lease: .seconds(60), at: shards.now)
    }
    #expect(try await journal.renew([], lease: .seconds(60), at: shards.now) == [])
  }

  @Test("A checkpoint starts and signals runs of its own shard, and refuses all others whole")
  func checkpoints() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["one"])
    _ = try await journal.start(shards.start(in: 0), at: shards.now)
    let run = try #require(
      try await journal.claim(shards.request(), at: shards.now).runs.first?.record)
    let (near, far) = (shards.start(in: 0), shards.start(in: 1))
    let other = try await journal.start(shards.start(in: 1), at: shards.now).id
    let signal = SignalRecord(
      id: "1", name: "go", payload: Data("1".utf8), sentAt: shards.time.now)
    func checkpoint(
      _ next: Checkpoint.Next, _ starts: [RunStart] = [], _ signals: [Checkpoint.Signal] = []
    ) -> Checkpoint {
      Checkpoint(
        claim: run.held, version: 1, next: next, beganAt: shards.time.now, lease: .seconds(60),
        starts: starts, signals: signals)
    }
    let stage = Checkpoint.Next.stage(Data("2".utf8))
    var wrong = shards.start(in: 0, key: shards.key(in: 0))
    wrong.id = shards.newID(slot: wrong.id.slot &+ 1)
    let child = ChildStart(far)
    // A flow that lives on one shard has children only there.
    let one = try #require(journal.slotOfRun(in: "one", key: nil))
    let isHere = journal.shard(of: shards.newID(slot: one)) == 0
    var alone = shards.start(in: 0)
    alone.flow = "one"
    let cases: [(Checkpoint, JournalError)] = [
      (checkpoint(stage, [near, far]), .otherShard(far.id)),
      (checkpoint(stage, [near, wrong]), .slotOfKey(wrong.id)),
      (checkpoint(stage, [near], [.init(to: other, signal)]), .otherShard(other)),
      (checkpoint(.joining(Data("2".utf8), .init([child]))), .otherShard(far.id)),
    ]
    for (refused, error) in cases {
      await #expect(throws: error) { _ = try await journal.checkpoint(refused, at: shards.now) }
      #expect(StageRetryPolicy.isWorthRetrying(error) == false)
    }
    if !isHere {
      let join = checkpoint(.joining(Data("2".utf8), .init([ChildStart(alone)])))
      await #expect(throws: JournalError.otherShard(alone.id)) {
        _ = try await journal.checkpoint(join, at: shards.now)
      }
    }
    #expect(try await journal.run(near.id) == nil)
    #expect(try await journal.run(run.id) == run)
    try await journal.checkpoint(checkpoint(stage, [near]), at: shards.now)
    #expect(try await journal.run(near.id) != nil)
  }

  @Test("Limits are split and never passed together; those of a flow on one shard hold there whole")
  func limits() async throws {
    let shards = Shards(3)
    let journal = try await shards.open(flowsOnOneShard: ["one"])
    let limits = FlowLimits(runs: 7, perKey: .init(2), rate: .init(100, each: .seconds(60)))
    for replacing in [false, true] {
      let kept = try await journal.setLimits(
        limits, of: "flow", replacing: replacing, at: shards.now)
      #expect(kept == limits)
    }
    #expect(try await journal.flowLimits() == ["flow": limits])
    for index in 0..<3 {
      for _ in 0..<5 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    }
    #expect(try await journal.claim(shards.request(), at: shards.now).runs.count == 7)
    await #expect(throws: ShardingError.limitTooSmall(flow: "flow", limit: 2, shards: 3)) {
      try await journal.setLimits(
        FlowLimits(runs: 2), of: "flow", replacing: true, at: shards.now)
    }
    let one = FlowLimits(runs: 1, rate: .init(2, each: .seconds(60)))
    try await journal.setLimits(one, of: "one", replacing: true, at: shards.now)
    #expect(try await journal.flowLimits()["one"] == one)
    for _ in 0..<4 {
      let slot = journal.slotOfRun(in: "one", key: nil)
      let start = RunStart(
        id: shards.newID(slot: slot), flow: "one", version: 1, payload: Data("1".utf8))
      _ = try await journal.start(start, at: shards.now)
    }
    let given = try await journal.claim(shards.request(flow: "one"), at: shards.now).runs
    #expect(given.count == 1)
    // Set by a call that failed in between, they are completed by the next runner.
    shards.set(2, isDown: true)
    await #expect(throws: JournalError.self) {
      try await journal.setLimits(
        FlowLimits(runs: 9), of: "late", replacing: true, at: shards.now)
    }
    shards.set(2, isDown: false)
    #expect(try await journal.flowLimits()["late"] == nil)
    let late = try await journal.setLimits(
      FlowLimits(runs: 9), of: "late", replacing: false, at: shards.now)
    #expect(late == FlowLimits(runs: 9))
  }

  @Test("Pauses hold in all shards, and a call that failed in between can be repeated")
  func pauses() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    for index in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    shards.set(0, isDown: true)
    await #expect(throws: JournalError.self) {
      try await journal.pause(.flow("flow"), until: nil, at: shards.now)
    }
    shards.set(0, isDown: false)
    #expect(try await shards.memories[1].pauses() == [JournalPause(.flow("flow"))])
    try await journal.pause(.flow("flow"), until: nil, at: shards.now)
    #expect(try await journal.pauses() == [JournalPause(.flow("flow"))])
    #expect(try await journal.claim(shards.request(), at: shards.now).runs.isEmpty)
    #expect(try await journal.resume(.flow("flow"), at: shards.now) == true)
    #expect(try await journal.claim(shards.request(), at: shards.now).runs.count == 2)
  }

  @Test("Changes of all shards are found from a combined mark, also after one was down")
  func changes() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    for index in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    let runs = try await journal.claim(shards.request(), at: shards.now).runs.map(\.record)
    let mark = try await journal.changes(since: nil).mark
    shards.set(1, isDown: true)
    let here = try #require(runs.first { journal.shard(of: $0.id) == 0 })
    try await journal.park(Parking(claim: here.held, reason: .dead(error: "no")), at: shards.now)
    let first = try await journal.changes(since: mark)
    #expect(first.runs == [here.id: .dead])
    shards.set(1, isDown: false)
    let there = try #require(runs.first { $0.id != here.id })
    try await journal.park(Parking(claim: there.held, reason: .dead(error: "no")), at: shards.now)
    let second = try await journal.changes(since: first.mark)
    #expect(second.runs == [there.id: .dead])
    #expect(try await journal.changes(since: second.mark).runs == [:])
    // A shard that was down at the first mark may have changed; a mark of something else says nothing.
    shards.set(1, isDown: true)
    let half = try await journal.changes(since: nil)
    shards.set(1, isDown: false)
    #expect(half.runs == [:])
    let whole = try await journal.changes(since: half.mark)
    #expect(whole.runs == nil)
    #expect(try await journal.changes(since: whole.mark).runs == [:])
    for positions: [Int64] in [[], [1], [1, 2, 3], [.max, 1], [-7]] {
      let answer = try await journal.changes(since: JournalMark(positions: positions))
      #expect(answer.runs == nil, "\(positions)")
    }
    for index in 0...1 { shards.set(index, isDown: true) }
    await #expect(throws: JournalError.self) { _ = try await journal.changes(since: mark) }
  }

  @Test(
    "Crash-suspected runs come as groups of their shards, one group at a time and nothing beside it"
  )
  func quarantine() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    for index in 0..<2 {
      for _ in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    }
    _ = try await journal.claim(shards.request("dies", .left(after: 1)), at: shards.now)
    shards.time.advance(by: .seconds(61))
    let left = try await journal.claim(shards.request("a", .left(after: 1)), at: shards.now)
    #expect(left.runs.isEmpty && left.quarantined == .groups)
    for index in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    for _ in 0..<2 {
      let group = try await journal.claim(shards.request("a", .group(after: 1)), at: shards.now)
      #expect(group.runs.count == 2)
      #expect(group.runs.allSatisfy { $0.isCrashSuspected })
      #expect(Set(group.runs.map { journal.shard(of: $0.record.id) }).count == 1)
      for run in group.runs {
        try await journal.park(
          Parking(claim: run.record.held, reason: .dead(error: "no")), at: shards.now)
      }
    }
    let others = try await journal.claim(shards.request("a", .alone(after: 1)), at: shards.now)
    #expect(others.runs.count == 2)
    #expect(others.runs.allSatisfy { !$0.isCrashSuspected })
    #expect(others.quarantined == .none)
  }

  @Test("What was done to a run is told also after its slot has come to another shard")
  func auditOfMoved() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let id = try await journal.start(shards.start(in: 0), at: shards.now).id
    try await journal.change(id, .cancel, by: "ada", at: shards.now)
    try await journal.purge(id, by: "ada", at: shards.now)
    let query = AuditQuery(subject: .run(id))
    let told = try await journal.audit(query)
    #expect(told.records.count == 2)
    let first = try #require(try await shards.memories[0].slots())
    let second = try #require(try await shards.memories[1].slots())
    _ = try await shards.memories[0].setSlots(from: first, to: first.owning(second.ranges))
    _ = try await shards.memories[1].setSlots(from: second, to: second.owning(first.ranges))
    let moved = try await shards.open()
    #expect(moved.shard(of: id) == 1)
    #expect(try await moved.audit(query) == told)
  }

  @Test("What a verification finds in a shard is found, and what is where it does not belong")
  func verifies() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    for index in 0..<2 { _ = try await journal.start(shards.start(in: index), at: shards.now) }
    var findings: [String] = []
    #expect(try await journal.verify { findings.append($0.detail) } == 2)
    #expect(findings == [])
    // The records are changed while it is open.
    for index in 0..<2 {
      let record = try #require(try await shards.memories[index].slots())
      _ = try await shards.memories[index].setSlots(
        from: record, to: record.owning(JournalSlots.all))
    }
    _ = try await shards.memories[0].start(shards.start(in: 1), at: shards.now)
    try await journal.verify { findings.append($0.detail) }
    #expect(findings == ["it is in shard 1, which does not own its slot"])
  }

  @Test("A run whose slot has come to another shard is given back, and the claim says why")
  func foreignClaim() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let first = try #require(try await shards.memories[0].slots())
    let second = try #require(try await shards.memories[1].slots())
    _ = try await shards.memories[0].setSlots(from: first, to: first.owning(second.ranges))
    _ = try await shards.memories[1].setSlots(from: second, to: second.owning(first.ranges))
    let moved = shards.start(in: 0)
    _ = try await shards.memories[1].start(moved, at: shards.now)
    for _ in 0..<2 {
      await #expect(throws: JournalError.foreignSlot) {
        _ = try await journal.claim(shards.request(), at: shards.now)
      }
    }
    let run = try #require(try await shards.memories[1].run(moved.id))
    #expect(run.state == .ready && run.attempts == 0 && run.crashes == 0)
    let opened = try await shards.open()
    let claim = try await opened.claim(shards.request(), at: shards.now)
    #expect(claim.runs.map(\.record.id) == [moved.id])
  }

  @Test("Once it was given such a run, a process claims none, whatever work of its own there is")
  func staleClaims() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let first = try #require(try await shards.memories[0].slots())
    let second = try #require(try await shards.memories[1].slots())
    _ = try await shards.memories[0].setSlots(from: first, to: first.owning([]))
    _ = try await shards.memories[1].setSlots(
      from: second, to: second.owning(second.ranges + first.ranges))
    let own = shards.start(in: 1)
    _ = try await shards.memories[1].start(own, at: shards.now)
    _ = try await shards.memories[1].start(shards.start(in: 0), at: shards.now)
    let claim = try await journal.claim(shards.request(), at: shards.now)
    #expect(claim.runs.map(\.record.id) == [own.id])
    _ = try await shards.memories[1].start(shards.start(in: 1), at: shards.now)
    await #expect(throws: JournalError.foreignSlot) {
      _ = try await journal.claim(shards.request(), at: shards.now)
    }
  }

  @Test("An identifier for a flow on one shard has an empty key, as the error of any other says")
  func identifiersOnOneShard() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["flow"])
    func start(_ key: String) -> RunStart {
      RunStart(
        id: RunID(at: shards.time.now, flow: "flow", key: key), flow: "flow", version: 1,
        key: "2026-11-24", payload: Data("1".utf8))
    }
    let wrong = start("2026-11-24")
    let error = await #expect(throws: JournalError.self) {
      _ = try await journal.start(wrong, at: shards.now)
    }
    #expect(error == .slotOfKey(wrong.id))
    #expect(error?.message.contains("an empty key if the flow is one of flowsOnOneShard") == true)
    let right = start("")
    #expect(try await journal.start(right, at: shards.now).id == right.id)
  }
}
