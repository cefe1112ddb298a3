import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// Chance, time and what has happened in one simulation.
final class SimulatedWorld: Sendable {
  struct Place: Hashable {
    var run: RunID
    var number: Int
  }

  private struct State {
    var random: SeededGenerator
    /// Who was given a run, by its fence.
    var holders: [Place: String] = [:]
    /// The last fence that was given out.
    var fences: [RunID: Int] = [:]
    /// What followed a stage, by its number.
    var transitions: [Place: Data] = [:]
    /// The children that a step has started.
    var children: [Place: [RunID]] = [:]
    /// What a stage has read of its children.
    var outcomes: [Place: [String]] = [:]
    var active: [String: Int] = [:]
    /// The last run that each worker was given to try alone, by its stage.
    var lone: [String: Place] = [:]
    /// How often a stage was given to be tried alone.
    var loneClaims: [Place: Int] = [:]
    /// The run that each worker tries alone, and since when.
    var alone: [String: (place: Place, since: Duration)] = [:]
    /// The runs that were retried and not claimed since: what was dead has lost its place.
    var retried: Set<RunID> = []
    /// The words that a run has accepted: one that is dead refuses them, until it is retried.
    var words: [RunID: Set<Int>] = [:]
    /// The run that a fork, or a fork of that, was made of.
    var roots: [RunID: RunID] = [:]
    /// How many stages of another run a fork begins after.
    var offsets: [RunID: Int] = [:]
    var ticks = Ticks()
    var starts = Starts()
    /// How many people are not done yet.
    var busy = 0
    /// The runs whose first stage ends the worker, and how many workers each has ended.
    var poisons: [RunID: Int] = [:]
    var limits: FlowLimits?
    var violations: [String] = []
    var trace: [String] = []
    var events: [String: Int] = [:]
  }

  let time = SimulatedTime()
  let executor: DrainedExecutor
  let memory: any Journal
  let maxConcurrent: Int
  private let state: Locked<State>

  /// - Parameter isCoded: whether the payloads of the journal are encoded.
  init(seed: UInt64, isCoded: Bool = false) {
    let journal = InMemoryJournal()
    memory = isCoded ? CodedJournal(xor: journal) : journal
    var random = SeededGenerator(seed: seed)
    executor = DrainedExecutor(seed: random.next())
    maxConcurrent = Int.random(in: 1...4, using: &random)
    state = Locked(State(random: random))
  }

  var violations: [String] { state.withLock { $0.violations } }
  var trace: [String] { state.withLock { $0.trace } }
  /// How often each kind of event has come.
  var events: [String: Int] { state.withLock { $0.events } }

  func withTicks<Value>(_ body: (inout Ticks) -> Value) -> Value {
    state.withLock { body(&$0.ticks) }
  }

  func withStarts<Value>(_ body: (inout Starts) -> Value) -> Value {
    state.withLock { body(&$0.starts) }
  }

  /// An event of a kind has come.
  func count(_ kind: String) {
    state.withLock { $0.events[kind, default: 0] += 1 }
  }

  /// Whether people are not done yet.
  var isBusy: Bool { state.withLock { $0.busy > 0 } }

  /// A person begins something, or is done with it.
  func busy(_ count: Int) {
    state.withLock { $0.busy += count }
  }

  func violation(_ text: String) {
    state.withLock { $0.violations.append(text) }
  }
}

// MARK: Chance

extension SimulatedWorld {
  func bits() -> UInt64 { state.withLock { $0.random.next() } }

  func number(_ range: ClosedRange<Int>) -> Int {
    state.withLock { Int.random(in: range, using: &$0.random) }
  }

  func percent() -> Int { number(0...99) }

  func nap(upTo seconds: Int) async throws {
    try await time.pause(until: time.uptime + .milliseconds(number(0...(seconds * 1_000))))
  }

  /// Naps in a task of its own, which no cancellation of the caller's reaches.
  func deafNap(upTo seconds: Int) async {
    _ = await Task(executorPreference: executor) { try await self.nap(upTo: seconds) }.result
  }

