import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// One run of a trial, undisturbed or killed once.
struct TrialRun<World: Sendable>: Sendable {
  let plan: TrialPlan<World>
  var kill: TrialKillPoint?

  func run() async throws -> TrialResult {
    // The task below could end before it hears of a cancellation.
    try Task.checkCancellation()
    let executor = TrialExecutor()
    let task = Task(executorPreference: executor) { [self] in
      try await TrialSupervisor(plan, kill: kill, executor: executor).result()
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
      executor.interrupt()
    }
  }
}

/// Continues a run whenever nothing is left to do: with another process, an answer, or a later
/// time.
private final class TrialSupervisor<World: Sendable> {
  /// A process with its runner's task.
  private struct Hand {
    let process: TrialProcess
    let runner: DurableRunner
    let work: Task<Void, Never>
  }

  private let plan: TrialPlan<World>
  private let kill: TrialKillPoint?
  private let executor: TrialExecutor
  private let memory = InMemoryJournal()
  private let log = TrialLog()
  private let time: TrialTime
  private var hands: [Hand] = []

  init(_ plan: TrialPlan<World>, kill: TrialKillPoint?, executor: TrialExecutor) {
    self.plan = plan
    self.kill = kill
    self.executor = executor
    time = TrialTime(beginsAt: plan.options.beginsAt)
  }

  /// More consecutive skips than this, without a stage that begins, count as a standstill.
  private static var maximumSkips: Int { 100_000 }

  func result() async throws -> TrialResult {
    let result: Result<TrialResult, any Error>
    do { result = .success(try await live()) } catch { result = .failure(error) }
    await tidyUp()
    return try result.get()
  }

  private func live() async throws -> TrialResult {
    let world = try await plan.world(time.source())
    let runner = try hire(in: world)
    log.begin(plan.id)
    try await plan.start(runner, plan.id)
    do {
      try await goToTheEnd(in: world)
      if let kill, !log.isKillReached { throw FlowTrialError.notRepeated(kill.stage) }
    } catch let error as FlowTrialError where kill != nil && !error.isCancellation {
      return log.result(
        outcome: .unended(error), effects: nil, skippedTime: time.uptime, ended: [])
    }
    guard let record = try await memory.run(plan.id) else { throw JournalError.noRun(plan.id) }
    let effects = try await plan.effects?(world)
    var result = log.result(
      outcome: FlowTrialOutcome(record), effects: effects, skippedTime: time.uptime,
      ended: try await runs())
    if kill == nil { result.report = try await report() }
    return result
  }

  /// The progress and the log lines of the trial's run.
  ///
  /// Its runner writes the last ones within half a second of the end.
  private func report() async throws -> RunReport {
    let end = time.uptime + .milliseconds(500)
    while time.uptime < end, time.skip() { await executor.quiet() }
    return try await memory.report(of: plan.id, after: nil)
  }

  /// Ends killed processes and those with nothing more to do.
  private func tidyUp() async {
    executor.goOn()
    for hand in hands {
      hand.process.letGo()
      hand.work.cancel()
    }
    await executor.quiet()
    // Work on another executor that ignores its cancellation is not awaited.
    for _ in 0..<10 where !hands.allSatisfy(\.process.isOver) {
      guard time.wakeAll() else { return }
      await executor.quiet()
    }
  }
}

extension TrialSupervisor {
  private func goToTheEnd(in world: World) async throws {
    var isAwaitingWork = false
    var skips = 0
    var beginnings = 0
    while true {
      await executor.quiet(afterMore: isAwaitingWork)
      if let failure = log.failure { throw failure }
      let stage = log.stageAtWork(asleep: time.sleepingWork)
      if Task.isCancelled {
        if let stage { throw FlowTrialError.stillAtWork(stage) }
        throw CancellationError()
      }
      isAwaitingWork = stage != nil
      if isAwaitingWork { continue }
      guard let hand = hands.last else { return }
      if hand.process.isKilled {
        _ = try hire(in: world)
        continue
      }
      if let failure = hand.process.failure { throw failure }
      let open = try await runs([.ready, .running, .blocked])
      if open.allSatisfy({ $0.state == .blocked }) { return }
      if try await answer(open, by: hand.runner) { continue }
      skips = log.beginnings == beginnings ? skips + 1 : 0
      beginnings = log.beginnings
      guard skips < Self.maximumSkips, time.skip() else { throw try await standstill(of: open) }
    }
  }

