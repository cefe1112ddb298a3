import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// Workers, runs, signals and faults, all by one seed, in one thread.
struct Simulation {
  let world: SimulatedWorld
  let faults: Int
  let attempts: Int
  /// Whether nothing ends workers but runs, and no machine sleeps.
  let isCalm: Bool
  let loneCrashes = 3
  /// What all workers keep together; in half of the worlds nothing.
  let limits: FlowLimits?
  /// How long an attempt may take; in most worlds any time.
  let timeLimit: Duration?
  private let faultsEndAt = Duration.seconds(200)
  /// All workers that there were, and those that a run has ended.
  private let hands = Locked<(all: [Hand], ended: Set<String>)>(([], []))

  init(seed: UInt64, isCoded: Bool = false) {
    world = SimulatedWorld(seed: seed, isCoded: isCoded)
    isCalm = world.percent() < 30
    faults = isCalm ? 0 : world.number(0...25)
    attempts = world.percent() < 10 ? 3 : 10_000
    if world.percent() < 50 {
      limits = nil
    } else {
      // A dead run that holds its place would keep those behind it from ending.
      let perKey = FlowLimits.PerKey(
        world.number(1...2), counting: world.percent() < 50 ? .wholeRun : .executing,
        whenStuck: .releases)
      limits = FlowLimits(
        runs: world.percent() < 50 ? world.number(1...3) : nil,
        counting: world.percent() < 40 ? .wholeRun : .executing, whenStuck: .releases,
        perKey: world.percent() < 70 ? perKey : nil,
        rate: world.percent() < 30 ? .init(world.number(1...3), each: .seconds(20)) : nil)
    }
    world.set(limits)
    let timeLimit = world.percent() < 30 ? Duration.seconds(world.number(10...40)) : nil
    self.timeLimit = timeLimit
    let isExact = isCalm
    world.withStarts { ($0.isExact, $0.timeLimit) = (isExact, timeLimit) }
  }

  /// Runs to the end, and tells what was wrong.
  func violations() -> [String] {
    defer {
      world.time.end()
      world.executor.drain()
      // They keep the world, which keeps them.
      hands.withLock { $0 = ([], []) }
    }
    _ = awaited {
      try await world.memory.setLimits(limits, of: "simulated", replacing: true, at: now)
    }
    let first = (0..<world.number(1...3)).map { hire("worker-\($0)") }
    let runs = (0..<world.number(1...5)).map { _ in begin() }
    if world.percent() < 10 { startMany() }
    let crashes = Task(executorPreference: world.executor) {
      if !isCalm { try await self.crashes(first) }
    }
    if world.percent() < 25 { occupy { try await schedule() } }
    if world.percent() < 30 {
      let journal = FaultyJournal(
        world: world, worker: "person", faults: faults, until: faultsEndAt)
      occupy { try await change(by: journal) }
    }
    if world.percent() < 30 {
      let journal = FaultyJournal(
        world: world, worker: "person", faults: faults, until: faultsEndAt)
      occupy { try await startLater(by: journal) }
    }
    var pauses = 0
    while !isOver(runs) {
      pauses += 1
      // A whole machine may be asleep for longer than its leases.
      let excess = !isCalm && world.percent() < 2 ? Duration.seconds(world.number(1...60)) : .zero
      guard world.time.jump(beyond: excess), pauses < 100_000 else {
        return world.violations + ["it does not end: \(records(runs).map(\.state))"]
      }
    }
    _ = awaited { try await crashes.value }
    let all = hands.withLock { $0.all }
    for hand in all { hand.work.cancel() }
    world.executor.drain()
    for hand in all {
      let isEnded = Locked(false)
      Task(executorPreference: world.executor) {
        _ = await hand.work.result
        isEnded.withLock { $0 = true }
      }
      world.executor.drain()
      while !isEnded.withLock({ $0 }), world.time.jump(beyond: .zero) { world.executor.drain() }
      if !isEnded.withLock({ $0 }) { world.violation("\(hand.name) does not end") }
    }
    let findings = awaited { [memory = world.memory] in
      var findings: [JournalFinding] = []
      try await memory.verify { findings.append($0) }
      return findings
    }
    for finding in findings ?? [JournalFinding("it can't be verified")] {
      world.violation("\(finding)")
    }
    world.examineTicks(records(runs))
    world.examineOrigins(records(runs))
    for run in records(runs) {
      let links = links(of: run.id)
      world.examine(run, links: links)
      if let origin = run.origin {
        let others = self.links(of: origin.run)
        let stage = others.first { $0.sequence == origin.sequence }?.payload
        world.examine(run, links: links, from: stage ?? record(origin.run)?.payload)
      }
      let children = awaited {
        try await world.memory.children(of: run.id, at: nil, after: nil, limit: 1_000)
      }
      world.examine(run, children: children?.children ?? [])
      world.examineDeath(of: run, limit: loneCrashes)
      world.examineDeadline(of: run, slack: isCalm ? 60 : 600)
    }
    // The bound of the documentation, for as many as a worker has at most: two before the quarantine,
    // the logarithm, and those alone.
    let ended = Array(world.poisons.values)
    let each = 2 + (world.maxConcurrent > 2 ? 2 : world.maxConcurrent - 1) + loneCrashes
    if isCalm, ended.reduce(0, +) > ended.count * each {
      world.violation("\(ended) workers ended, where \(each) are allowed for each run")
    }
    return world.violations
  }
}