  func date(within seconds: Int) -> Date {
    time.now + TimeInterval(number(0...(seconds * 1_000))) / 1_000
  }
}

// MARK: What has happened

extension SimulatedWorld {
  func begin(
    _ stage: SimulatedStage, in context: DurableContext<SimulatedServices>, worker: String
  ) {
    let maximum = maxConcurrent
    let uptime = time.uptime
    state.withLock { state in
      let place = Place(run: context.run, number: context.sequence)
      if let alone = state.alone[worker], uptime < alone.since + .seconds(300) {
        state.violations.append("\(worker) works on something beside what it tries alone")
      }
      if state.lone[worker] == place {
        if state.active[worker, default: 0] > 0 {
          state.violations.append("\(worker) tries something alone beside something")
        }
        state.alone[worker] = (place, uptime)
        state.events["alone", default: 0] += 1
      }
      state.trace.append("\(worker) \(context.idempotencyKey) \(context.attempt) \(stage.heard)")
      if stage.number != context.sequence + state.offsets[context.run, default: 0] {
        state.violations.append("stage \(stage.number) is run as \(context.sequence)")
      }
      state.active[worker, default: 0] += 1
      if state.active[worker, default: 0] > maximum {
        state.violations.append("\(worker) works on more than \(maximum) runs")
      }
    }
    beginsTurn(Turn(place: Place(run: context.run, number: context.sequence), worker: worker))
  }

  func heard(_ event: RunnerEvent) {
    let text = "\(event.kind)"
    let name =
      if case .lost(let loss) = event.kind { loss.rawValue } else {
        String(text.prefix { $0 != "(" })
      }
    state.withLock { $0.events[name, default: 0] += 1 }
  }

  func end(_ context: DurableContext<SimulatedServices>, worker: String) {
    let place = Place(run: context.run, number: context.sequence)
    state.withLock { state in
      state.active[worker, default: 0] -= 1
      if state.alone[worker]?.place == place { state.alone[worker] = nil }
    }
    endsTurn(Turn(place: place, worker: worker))
  }

  func claimed(_ runs: [ClaimedRun], by worker: String, at date: Date) {
    state.withLock { state in
      for run in runs {
        let place = Place(run: run.record.id, number: run.record.fence)
        if let deadline = run.record.deadline, deadline <= date {
          state.violations.append("\(place.run) was given after its deadline")
        }
        if run.record.isPaused { state.violations.append("\(place.run) was given while paused") }
        state.fences[place.run] = place.number
        state.retried.remove(place.run)
        let stage = Place(run: place.run, number: run.record.sequence)
        if run.isAlone {
          state.lone[worker] = stage
          state.loneClaims[stage, default: 0] += 1
        } else if state.lone[worker] == stage {
          // The answer that it was one may have been lost; since then it has failed in words.
          state.lone[worker] = nil
        }
        if run.isCrashSuspected, !run.isAlone { state.events["group", default: 0] += 1 }
        if run.record.loneCrashes > state.loneClaims[stage, default: 0] {
          state.violations.append("\(place.run) crashed alone more often than it was alone")
        }
        if state.holders.updateValue(worker, forKey: place) != nil {
          state.violations.append("fence \(place.number) of \(place.run) was given twice")
        }
      }
    }
  }

  func retries(_ run: RunID) {
    state.withLock { _ = $0.retried.insert(run) }
  }

  func accepted(_ word: Int, by run: RunID) {
    state.withLock { _ = $0.words[run, default: []].insert(word) }
  }

  /// A run is started, or perhaps a fork.
  func starting(_ start: RunStart) {
    guard let origin = start.origin else { return }
    state.withLock { state in
      // A repeated start changes nothing.
      guard state.offsets[start.id] == nil else { return }
      state.offsets[start.id] = state.offsets[origin.run, default: 0] + origin.sequence
      state.roots[start.id] = state.roots[origin.run] ?? origin.run
      state.events["forked", default: 0] += 1
    }
  }

