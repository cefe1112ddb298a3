import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Runs in quarantine", .timeLimit(.minutes(20)))
struct QuarantineTests {
  let begins = Recorder<String>()
  let renewals = Recorder<JournalProxy.Call>()
  let shop: Workshop

  init() {
    let renewals = renewals
    shop = Workshop(after: { if $0 == .renew { renewals.record($0) } })
  }

  /// Puts runs into the journal whose workers have died of them so many times.
  ///
  /// - Parameter groups: the names of those that had a worker together.
  private func leaveBehind(_ groups: [[String]], crashes: Int = 2) async throws {
    var random = SeededGenerator(seed: 1)
    for (index, name) in groups.joined().enumerated() {
      // In this order, whatever chance says.
      let date = shop.time.now - 100 + Double(index)
      let start = RunStart(
        id: RunID(at: date, using: &random), flow: "scripted", version: 0,
        payload: try StageJSON.data(of: Scripted(name)))
      _ = try await shop.memory.start(start, at: JournalTime(shop.source, boot: "earlier boot"))
    }
    for number in 1...crashes {
      for (index, group) in groups.enumerated() {
        // Of this version, so that nothing else is taken from anybody.
        let room = ClaimRequest.FlowRoom(flow: "scripted", version: 0, limit: group.count)
        let claim = try await shop.memory.claim(
          ClaimRequest(worker: "died \(index)", flows: [room], lease: .seconds(1)),
          at: JournalTime(shop.source, boot: "boot before \(number)"))
        #expect(claim.runs.count == group.count)
      }
    }
  }

  /// A runner whose stages wait at their gates, if they have one; those of two letters go on to the
  /// second one, the others come to their end.
  private func runner(
    gates: [String: Gate], options: DurableRunnerOptions? = nil
  ) throws -> DurableRunner {
    let begins = begins
    return try shop.runner(options: options) { stage, _ in
      begins.record(stage.name)
      try await gates[stage.name]?.waitUnlessCancelled()
      begins.record("-" + stage.name)
      if stage.name.count > 1 { return .advance(to: Scripted("\(stage.name.suffix(1))")) }
      return .complete(stage.name)
    }
  }

  /// Lets so much time pass that leases are renewed meanwhile, of which there is one.
  private func pass(_ seconds: Int) async {
    for _ in 0..<(seconds / 10) {
      let count = renewals.count
      await shop.deadline(at: shop.source.uptime / .seconds(1) + 10)
      shop.time.advance(by: .seconds(10))
      await renewals.elements(atLeast: count + 1)
    }
  }

  @Test("Sixteen whose worker was killed twice are worked on at the same time")
  func oneWave() async throws {
    let names = (0..<16).map { "\($0)" }
    try await leaveBehind([names])
    let isOpen = Gate()
    let begins = begins
    let runner = try shop.runner(flow: .init(maxConcurrent: 16)) { stage, _ in
      begins.record(stage.name)
      await isOpen.wait()
      return .complete(stage.name)
    }
    try await working(runner) {
      #expect(Set(await begins.elements(atLeast: 16)) == Set(names))
      isOpen.open()
      await shop.news(of: 16) { $0 == .completed }
    }
    let runs = try await shop.memory.runs(RunQuery(limit: 100)).runs
    #expect(runs.allSatisfy { $0.state == .completed && $0.crashes == 0 && $0.attempts == 0 })
  }

  @Test("Others go on beside a group of two or more, also of their flow")
  func beside() async throws {
    try await leaveBehind([["a", "b"]])
    let gates = ["a": Gate(), "b": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      await gates["b"]?.arrivals(atLeast: 1)
      let fresh = try await runner.start(Scripted("d"))
      #expect(try await fresh.value == "d")
      gates["a"]?.open()
      gates["b"]?.open()
      await shop.news(of: 3) { $0 == .completed }
    }
  }