// MARK: Workers

extension Simulation {
  /// A worker, its journal, and its work.
  private struct Hand: Sendable {
    let name: String
    let journal: FaultyJournal
    let work: Task<Void, any Error>
  }

  /// The flow as a worker has it.
  ///
  /// - Parameter die: ends the worker.
  func flow(_ worker: String, die: @escaping @Sendable () -> Void) -> DurableFlow {
    let policy = StageRetryPolicy(
      maximumAttempts: attempts, maximumDelay: .seconds(10),
      shouldRetry: { [world] error in
        if case DurableRunnerError.timeLimitExceeded = error { world.count("timeLimit") }
        return StageRetryPolicy.isWorthRetrying(error)
      })
    return DurableFlow(
      SimulatedStage.self, name: "simulated",
      services: SimulatedServices(world: world, worker: worker, die: die),
      options: FlowOptions(
        maxConcurrent: world.maxConcurrent, limits: limits, retryPolicy: { _ in policy },
        timeLimit: { [timeLimit] _ in timeLimit }, maximumLoneCrashes: loneCrashes))
  }

  private func hire(_ name: String) -> Hand {
    let journal = FaultyJournal(world: world, worker: name, faults: faults, until: faultsEndAt)
    let flow = flow(name) { self.end(name) }
    var runnerOptions = DurableRunnerOptions(
      worker: name, lease: .seconds(30), pollInterval: .seconds(5),
      shutdownGrace: .seconds(world.number(0...10)), boot: "boot", random: { world.bits() },
      executor: world.executor, onEvent: { world.heard($0) })
    // Not on a thread of its own, so that the seed alone decides what comes after what.
    runnerOptions.renewalExecutor = world.executor
    let work = Task(executorPreference: world.executor) { [runnerOptions] in
      let runner = try DurableRunner(
        journal: journal, flows: [flow], options: runnerOptions, time: world.time.source)
      try await runner.run()
    }
    let hand = Hand(name: name, journal: journal, work: work)
    hands.withLock { $0.all.append(hand) }
    return hand
  }

  /// A run ends its worker, as if its process had been killed; another comes.
  private func end(_ name: String) {
    let hand = hands.withLock { hands in
      hands.ended.insert(name).inserted ? hands.all.first { $0.name == name } : nil
    }
    guard let hand else { return }
    hand.journal.cut()
    hand.work.cancel()
    _ = hire(name + "+")
  }