  /// Holds the first stage of a fork, at the end, against the stage that it was forked from.
  ///
  /// - Parameter stage: the stage of the other run; nil if that run was purged.
  func examine(_ fork: RunRecord, links: [StepRecord], from stage: Data?) {
    let first = links.first?.payload ?? fork.payload
    guard let origin = fork.origin, let stage, first != stage else { return }
    // A stage that nobody had begun may have been replaced after the fork.
    if origin.sequence == 0, firstStages(of: origin.run).contains(first) { return }
    violation("the fork \(fork.id) begins with another stage than \(origin)")
  }

  func wrote(_ checkpoint: Checkpoint, by worker: String) {
    let claim = checkpoint.claim
    let payload = checkpoint.next.payload
    begot(checkpoint.starts)
    examineTime(of: Turn(place: Place(run: claim.id, number: claim.sequence), worker: worker))
    state.withLock { state in
      if state.holders[Place(run: claim.id, number: claim.fence)] != worker {
        state.violations.append("\(worker) wrote a link of \(claim.id) on another's claim")
      }
      if state.fences[claim.id] != claim.fence {
        state.violations.append("\(worker) wrote a link of \(claim.id) on a claim that was lost")
      }
      let place = Place(run: claim.id, number: claim.sequence)
      if case .joining(_, let join) = checkpoint.next {
        state.children[place] = join.children.map(\.id)
        state.events["joining", default: 0] += 1
      }
      if state.transitions.updateValue(payload, forKey: place) != nil {
        state.violations.append("transition \(claim.sequence) of \(claim.id) was made twice")
      }
    }
  }

  func set(_ limits: FlowLimits?) {
    state.withLock { $0.limits = limits }
  }

  var limits: FlowLimits? { state.withLock { $0.limits } }

  /// The forks, and the runs of the schedule.
  var origins: Set<RunID> {
    state.withLock { state in
      Set(state.offsets.keys).union(state.ticks.byHand).union(state.ticks.started.map(\.run))
    }
  }

  /// Whether a run may start children of its own flow, which a limit of whole runs refuses.
  var allowsChildren: Bool { state.withLock { $0.limits?.wholeRuns == nil } }

  /// Holds all runs, as they stand at a moment, against the limits.
  func examineLimits(_ runs: [RunRecord]) {
    guard let limits = state.withLock({ $0.limits }) else { return }
    let retried = state.withLock { $0.retried }
    func counted(_ counting: FlowLimits.Counting) -> [RunRecord] {
      runs.filter {
        $0.state == .running
          || (counting == .wholeRun && $0.state == .ready && $0.fence > 0
            && !retried.contains($0.id))
      }
    }
    if let most = limits.runs {
      let held = counted(limits.counting).count
      if held > most { violation("\(held) runs with a limit of \(most)") }
      if held == most, limits.counting == .wholeRun {
        state.withLock { $0.events["full flow", default: 0] += 1 }
      }
    }
    guard let perKey = limits.perKey else { return }
    let counted = counted(perKey.counting)
    for (key, runs) in Dictionary(grouping: counted, by: \.concurrencyKey) where key != nil {
      if runs.count > perKey.maximum {
        violation("\(runs.count) runs of a key with a limit of \(perKey.maximum)")
      }
      if runs.count == perKey.maximum { state.withLock { $0.events["full", default: 0] += 1 } }
    }
  }

  /// A stage has read what came of its children: each attempt must read the same.
  func read(_ outcomes: [String], in context: DurableContext<SimulatedServices>) {
    let place = Place(run: context.run, number: context.sequence)
    state.withLock { state in
      if !outcomes.isEmpty { state.events["joined", default: 0] += 1 }
      let first = state.outcomes[place] ?? outcomes
      state.outcomes[place] = first
      if first != outcomes {
        state.violations.append("\(place) read \(outcomes) of its children, and before \(first)")
      }
    }
  }

