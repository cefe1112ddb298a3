public import FieldstoneCore
public import FieldstoneDurable
public import FieldstoneStages
import FieldstoneTesting
import Foundation

/// Runs a durable flow to its end without waiting, then kills it at each checkpoint in turn.
///
/// It reports which stages ran again and whether each run had the same outcome.
///
/// ```swift
/// let report = try await FlowTrial(Order.charge(cents: 1_200), world: { _ in Bank() }) { bank in
///   [DurableFlow(Order.self, name: "order", services: bank)]
/// }
/// .answering(.approved) { _ in Approval(by: "Ada") }
/// .comparing { bank in await bank.bookings }
/// .run()
/// #expect(report.endsAlike, "\(report)")
/// ```
///
/// Waits, retries, time limits and deadlines take no time: the trial's clock jumps to the next due
/// moment. It stands still during a stage's work, unless the work sleeps by the trial's clock,
/// which is passed to `world`. Everything else is a ``/FieldstoneDurable/DurableRunner`` on an
/// ``/FieldstoneDurable/InMemoryJournal``.
///
/// Each killed run starts in a new world. After the kill its runner never reaches the journal
/// again, and other work in progress is lost. Then a new runner, with its own flows in the same
/// world, takes the runs over from the journal. A kill before a checkpoint shows the effect of
/// doing the stage's work twice. A kill after it shows the effect of decoding the next stage from
/// the journal.
///
/// Stages run one at a time. A trial takes the same course each time if all work stays on the
/// trial's executor. Actors do; the main actor, detached tasks, files and sockets do not.
///
/// - Complexity: n checkpoints cost 2 n runs of the flow unless the options ask for fewer, so O(n²)
///   stages.
public struct FlowTrial<World: Sendable>: Sendable {
  var plan: TrialPlan<World>

  private init(
    id: RunID?, options: FlowTrialOptions,
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow],
    completionsAreEqual: @escaping @Sendable (Data, Data) -> Bool,
    start: @escaping @Sendable (DurableRunner, RunID) async throws -> Void
  ) {
    var random = SeededGenerator(seed: 0)
    plan = TrialPlan(
      id: id ?? RunID(at: options.beginsAt, using: &random), options: options, world: world,
      flows: flows, completionsAreEqual: completionsAreEqual, start: start)
  }

  /// Makes a trial of a flow of durable stages.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - start: the run's start time, deadline and other options.
  ///   - options: the kills to make, and the limits.
  ///   - world: makes the state that outlives a process, such as a database or a test double of a
  ///     server; called once per run with the trial's clock.
  ///   - flows: makes the runner's flows, including those of children; called once per process, so
  ///     that objects made in it die with the process.
  public init<Work: DurableStage>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow]
  ) {
    self.init(
      id: start.id, options: options, world: world, flows: flows,
      completionsAreEqual: DecodedValues.comparison(of: Work.Completion.self)
    ) { runner, id in
      var start = start
      start.id = id
      try await runner.start(stage, options: start, flow: flow)
    }
  }

  /// Makes a trial of a flow of plain stages.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - start: the run's start time, deadline and other options.
  ///   - options: the kills to make, and the limits.
  ///   - world: makes the state that outlives a process, such as a database or a test double of a
  ///     server; called once per run with the trial's clock.
  ///   - flows: makes the runner's flows, including those of children; called once per process, so
  ///     that objects made in it die with the process.
  public init<Work: ContextualStage & Codable>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow]
  ) where Work.Completion: Codable {
    self.init(
      id: start.id, options: options, world: world, flows: flows,
      completionsAreEqual: DecodedValues.comparison(of: Work.Completion.self)
    ) { runner, id in
      var start = start
      start.id = id
      try await runner.start(stage, options: start, flow: flow)
    }
  }
}