  /// Starts a process; it has its own boot, so that it takes over at once the runs that others
  /// held.
  private func hire(in world: World) throws -> DurableRunner {
    let process = TrialProcess(number: hands.count)
    let write = plan.transaction
    let journal = TrialJournal(
      memory: memory, process: process, log: log, kill: hands.isEmpty ? kill : nil,
      transaction: write.map { write in { @Sendable in try await write(world, $0) } })
    let name = "trial-\(process.number)"
    let bits = TrialBits(process: process.number)
    var options = DurableRunnerOptions(
      worker: name, pollInterval: TrialTime.never, shutdownGrace: .zero, boot: name,
      random: { bits.next() }, executor: executor,
      aroundStage: { [memory, log, executor, limit = plan.options.maximumStages] attempt in
        guard await process.goesOn(), let record = try await memory.run(attempt.run) else {
          throw CancellationError()
        }
        // A flow that never suspends would keep the supervisor from its turn to see a cancellation.
        guard !executor.isInterrupted,
          let work = log.beginWork(at: record, in: process, limit: limit)
        else {
          process.kill()
          _ = await process.goesOn()
          throw CancellationError()
        }
        defer { log.endWork(work) }
        return try await TrialWork.$current.withValue(work) { try await attempt.perform() }
      })
    // Not on a separate thread, which no executor would see.
    options.renewalExecutor = executor
    let runner = try DurableRunner(
      journal: journal, flows: try plan.flows(world), options: options,
      time: time.source(of: process))
    let work = Task(executorPreference: executor) {
      do {
        try await runner.run()
        process.end(with: nil)
      } catch {
        process.end(with: error)
      }
    }
    hands.append(Hand(process: process, runner: runner, work: work))
    return runner
  }

  /// The runs of the trial, oldest first.
  private func runs(_ states: Set<RunState> = []) async throws -> [RunRecord] {
    var runs: [RunRecord] = []
    var query = RunQuery(states: states, limit: 1_000)
    repeat {
      let page = try await memory.runs(query)
      runs += page.runs
      query.before = page.next
    } while query.before != nil
    return runs.reversed()
  }

  /// Sends the awaited signals; false if there were none.
  private func answer(_ open: [RunRecord], by runner: DurableRunner) async throws -> Bool {
    var hasSent = false
    for record in open where record.state == .ready && !record.awaitedSignals.isEmpty {
      let reason = try await memory.waitReason(of: record.id, at: time.now)
      guard case .signals(let names, let date) = reason,
        names.contains(where: { plan.answers[$0] != nil }),
        log.isAskedFirst(log.place(of: record.id, record.sequence))
      else { continue }
      for name in names {
        guard let answer = plan.answers[name] else { continue }
        let wait = FlowTrialWait(
          flow: record.flow, run: record.id, sequence: record.sequence, signal: name, until: date,
          now: time.now)
        guard let value = try await answer(wait) else { continue }
        // The completion's type does not matter: the handle's value is never read.
        let run = runner.handle(record.id, completion: String.self)
        try await run.signal(name, value, id: "trial-\(record.sequence)")
        hasSent = true
        break
      }
    }
    return hasSent
  }

  /// The error for a standstill: of the first run that does not wait for another run of the trial.
  private func standstill(of open: [RunRecord]) async throws -> any Error {
    var reasons: [(stage: FlowTrialStage, reason: RunWaitReason)] = []
    for record in open {
      let reason = try await memory.waitReason(of: record.id, at: time.now)
      if case .signals(let names, until: nil) = reason {
        return FlowTrialError.awaitsSignals(names, at: log.stage(of: record))
      }
      reasons.append((log.stage(of: record), reason))
    }
    let first = reasons.first { one in
      if case .children = one.reason { false } else { true }
    }
    guard let found = first ?? reasons.first else { return CancellationError() }
    return FlowTrialError.standsStill(at: found.stage, reason: found.reason.message)
  }
}

extension FlowTrialError {
  /// Whether the trial was cancelled.
  fileprivate var isCancellation: Bool {
    if case .stillAtWork = self { true } else { false }
  }
}

/// The random numbers of a process: new identifiers, and the same waits before retries after a
/// kill.
///
/// A wait reads the upper 53 bits, which stay the same; identifiers differ in the lower ones.
private final class TrialBits: Sendable {
  private let state: Locked<(count: UInt64, rest: SeededGenerator)>
  private let first: UInt64

  init(process: Int) {
    // A run has only two processes.
    first = UInt64(process % 2) * Self.span
    state = Locked((0, SeededGenerator(seed: UInt64(process) + 1)))
  }

  private static let span: UInt64 = 1_024

  func next() -> UInt64 {
    state.withLock { state in
      state.count += 1
      // With this many runs in one moment, identifiers need more bits than these.
      guard state.count < Self.span else { return state.rest.next() }
      return 1 << 63 | first | state.count
    }
  }
}