  @Test("While a run is tried alone, schedules go on, and what they start waits")
  func schedulesGoOn() async throws {
    try await leaveBehind([["a"]])
    let gates = ["a": Gate()]
    let runner = try runner(gates: gates)
    try await runner.setSchedule(
      "each second", of: Scripted("d"), .every(.seconds(1), from: shop.time.now))
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      shop.time.advance(by: .seconds(1) + .milliseconds(1))
      await shop.news(of: 1) { kind in if case .scheduled = kind { true } else { false } }
      #expect(begins.elements == ["a"])
      gates["a"]?.open()
      await shop.news(of: 2) { $0 == .completed }
    }
    #expect(begins.elements == ["a", "-a", "d", "-d"])
  }

  @Test("A group is tried only when the one before is done")
  func oneGroupAtATime() async throws {
    try await leaveBehind([["a", "b"], ["c", "e"]])
    let gates = ["a": Gate(), "b": Gate(), "c": Gate(), "e": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      await gates["b"]?.arrivals(atLeast: 1)
      _ = try await runner.start(Scripted("d")).value
      gates["a"]?.open()
      _ = try await runner.start(Scripted("f")).value
      #expect(begins.elements.filter { ["c", "e"].contains($0) } == [])
      gates["b"]?.open()
      await gates["c"]?.arrivals(atLeast: 1)
      await gates["e"]?.arrivals(atLeast: 1)
      gates["c"]?.open()
      gates["e"]?.open()
      await shop.news(of: 6) { $0 == .completed }
    }
  }

  @Test("Single ones are worked on one after another, and nothing beside them")
  func alone() async throws {
    try await leaveBehind([["a"], ["b"], ["c"]])
    let gates = ["a": Gate(), "b": Gate(), "c": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      let fresh = try await runner.start(Scripted("d"))
      // It has looked what to do, and waits for the end of what is alone.
      await shop.deadline(at: 1_300)
      for name in ["a", "b", "c"] {
        await gates[name]?.arrivals(atLeast: 1)
        gates[name]?.open()
      }
      #expect(try await fresh.value == "d")
      await shop.news(of: 4) { $0 == .completed }
    }
    // The one that came meanwhile goes before the next of them.
    #expect(begins.elements == ["a", "-a", "d", "-d", "b", "-b", "c", "-c"])
  }

  @Test("Alone is only the stage at which the worker ended")
  func stage() async throws {
    try await leaveBehind([["ab"]])
    let gates = ["ab": Gate(), "b": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      await gates["ab"]?.arrivals(atLeast: 1)
      let fresh = try await runner.start(Scripted("d"))
      gates["ab"]?.open()
      await gates["b"]?.arrivals(atLeast: 1)
      #expect(try await fresh.value == "d")
      gates["b"]?.open()
      await shop.event { $0.kind == .completed && $0.run != fresh.id }
    }
  }

  @Test(
    "How many crashes make one is an option",
    arguments: [(1, 1, true), (0, 1, true), (2, 1, false), (3, 2, false), (3, 3, true)])
  func option(limit: Int, crashes: Int, areAlone: Bool) async throws {
    try await leaveBehind([["a"], ["b"]], crashes: crashes)
    var options = shop.options()
    options.crashesBeforeQuarantine = limit
    let gates = ["a": Gate(), "b": Gate()]
    let runner = try runner(gates: gates, options: options)
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      if !areAlone { await gates["b"]?.arrivals(atLeast: 1) }
      gates["a"]?.open()
      await gates["b"]?.arrivals(atLeast: 1)
      gates["b"]?.open()
      await shop.event { $0.kind == .completed }
    }
    let first = Array(begins.elements.prefix(2))
    #expect(areAlone ? first == ["a", "-a"] : Set(first) == ["a", "b"])
  }

  /// Can't be read without an end of the process, or so it seems.
  struct Unreadable: Stage, Codable {
    init(from decoder: any Decoder) throws {
      Issue.record("The stage was read.")
      throw CancellationError()
    }

    func encode(to encoder: any Encoder) throws {}
    func next() async throws -> Step<Self, String> { .complete("never") }
  }

  @Test(
    "When workers have died that had it alone, a run is dead before its stage is read",
    arguments: [(1, 1), (3, 3), (0, 1)])
  func unread(limit: Int, lone: Int) async throws {
    try await leaveBehind([["a"]], crashes: 1)
    for number in 1...lone {
      let room = ClaimRequest.FlowRoom(flow: "scripted", version: 0, limit: 1)
      let claim = try await shop.memory.claim(
        ClaimRequest(
          worker: "alone", flows: [room], lease: .seconds(1), quarantine: .alone(after: 1)),
        at: JournalTime(shop.source, boot: "boot alone \(number)"))
      #expect(claim.runs.map(\.isAlone) == [true])
    }
    let runner = try shop.runner(
      DurableFlow(
        Unreadable.self, name: "scripted", options: FlowOptions(maximumLoneCrashes: limit)))
    try await working(runner) {
      let event = await shop.event { if case .dead = $0.kind { true } else { false } }
      guard case .dead(let number, let error) = event.kind else { return }
      #expect(number == 0 && error.hasPrefix("Its worker has died \(lone) times"))
    }
    let record = try #require(try await shop.memory.runs(RunQuery()).runs.first)
    #expect(record.state == .dead && record.attempts == 0)
    #expect(record.loneCrashes == lone && record.crashes == lone + 1)
  }

  @Test("A crash in company makes no run dead, however often there is one")
  func company() async throws {
    try await leaveBehind([["a", "b"]], crashes: 50)
    let runner = try runner(gates: [:])
    try await working(runner) { await shop.news(of: 2) { $0 == .completed } }
  }

  @Test("Others that are due go first; for a single one a busy runner gives back what it has later")
  func turn() async throws {
    // Letters in pairs: each stage goes on to another, for ever.
    let gates = (0..<200).map { _ in Gate() }
    let begins = begins
    let runner = try shop.runner { stage, context in
      begins.record(stage.name == "a" ? "a" : "\(context.sequence)")
      try await gates[stage.name == "a" ? 199 : context.sequence].waitUnlessCancelled()
      return stage.name == "a" ? .complete("a") : .advance(to: "again")
    }
    try await working(runner) {
      let busy = try await runner.start(Scripted("again"))
      _ = await begins.elements(atLeast: 1)
      try await leaveBehind([["a"]])
      // A lease of its own begins with each stage: none of these lasts longer.
      var stages = 0
      while true {
        let names = await begins.elements(atLeast: stages + 1)
        guard names[stages] != "a", stages < 100 else { break }
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .seconds(29))
        gates[stages].open()
        stages += 1
      }
      #expect(begins.elements.last == "a" && stages >= 300 / 29)
      #expect(shop.source.uptime >= .seconds(1_300))
      await shop.event { $0.kind == .parked && $0.run == busy.id }
      gates[199].open()
      // Then it goes on, and its attempt was none.
      #expect(await begins.elements(atLeast: stages + 2).last == "\(stages)")
      #expect(try await busy.record.attempts == 1)
    }
  }

  @Test("A flow without room gets its turn in quarantine, though another has room all the time")
  func otherFlow() async throws {
    try await leaveBehind([["a", "b"]])
    var random = SeededGenerator(seed: 2)
    for name in ["c", "d"] {
      let start = RunStart(
        id: RunID(at: shop.time.now, using: &random), flow: "scripted", version: 0,
        payload: try StageJSON.data(of: Scripted(name)))
      _ = try await shop.memory.start(start, at: JournalTime(shop.source, boot: "boot"))
    }
    let gates = ["a": Gate(), "b": Gate(), "c": Gate(), "d": Gate()]
    let begins = begins
    let script = Script { stage, _ in
      begins.record(stage.name)
      try await gates[stage.name]?.waitUnlessCancelled()
      return .complete(stage.name)
    }
    let runner = try shop.runner(
      DurableFlow(
        Scripted.self, name: "scripted", services: script, options: FlowOptions(maxConcurrent: 1)),
      DurableFlow(Unreadable.self, name: "idle"))
    try await working(runner) {
      defer { for gate in gates.values { gate.open() } }
      let first = await begins.elements(atLeast: 1)[0]
      // While the one place is taken each poll asks for the idle flow alone.
      await pass(40)
      gates[first]?.open()
      let second = await begins.elements(atLeast: 2)[1]
      #expect(["c", "d"].contains(first) && ["a", "b"].contains(second))
      for gate in gates.values { gate.open() }
      await shop.news(of: 4) { $0 == .completed }
    }
  }

  @Test("A flow that is full of a long run gives its place back when the turn of a group comes")
  func fullFlow() async throws {
    try await leaveBehind([["a", "b"]])
    let begins = begins
    let gates = Locked<[Gate]>([])
    let runner = try shop.runner(flow: FlowOptions(maxConcurrent: 1)) { stage, _ in
      let gate = Gate()
      gates.withLock { $0.append(gate) }
      begins.record(stage.name)
      guard stage.name == "long" else { return .complete(stage.name) }
      try await gate.waitUnlessCancelled()
      return .advance(to: "long")
    }
    _ = try await runner.start(Scripted("long"))
    try await working(runner) {
      var stages = 0
      while true {
        let names = await begins.elements(atLeast: stages + 1)
        guard names[stages] == "long", stages < 20 else { break }
        stages += 1
        await pass(10)
        gates.withLock { $0.last }?.open()
      }
      // One lease for the others, and the stage that was under way.
      try #require(begins.elements[stages] == "a" && stages <= 5)
      await shop.news(of: 1) { $0 == .completed }
    }
  }

  @Test("Stages that are longer than a lease and overlap are waited for longer each time")
  func overlapping() async throws {
    let log = Recorder<String>()
    let gates = Locked<[String: Gate]>([:])
    let runner = try shop.runner { stage, _ in
      if stage.name == "a" {
        log.record("a")
        return .complete("a")
      }
      let gate = Gate()
      gates.withLock { $0[stage.name] = gate }
      log.record(stage.name)
      try await gate.waitUnlessCancelled()
      return .advance(to: stage)
    }
    let registration = runner.observe { if $0.kind == .parked { log.record("parked") } }
    defer { registration.cancel() }
    _ = try await runner.start(Scripted("x"))
    _ = try await runner.start(Scripted("y"))
    try await working(runner) {
      await log.elements(atLeast: 2)
      try await leaveBehind([["a"]])
      // Each stage lasts 80 s, and one of the two at least 40 s more at any time.
      var steps = 0
      while !log.elements.contains("a"), steps < 400 {
        let name = steps % 8 == 0 ? "x" : steps % 8 == 4 ? "y" : ""
        if let gate = gates.withLock({ $0.removeValue(forKey: name) }) {
          let count = log.count
          gate.open()
          await log.elements(atLeast: count + 1)
          // Once both are given back, the worker is idle.
          if log.elements.suffix(2) == ["parked", "parked"] {
            await log.elements(atLeast: count + 2)
          }
        }
        if log.elements.contains("a") { break }
        await pass(10)
        steps += 1
      }
      #expect(log.elements.contains("a"))
      #expect(steps > 33)
      for gate in gates.withLock(\.values) { gate.open() }
    }
  }

  @Test("Work that does not end is waited for a lease, and then others go on")
  func busy() async throws {
    let gates = ["a": Gate(), "x": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      _ = try await runner.start(Scripted("x"))
      await gates["x"]?.arrivals(atLeast: 1)
      // Once it polls nothing else makes it look.
      await shop.deadline(at: 1_000.25)
      shop.time.advance(by: .milliseconds(250))
      await shop.deadline(at: 1_000.5)
      try await leaveBehind([["a"]])
      // The lease of the worker that died is over, and the next poll sees what it left.
      shop.time.advance(by: .seconds(1.75))
      await shop.deadline(at: 1_002.25)
      shop.time.advance(by: .seconds(8))
      await renewals.elements(atLeast: 1)
      await pass(300)
      // Now nothing is claimed for a lease. The start makes it look: a poll that began before the
      // last step of time may have been put off to after it.
      let fresh = try await runner.start(Scripted("d"))
      await shop.deadline(at: 1_340)
      await pass(20)
      #expect(begins.elements == ["x"])
      await pass(10)
      #expect(try await fresh.value == "d")
      gates["x"]?.open()
      await gates["a"]?.arrivals(atLeast: 1)
      gates["a"]?.open()
      await shop.event { $0.kind == .completed && $0.run != fresh.id }
    }
  }

  @Test("One that does not end keeps others away for ten leases")
  func patience() async throws {
    try await leaveBehind([["a"]])
    let gates = ["a": Gate()]
    let runner = try runner(gates: gates)
    try await working(runner) {
      await gates["a"]?.arrivals(atLeast: 1)
      let fresh = try await runner.start(Scripted("d"))
      await pass(290)
      #expect(begins.elements == ["a"])
      await pass(10)
      #expect(try await fresh.value == "d")
      gates["a"]?.open()
    }
  }

  @Test("A journal that fails when it is the quarantine's turn is asked less often")
  func unavailable() async throws {
    let claims = Recorder<JournalProxy.Call>()
    let shop = Workshop(before: {
      guard $0 == .claim else { return }
      claims.record($0)
      if claims.count == 2 || claims.count == 3 { throw JournalError.unavailable("no space") }
    })
    var random = SeededGenerator(seed: 1)
    let start = RunStart(
      id: RunID(at: shop.time.now, using: &random), flow: "scripted", version: 1,
      payload: try StageJSON.data(of: Scripted("a")))
    _ = try await shop.memory.start(start, at: JournalTime(shop.source, boot: "boot"))
    for boot in ["first", "second"] {
      let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
      _ = try await shop.memory.claim(
        ClaimRequest(worker: "ended", flows: [room], lease: .seconds(1)),
        at: JournalTime(shop.source, boot: boot))
    }
    let runner = try shop.runner { _, _ in .complete("done") }
    try await working(runner) {
      await shop.deadline(at: 1_000.5)
      shop.time.advance(by: .milliseconds(500))
      await shop.deadline(at: 1_001.5)
      shop.time.advance(by: .seconds(1))
      let value = try await runner.handle(start.id, completion: String.self).value
      #expect(value == "done")
      #expect(claims.count >= 4)
    }
  }
}
