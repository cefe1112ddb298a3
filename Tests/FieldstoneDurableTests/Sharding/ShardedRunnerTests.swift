import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("A runner over several journals", .timeLimit(.minutes(20)))
struct ShardedRunnerTests {
  private func options(_ events: Recorder<RunnerEvent>) -> DurableRunnerOptions {
    DurableRunnerOptions(
      worker: "a", lease: .seconds(30), shutdownGrace: .zero, boot: "boot",
      onEvent: { events.record($0) })
  }

  private func runner(
    _ journal: any Journal, _ shards: Shards, _ events: Recorder<RunnerEvent> = Recorder(),
    script:
      @escaping @Sendable (
        Scripted, DurableContext<Script>
      ) async throws -> DurableStep<Scripted, String>
  ) throws -> DurableRunner {
    let flow = DurableFlow(Scripted.self, name: "scripted", services: Script(script))
    return try DurableRunner(
      journal: journal, flows: [flow], options: options(events), time: shards.time.source)
  }

  /// Lets time pass in steps until something has come to its end.
  private func passing<Value: Sendable>(
    _ shards: Shards, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let isDone = Locked(false)
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return try await body()
    }
    while !isDone.withLock({ $0 }), !Task.isCancelled {
      await shards.time.sleepers(atLeast: 1)
      shards.time.advance(by: .milliseconds(250))
      for _ in 0..<20 { await Task.yield() }
    }
    return try await task.value
  }

  @Test("A fork with a key is where the key's runs are, whatever shard the old run is on")
  func forks() async throws {
    let shards = Shards(2)
    let runner = try runner(try await shards.open(), shards) { stage, _ in .complete(stage.name) }
    let keys = [shards.key(in: 0, flow: "scripted"), shards.key(in: 1, flow: "scripted")]
    for old in [nil] + keys.map(Optional.some) {
      let run = try await runner.start(Scripted("a"), key: old)
      for key in keys {
        let key = "\(key), again of \(old ?? "none")"
        let fork = try await runner.fork(run.id, from: 0, key: key)
        #expect(fork.slot == RunID.slot(of: "scripted", key: key))
      }
      #expect(try await runner.fork(run.id, from: 0).slot == run.id.slot)
    }
  }

  @Test("A fork of many gives the fork of a child the slot of its key or of its flow")
  func forksOfChildren() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["single"])
    let single = RunID.slot(of: "single", key: "")
    let home = Int(single) / 32_768
    let key = shards.key(in: 1 - home)
    let parent = shards.start(in: home)
    _ = try await journal.start(parent, at: shards.now)
    let claim = try #require(
      try await journal.claim(shards.request(), at: shards.now).runs.first?.record.held)
    // Children have their parent's slot.
    func child(_ flow: String, _ key: String? = nil) -> RunStart {
      RunStart(
        id: shards.newID(slot: parent.id.slot), flow: flow, version: 1, payload: Data("1".utf8),
        concurrencyKey: key)
    }
    let children = [child("flow", key), child("single"), child("flow")]
    try await journal.checkpoint(
      Checkpoint(
        claim: claim, version: 1,
        next: .joining(Data("2".utf8), .init(children.map { ChildStart($0) })),
        beganAt: shards.time.now, lease: .seconds(60)), at: shards.now)
    let change = BulkChange(.fork(from: nil), of: RunQuery(states: [.ready]))
    let youngest = try #require(try await journal.count(change).youngest)
    for _ in 0..<2 {
      let result = try await journal.perform(
        change, upTo: youngest, BulkCall(by: nil, checkedBy: .unchecked), at: shards.now)
      #expect(result.changed == 4 && result.isDone)
    }
    let forks = try await journal.runs(RunQuery()).runs.filter { $0.origin != nil }
    #expect(forks.count == 4)
    let found = Dictionary(
      forks.compactMap { fork in fork.origin.map { ($0.run, fork.id.slot) } },
      uniquingKeysWith: { first, _ in first })
    #expect(
      found == [
        parent.id: parent.id.slot, children[0].id: RunID.slot(of: "flow", key: key),
        children[1].id: single, children[2].id: parent.id.slot,
      ])
  }

  @Test(
    "While a shard is down the others' runs go on; its own wait, and end when it is back")
  func down() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let runner = try runner(journal, shards) { stage, _ in
      stage == "first" ? .advance(to: "second") : .complete("done")
    }
    let keys = [shards.key(in: 0, flow: "scripted"), shards.key(in: 1, flow: "scripted")]
    let waiting = try await runner.start(Scripted("first"), key: keys[1])
    shards.set(1, isDown: true)
    let going = try await runner.start(Scripted("first"), key: keys[0])
    try await working(runner) {
      let first = try await passing(shards) { try await going.value }
      #expect(first == "done")
      await #expect(throws: JournalError.self) {
        _ = try await runner.start(
          Scripted("first"), key: shards.key(in: 1, flow: "scripted", but: [keys[1]]))
      }
      #expect(try await shards.memories[1].run(waiting.id)?.sequence == 0)
      shards.set(1, isDown: false)
      let second = try await passing(shards) { try await waiting.value }
      #expect(second == "done")
    }
  }

  @Test("A limit that can't be split over the shards ends the runner with the reason")
  func limitTooSmall() async throws {
    let shards = Shards(2)
    let limited = FlowOptions<Scripted>(limits: FlowLimits(runs: 1))
    let script = Script { (_, _) -> DurableStep<Scripted, String> in .complete("done") }
    let flow = DurableFlow(Scripted.self, name: "scripted", services: script, options: limited)
    let runner = try DurableRunner(
      journal: try await shards.open(), flows: [flow], options: options(Recorder()),
      time: shards.time.source)
    let error = ShardingError.limitTooSmall(flow: "scripted", limit: 1, shards: 2)
    await #expect(throws: error) { try await runner.run() }
  }

  @Test("A shard whose renewals hang costs the runs of the others no lease")
  func hangs() async throws {
    let shards = Shards(2)
    let hold = Gate()
    let renewed = Recorder<Int>()
    let journals = shards.memories.enumerated().map { index, memory in
      JournalProxy(
        journal: memory,
        before: { call in if index == 1, call == .renew { await hold.wait() } },
        after: { call in if call == .renew { renewed.record(index) } })
    }
    let journal = try await ShardedJournal(journals)
    let events = Recorder<RunnerEvent>()
    let begun = Recorder<RunID>()
    let finish = Gate()
    let runner = try runner(journal, shards, events) { _, context in
      begun.record(context.run)
      if journal.shard(of: context.run) == 0 { await finish.wait() } else { await hold.wait() }
      return .complete("\(context.attempt)")
    }
    let here = try await runner.start(
      Scripted("a"), key: shards.key(in: 0, flow: "scripted"))
    let there = try await runner.start(
      Scripted("a"), key: shards.key(in: 1, flow: "scripted"))
    try await working(runner) {
      _ = await begun.elements(atLeast: 2)
      for round in 1...5 {
        shards.time.advance(by: .seconds(10))
        // The renewals of the shard that answers come at a third of the lease.
        _ = await renewed.elements(atLeast: round)
      }
      #expect(renewed.elements == [0, 0, 0, 0, 0])
      finish.open()
      let only = try await passing(shards) { try await here.value }
      #expect(only == "1")
      hold.open()
      var lost: [RunID?] = []
      var seen = 0
      while lost.isEmpty {
        let all = await events.elements(atLeast: seen + 1)
        lost = all.filter { $0.kind == .lost(.leaseEnded) }.map(\.run)
        seen = all.count
      }
      #expect(lost == [there.id])
    }
  }

  @Test("What a stage starts without a key is in its own shard; a key of another shard is an error")
  func stages() async throws {
    let shards = Shards(2)
    let journal = try await shards.open()
    let far = shards.key(in: 1, flow: "scripted")
    let runner = try runner(journal, shards) { stage, context in
      switch stage {
      case "near":
        for _ in 0..<8 { try context.start(Scripted("leaf")) }
        return .join(try (0..<8).map { _ in try context.child(Scripted("leaf")) }, then: "joined")
      case "far":
        try context.start(Scripted("leaf"), key: far)
        return .complete("far")
      default: return .complete(stage.name)
      }
    }
    let near = try await runner.start(Scripted("near"), key: shards.key(in: 0, flow: "scripted"))
    let refused = try await runner.start(
      Scripted("far"),
      key: shards.key(
        in: 0, flow: "scripted", but: [shards.key(in: 0, flow: "scripted")]))
    try await working(runner) {
      let joined = try await passing(shards) { try await near.value }
      #expect(joined == "joined")
      await #expect(throws: DurableRunError.self) {
        _ = try await passing(shards) { try await refused.value }
      }
    }
    #expect(try await shards.memories[0].runs(RunQuery()).runs.count == 18)
    #expect(try await shards.memories[1].runs(RunQuery()).runs.isEmpty)
    let error = try await journal.run(refused.id)?.error ?? ""
    #expect(error.contains("lives on another shard"))
  }

  @Test("The runs of a schedule are where it is, with or without a concurrency key")
  func schedules() async throws {
    let shards = Shards(3)
    let journal = try await shards.open()
    let runner = try runner(journal, shards) { stage, _ in .complete(stage.name) }
    for number in 0..<6 {
      let options = ScheduleOptions(concurrencyKey: number.isMultiple(of: 2) ? "\(number)" : nil)
      try await runner.setSchedule(
        "schedule \(number)", of: Scripted("\(number)"),
        .every(.seconds(60), from: shards.time.now), options: options)
    }
    #expect(try await runner.schedules().count == 6)
    try await working(runner) {
      let ids = try await passing(shards) {
        while true {
          let runs = try await journal.runs(RunQuery(states: [.completed])).runs
          if runs.count >= 6 { return runs.map(\.id) }
          try await shards.time.source.sleep(for: .seconds(1))
        }
      }
      #expect(ids.count >= 6)
      for number in 0..<6 {
        let id = try await runner.runNow(schedule: "schedule \(number)")
        #expect(try await journal.run(id) != nil)
      }
      #expect(try await runner.removeSchedule("schedule 1") == true)
    }
  }

  /// The schedules whose runs are completed after some minutes at most.
  private func ticked(
    _ journal: any Journal, _ runner: DurableRunner, _ shards: Shards, atLeast count: Int
  ) async throws -> Set<String> {
    try await working(runner) {
      try await passing(shards) {
        var names: Set<String> = []
        for _ in 0..<200 where names.count < count {
          let runs = try await journal.runs(RunQuery(states: [.completed], limit: 1_000)).runs
          for run in runs {
            if case .string(let name) = run.attributes[ScheduleOptions.scheduleAttribute] {
              names.insert(name)
            }
          }
          try await shards.time.source.sleep(for: .seconds(1))
        }
        return names
      }
    }
  }

  private func failures(_ events: Recorder<RunnerEvent>) -> [String] {
    events.elements.compactMap { event in
      if case .scheduleFailed(let name, let error) = event.kind { "\(name): \(error)" } else { nil }
    }
  }

  @Test("The schedules of a flow tick on after it came to those on one shard, or left them")
  func schedulesOfOneShard() async throws {
    let flows: [(Set<String>, Set<String>)] = [(["scripted"], []), ([], ["scripted"])]
    for (before, after) in flows {
      let shards = Shards(2)
      let first = try runner(try await shards.open(flowsOnOneShard: before), shards) {
        stage, _ in .complete(stage.name)
      }
      for number in 0..<6 {
        try await first.setSchedule(
          "\(number)", of: Scripted("\(number)"), .every(.seconds(60), from: shards.time.now))
      }
      let journal = try await shards.open(flowsOnOneShard: after)
      let events = Recorder<RunnerEvent>()
      let second = try runner(journal, shards, events) { stage, _ in .complete(stage.name) }
      for number in 0..<2 { try await second.pauseSchedule("\(number)") }
      for number in 1..<3 { #expect(try await second.removeSchedule("\(number)")) }
      #expect(try await second.resumeSchedule("0"))
      let names = try await ticked(journal, second, shards, atLeast: 4)
      #expect(names == ["0", "3", "4", "5"])
      #expect(failures(events) == [])
      #expect(try await second.schedules().map(\.schedule.name) == ["0", "3", "4", "5"])
    }
  }

  @Test("A schedule of a flow on one shard that is run on this shard alone has the flow's slot")
  func runsOnOneShard() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["scripted"])
    let first = try runner(journal, shards) { stage, _ in .complete(stage.name) }
    let slot = try #require(journal.slotOfRun(in: "scripted", key: nil))
    let alone = try runner(shards.memories[slot < 32_768 ? 0 : 1], shards) {
      stage, _ in .complete(stage.name)
    }
    for number in 0..<6 {
      try await first.setSchedule(
        "\(number)", of: Scripted("a"), .every(.seconds(60), from: shards.time.now))
      let id = try await alone.runNow(schedule: "\(number)")
      #expect(id.slot == slot)
    }
  }

  @Test("A fork of a flow on one shard that is made on this shard alone has the flow's slot")
  func forksOnOneShard() async throws {
    let shards = Shards(2)
    let journal = try await shards.open(flowsOnOneShard: ["scripted"])
    let slot = try #require(journal.slotOfRun(in: "scripted", key: nil))
    let alone = shards.memories[slot < 32_768 ? 0 : 1]
    let runner = try runner(alone, shards) { stage, _ in .complete(stage.name) }
    for number in 0..<6 {
      let start = RunStart(
        id: shards.newID(slot: slot), flow: "scripted", version: 1,
        payload: try StageJSON.data(of: Scripted("a")), concurrencyKey: "\(number)")
      _ = try await journal.start(start, at: shards.now)
      #expect(try await runner.fork(start.id, from: 0).slot == slot)
      #expect(try await runner.fork(start.id, from: 0, key: "again \(number)").slot == slot)
    }
  }

  @Test("While a shard is down, the schedules of the others tick on through a codec around them")
  func codedSchedulesWhileDown() async throws {
    let shards = Shards(2)
    let journal = CodedJournal(xor: try await shards.open())
    let events = Recorder<RunnerEvent>()
    let first = try runner(journal, shards, events) { stage, _ in .complete(stage.name) }
    var names: [Set<String>] = [[], []]
    for _ in 0..<3 {
      for shard in 0...1 {
        let name = shards.key(in: shard, flow: "scripted", but: names[shard])
        names[shard].insert(name)
        try await first.setSchedule(
          name, of: Scripted("a"), .every(.seconds(60), from: shards.time.now))
      }
    }
    // The first tick brings each to its shard.
    #expect(try await ticked(journal, first, shards, atLeast: 6) == names[0].union(names[1]))
    let here = Set(try await shards.memories[0].schedules().map(\.name))
    #expect(here == names[0])
    shards.time.advance(by: .seconds(1))
    let retention = JournalRetention(runs: .zero)
    #expect(try await shards.memories[0].purge(retention, at: shards.now) >= here.count)
    shards.set(1, isDown: true)
    let second = try runner(journal, shards, events) { stage, _ in .complete(stage.name) }
    let again = try await ticked(shards.memories[0], second, shards, atLeast: here.count)
    #expect(again == here)
    #expect(failures(events) == [])
  }

  @Test("Schedules tick through a codec around a sharded journal as well as around its shards")
  func codedSchedules() async throws {
    let shards = Shards(2)
    let around = CodedJournal(xor: try await shards.open())
    let within = try await ShardedJournal(
      shards.memories.map { CodedJournal(xor: $0) }, time: shards.time.source)
    for (number, journal) in ([around, within] as [any Journal]).enumerated() {
      let events = Recorder<RunnerEvent>()
      let runner = try runner(journal, shards, events) { stage, _ in .complete(stage.name) }
      let names = Set((0..<6).map { "\(number) \($0)" })
      for name in names {
        try await runner.setSchedule(
          name, of: Scripted("a"), .every(.seconds(60), from: shards.time.now))
      }
      let found = try await ticked(journal, runner, shards, atLeast: 6 * (number + 1))
      #expect(found.isSuperset(of: names))
      #expect(failures(events) == [])
      for name in names { try await runner.runNow(schedule: name) }
    }
  }

  @Test("A schedule that its journal does not change is told once, and asked for at each poll")
  func unchangeable() async throws {
    let shards = Shards(1)
    let tries = Locked(0)
    var journal = JournalMutant(base: shards.memories[0])
    journal.onSetSchedule = { _, _, _, _, _, _ in
      tries.withLock { $0 += 1 }
      return false
    }
    let schedule = FlowSchedule(
      name: "stuck", flow: "scripted", version: 1, stage: "1",
      timing: .every(.seconds(60), from: shards.time.now))
    let status = ScheduleStatus(
      schedule: schedule, progress: ScheduleProgress(nextTick: shards.time.now))
    let record = try status.record(dueAt: shards.time.now)
    _ = try await shards.memories[0].setSchedule(
      "stuck", from: nil, to: record, starting: [], at: shards.now)
    let events = Recorder<RunnerEvent>()
    let runner = try runner(journal, shards, events) { stage, _ in .complete(stage.name) }
    #expect(try await ticked(journal, runner, shards, atLeast: 1) == [])
    #expect(failures(events) == ["stuck: \(ScheduleError.contended("stuck").message)"])
    let count = tries.withLock { $0 }
    #expect(count > 2 && count < 1_000)
  }
}