  /// Holds the children of a run, at the end, against those that its steps have started.
  func examine(_ run: RunRecord, children: [ChildRecord]) {
    let wanted = state.withLock { $0.children.filter { $0.key.run == run.id } }
      .sorted { $0.key.number < $1.key.number }.flatMap(\.value)
    if children.map(\.id) != wanted {
      violation("\(run.id) has the children \(children.map(\.id)), and started \(wanted)")
    }
    for child in children where child.end != nil && !child.state.isOver {
      violation("\(child.id) counts as \(String(describing: child.end)) and is \(child.state)")
    }
  }

  /// A run ends its worker at its first stage, in most worlds none.
  func poison(_ run: RunID) {
    state.withLock { $0.poisons[run] = 0 }
  }

  /// Whether a stage ends its worker, which counts as done.
  func ends(_ context: DurableContext<SimulatedServices>) -> Bool {
    state.withLock { state in
      guard context.sequence == 0, let count = state.poisons[context.run] else { return false }
      state.poisons[context.run] = count + 1
      state.events["poisoned", default: 0] += 1
      return true
    }
  }

  /// How many workers each poison has ended.
  var poisons: [RunID: Int] { state.withLock { $0.poisons } }

  /// Holds what became of a run against what its crashes allow.
  func examineDeath(of run: RunRecord, limit: Int) {
    let (count, isPoison) = state.withLock { state in
      (
        state.loneClaims[Place(run: run.id, number: run.sequence), default: 0],
        state.poisons[run.id] != nil
      )
    }
    if run.state == .dead, run.error?.hasPrefix("Its worker has died") == true {
      state.withLock { $0.events["convicted", default: 0] += 1 }
      if run.loneCrashes < limit || count < limit {
        violation("\(run.id) is dead of \(run.loneCrashes) lone crashes, alone \(count) times")
      }
    }
    if isPoison, run.state == .completed || run.sequence > 0 {
      violation("the poison \(run.id) is \(run.state) at \(run.sequence)")
    }
  }

  /// Holds the end of a run against its deadline.
  ///
  /// - Parameter slack: how much later it may have ended, in seconds.
  func examineDeadline(of run: RunRecord, slack: TimeInterval) {
    if run.cancellationReason == .deadline {
      state.withLock { $0.events["deadline", default: 0] += 1 }
    }
    guard let deadline = run.deadline, run.changedAt > deadline + slack else { return }
    violation("\(run.id) ended \(run.changedAt.timeIntervalSince(deadline)) s after its deadline")
  }

  /// Holds a chain, at the end, against what was written when.
  func examine(_ run: RunRecord, links: [StepRecord]) {
    let (holders, transitions) = state.withLock { ($0.holders, $0.transitions) }
    if links.map(\.sequence) != Array(0..<run.sequence) {
      violation("the chain of \(run.id) is \(links.map(\.sequence)), its run at \(run.sequence)")
    }
    if links.map(\.fence) != links.map(\.fence).sorted() {
      violation("the fences of \(run.id) are \(links.map(\.fence))")
    }
    for (index, link) in links.enumerated() {
      let following = index + 1 < links.count ? links[index + 1].payload : run.payload
      if transitions[Place(run: run.id, number: link.sequence)] != following {
        violation("link \(link.sequence) of \(run.id) was overwritten")
      }
      if holders[Place(run: run.id, number: link.fence)] != link.worker {
        violation("link \(link.sequence) of \(run.id) is not by the holder of its lease")
      }
    }
    if run.worker != nil || !run.state.isOver {
      violation("\(run.id) is \(run.state) by \(run.worker ?? "nobody") at the end")
    }
    if run.state == .completed {
      let heard = (try? StageJSON.value([Int].self, from: run.payload)) ?? [-1]
      let words = state.withLock { $0.words[$0.roots[run.id] ?? run.id, default: []] }.sorted()
      if !words.starts(with: heard) { violation("\(run.id) heard \(heard) of \(words)") }
    }
  }
}
