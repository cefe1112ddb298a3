import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

/// A journal, a clock, and runners that work by them.
final class Workshop: Sendable {
  let memory: InMemoryJournal
  let journal: any Journal
  let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1_000))
  let events = Recorder<RunnerEvent>()
  /// What was slept for, by uptime in seconds.
  let deadlines = Recorder<Double>()

  init(
    limits: PayloadLimits = PayloadLimits(),
    before: (@Sendable (JournalProxy.Call) async throws -> Void)? = nil,
    after: (@Sendable (JournalProxy.Call) async throws -> Void)? = nil
  ) {
    memory = InMemoryJournal(limits: limits)
    journal = JournalProxy(
      journal: memory, before: before ?? { _ in }, after: after ?? { _ in })
  }

  /// The clock, with what it is asked for written down.
  var source: TimeSource {
    let source = time.source
    return TimeSource(
      now: { source.now }, uptime: { source.uptime },
      sleepUntilUptime: { [deadlines] in
        deadlines.record($0 / .seconds(1))
        try await source.sleep(untilUptime: $0)
      },
      sleepUntilDate: {
        Issue.record("A runner slept by the wall clock, which may be set back meanwhile.")
        try await source.sleep(until: $0)
      })
  }

  func options(
    worker: String = "a", grace: Duration = .zero, lease: Duration = .seconds(30)
  ) -> DurableRunnerOptions {
    DurableRunnerOptions(
      worker: worker, lease: lease, shutdownGrace: grace, boot: "boot",
      onEvent: { [events] in events.record($0) })
  }

  func runner(
    _ flows: DurableFlow..., options: DurableRunnerOptions? = nil
  ) throws -> DurableRunner {
    try DurableRunner(
      journal: journal, flows: flows, options: options ?? self.options(), time: source)
  }

  func runner(
    options: DurableRunnerOptions? = nil, flow: FlowOptions<Scripted> = FlowOptions(),
    script:
      @escaping @Sendable (
        Scripted, DurableContext<Script>
      ) async throws -> DurableStep<Scripted, String>
  ) throws -> DurableRunner {
    try runner(
      DurableFlow(Scripted.self, name: "scripted", services: Script(script), options: flow),
      options: options)
  }

  /// Waits for an event, also one that has happened before.
  @discardableResult
  func event(where isMeant: (RunnerEvent) -> Bool) async -> RunnerEvent {
    var seen = 0
    while true {
      let events = await events.elements(atLeast: seen + 1)
      if let event = events[seen...].first(where: isMeant) { return event }
      seen = events.count
      if Task.isCancelled { return missed("an event", RunnerEvent(.parked)) }
    }
  }

  /// Waits until there have been so many events of a kind.
  func news(of count: Int, where isMeant: (RunnerEvent.Kind) -> Bool) async {
    // What is looked at is what was waited for: one more that comes meanwhile is seen next time.
    var seen = await events.elements(atLeast: count)
    while seen.count(where: { isMeant($0.kind) }) < count {
      if Task.isCancelled { return missed("\(count) events", ()) }
      seen = await events.elements(atLeast: seen.count + 1)
    }
  }

  /// Waits until somebody sleeps, or has slept, until an uptime in seconds.
  func deadline(at uptime: Double) async {
    var seen = 0
    while true {
      let deadlines = await deadlines.elements(atLeast: seen + 1)
      if deadlines[seen...].contains(where: { abs($0 - uptime) < 1e-6 }) { return }
      seen = deadlines.count
      if Task.isCancelled { return missed("the deadline at \(uptime): \(deadlines.suffix(5))", ()) }
    }
  }

  /// The time limit of the test is over: it fails, and does not keep the others from ending.
  private func missed<Result>(_ what: String, _ result: Result) -> Result {
    Issue.record("The test waited in vain for \(what).")
    return result
  }

  func links(of id: RunID) async throws -> [StepRecord] {
    try await memory.steps(of: id, after: nil, limit: 1_000).steps
  }
}

/// Runs a runner while a body does something with it, then shuts it down.
func working<Result: Sendable>(
  _ runner: DurableRunner, _ body: () async throws -> Result
) async throws -> Result {
  let work = Task { try await runner.run() }
  do {
    let result = try await body()
    // Also when `run` has not begun yet.
    work.cancel()
    _ = await work.result
    return result
  } catch {
    work.cancel()
    _ = await work.result
    throw error
  }
}