extension FlowTrial where World == TimeSource {
  /// Makes a trial of a flow of durable stages, in a world with only a clock.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - start: the run's start time, deadline and other options.
  ///   - options: the kills to make, and the limits.
  ///   - flows: makes the runner's flows from the trial's clock; called once per process.
  public init<Work: DurableStage>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    flows: @escaping @Sendable (TimeSource) throws -> [DurableFlow]
  ) {
    self.init(stage, flow: flow, start: start, options: options, world: { $0 }, flows: flows)
  }

  /// Makes a trial of a flow of plain stages, in a world with only a clock.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - start: the run's start time, deadline and other options.
  ///   - options: the kills to make, and the limits.
  ///   - flows: makes the runner's flows from the trial's clock; called once per process.
  public init<Work: ContextualStage & Codable>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    flows: @escaping @Sendable (TimeSource) throws -> [DurableFlow]
  ) where Work.Completion: Codable {
    self.init(stage, flow: flow, start: start, options: options, world: { $0 }, flows: flows)
  }
}

extension FlowTrial {
  /// Answers a signal that the flow awaits; a later answer to the same name replaces this one.
  ///
  /// The closure is called once for each wait, when nothing else is left to do at that moment. Nil
  /// lets the wait time out. If a stage awaits several signals, their closures are called in its
  /// order until one returns a value. An error that it throws ends the trial.
  public func answering<Value>(
    _ signal: SignalName<Value>,
    with answer: @escaping @Sendable (FlowTrialWait) async throws -> Value?
  ) -> Self {
    answering(signal.name, with: answer)
  }

  /// Answers a signal that the flow awaits by a name without a type.
  ///
  /// The closure is called once for each wait, when nothing else is left to do at that moment. Nil
  /// lets the wait time out. An error that it throws ends the trial.
  public func answering<Value: Encodable & Sendable>(
    _ signal: String, with answer: @escaping @Sendable (FlowTrialWait) async throws -> Value?
  ) -> Self {
    var trial = self
    trial.plan.answers[signal] = { try await answer($0) }
    return trial
  }

  /// Also compares the final state of a run's world: two runs end alike only if these values are
  /// equal.
  ///
  /// The closure is called when a run has ended. The report contains the description of its value.
  public func comparing<Effects: Equatable & Sendable>(
    _ effects: @escaping @Sendable (World) async throws -> Effects
  ) -> Self {
    var trial = self
    trial.plan.effects = { TrialEffects(try await effects($0)) }
    return trial
  }

  /// Sets the transaction for stages that write by `atCheckpoint`; the in-memory journal has none.
  ///
  /// Within one transaction of the world's own, the closure calls its second parameter with the
  /// object that the writes expect, such as a database. The checkpoint follows when it has
  /// returned.
  ///
  /// ```swift
  /// .writing { world, write in try await world.database.write { try write($0) } }
  /// ```
  public func writing(
    _ transaction:
      @escaping @Sendable (World, @escaping @Sendable (Any) throws -> Void) async throws -> Void
  ) -> Self {
    var trial = self
    trial.plan.transaction = transaction
    return trial
  }

  /// Runs the flow undisturbed, then once for each kill.
  ///
  /// A dead, cancelled or blocked flow has ended, too. A killed run that does not end has
  /// ``FlowTrialOutcome/unended(_:)`` in the report.
  ///
  /// - Throws: ``FlowTrialError`` if the undisturbed run does not end, or if a stage is still at
  ///   work when the task is cancelled; `CancellationError`;
  ///   ``/FieldstoneDurable/DurableRunnerError`` if the flow of the first stage is missing; the
  ///   errors of the closures.
  /// - Complexity: O(n²) stages for n checkpoints; ``FlowTrialOptions/maximumKills`` bounds it.
  @concurrent
  public func run() async throws -> FlowTrialReport {
    let undisturbed = try await TrialRun(plan: plan).run()
    let points = plan.options.kills(at: undisturbed.checkpoints)
    var kills: [FlowTrialKill] = []
    for point in points.chosen {
      kills.append(try await kill(at: point, comparedTo: undisturbed))
    }
    return FlowTrialReport(undisturbed, kills: kills, leftOut: points.leftOut)
  }

  private func kill(
    at point: TrialKillPoint, comparedTo undisturbed: TrialResult
  ) async throws -> FlowTrialKill {
    let result = try await TrialRun(plan: plan, kill: point).run()
    return FlowTrialKill(
      result, at: point, comparedTo: undisturbed, by: plan.completionsAreEqual)
  }
}