  /// Kills workers, or shuts them down, and hires others.
  private func crashes(_ hands: [Hand]) async throws {
    var hands = hands
    for number in 0..<world.number(0...4) {
      try await world.nap(upTo: 80)
      let index = world.number(0...(hands.count - 1))
      if world.percent() < 60 { hands[index].journal.cut() }
      hands[index].work.cancel()
      hands[index] = hire("substitute-\(number)")
    }
  }
}

// MARK: Runs

extension Simulation {
  var now: JournalTime { JournalTime(world.time.source, boot: "boot") }

  func newID() -> RunID {
    var random = SeededGenerator(seed: world.bits())
    return RunID(at: world.time.now, using: &random)
  }

  /// Has a person do something, beside the workers, that the simulation waits for.
  private func occupy(_ body: @escaping @Sendable () async throws -> Void) {
    world.busy(1)
    Task(executorPreference: world.executor) {
      do {
        try await body()
      } catch is CancellationError {
        // It is over.
      } catch {
        world.violation("\(error)")
      }
      world.busy(-1)
    }
  }

  /// Starts a run, and sends it signals, each now and then twice.
  private func begin() -> RunID {
    let time = now
    let isPoison = world.percent() < 10
    var prepared = newStart(length: world.number(0...8), keys: isPoison ? 0 : 30)
    if isPoison {
      world.poison(prepared.id)
    } else if prepared.key == nil, world.percent() < 60 {
      prepared.attributes = Self.crowd
    }
    let start = prepared
    let words = world.number(0...4)
    let isPaused = world.percent() < 15
    let target: PauseTarget =
      switch world.number(0...2) {
      case 0: .flow(start.flow)
      case 1: .concurrencyKey(start.concurrencyKey ?? "0", flow: start.flow)
      default: .run(start.id)
      }
    let isCalledOff = world.percent() < 5
    if let run = awaited({ [world] in try await world.memory.start(start, at: time) }) {
      world.answered(start, by: run)
    }
    Task(executorPreference: world.executor) {
      guard isPaused else { return }
      try await world.nap(upTo: 60)
      let end = world.percent() < 50 ? world.date(within: 60) : nil
      try? await world.memory.pause(target, until: end, at: now)
      try await world.nap(upTo: 60)
      try await world.memory.resume(target, at: now)
    }
    Task(executorPreference: world.executor) {
      for word in 1..<(words + 1) {
        try await world.nap(upTo: 60)
        for _ in 0..<world.number(1...2) {
          let signal = SignalRecord(
            id: "\(word)", name: "word", payload: try StageJSON.data(of: word), sentAt: now.date)
          guard (try? await world.memory.signal(start.id, signal, at: now)) != nil else { continue }
          world.accepted(word, by: start.id)
        }
      }
      guard isCalledOff else { return }
      _ = try? await world.memory.change(start.id, .cancel, at: now)
    }
    return start.id
  }

  private func isOver(_ runs: [RunID]) -> Bool {
    world.executor.drain()
    return !world.isBusy && records(runs).allSatisfy(\.state.isOver)
  }

  private func record(_ id: RunID) -> RunRecord? {
    awaited { try await world.memory.run(id) } ?? nil
  }

  private func links(of id: RunID) -> [StepRecord] {
    awaited { try await world.memory.steps(of: id, after: nil, limit: 1_000) }?.steps ?? []
  }

  private func records(_ runs: [RunID]) -> [RunRecord] {
    awaited { try await world.memory.runs(RunQuery(limit: 1_000)) }?.runs ?? []
  }

  /// What comes of work that needs no time but that of others.
  func awaited<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Value? {
    let result = Locked<Value?>(nil)
    Task(executorPreference: world.executor) {
      let value = try await body()
      result.withLock { $0 = value }
    }
    world.executor.drain()
    while result.withLock({ $0 }) == nil, world.time.jump(beyond: .zero) {
      world.executor.drain()
    }
    return result.withLock { $0 }
  }
}
