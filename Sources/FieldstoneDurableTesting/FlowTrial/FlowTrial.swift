public import FieldstoneCore
public import FieldstoneDurable
public import FieldstoneStages
import FieldstoneTesting

/// Runs a durable flow to its end without waiting, then kills it at each checkpoint in turn, and reports
/// what ran again and whether each run came to the same end.
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
/// Waits, retries, time limits and deadlines take no time: the clock of the trial jumps to the next
/// moment at which something is due. It stands still while a stage is at work, unless that sleeps by the
/// trial's clock, which `world` is given. All else of the flow is what a ``/FieldstoneDurable/DurableRunner``
/// does on an ``/FieldstoneDurable/InMemoryJournal``.
///
/// A killed run begins anew in a world of its own. At the kill its runner never reaches the journal
/// again, and work of other runs that is under way comes to nothing; then a new runner, with flows of its
/// own in the same world, takes the runs over from the journal. So a kill before a checkpoint shows what
/// happens when the work of a stage runs twice, and one after it what happens when the stage that follows
/// is read from the journal.
///
/// Its stages run one at a time. A trial in which all work stays on the trial's executor (actors do;
/// the main actor, detached tasks, files and sockets do not) takes the same course each time.
///
/// - Complexity: n checkpoints cost 2 n runs of the flow unless the options ask for fewer, so O(n²) stages.
public struct FlowTrial<World: Sendable>: Sendable {
  var plan: TrialPlan<World>

  private init(
    id: RunID?, options: FlowTrialOptions,
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow],
    start: @escaping @Sendable (DurableRunner, RunID) async throws -> Void
  ) {
    var random = SeededGenerator(seed: 0)
    plan = TrialPlan(
      id: id ?? RunID(at: options.beginsAt, using: &random), options: options, world: world,
      flows: flows, start: start)
  }

  /// Makes a trial of a flow whose stages know that they are durable.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - start: when the run begins, its deadline, and the like.
  ///   - options: which kills are made, and what is too much.
  ///   - world: makes what outlives a process, such as a database or a server that is stood in for;
  ///     called once a run with the trial's clock.
  ///   - flows: makes the flows as a runner takes them, those of children too; called once a process, so
  ///     that what is made in here dies with it.
  public init<Work: DurableStage>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow]
  ) {
    self.init(id: start.id, options: options, world: world, flows: flows) { runner, id in
      var start = start
      start.id = id
      try await runner.start(stage, options: start, flow: flow)
    }
  }

  /// Makes a trial of a flow of plain stages.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - start: when the run begins, its deadline, and the like.
  ///   - options: which kills are made, and what is too much.
  ///   - world: makes what outlives a process, such as a database or a server that is stood in for;
  ///     called once a run with the trial's clock.
  ///   - flows: makes the flows as a runner takes them, those of children too; called once a process, so
  ///     that what is made in here dies with it.
  public init<Work: ContextualStage & Codable>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    world: @escaping @Sendable (TimeSource) async throws -> World,
    flows: @escaping @Sendable (World) throws -> [DurableFlow]
  ) where Work.Completion: Codable {
    self.init(id: start.id, options: options, world: world, flows: flows) { runner, id in
      var start = start
      start.id = id
      try await runner.start(stage, options: start, flow: flow)
    }
  }
}

extension FlowTrial where World == TimeSource {
  /// Makes a trial of a flow whose stages know that they are durable, in a world with nothing but a clock.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - start: when the run begins, its deadline, and the like.
  ///   - options: which kills are made, and what is too much.
  ///   - flows: makes the flows as a runner takes them, from the trial's clock; called once a process.
  public init<Work: DurableStage>(
    _ stage: Work, flow: String? = nil, start: RunOptions = RunOptions(),
    options: FlowTrialOptions = FlowTrialOptions(),
    flows: @escaping @Sendable (TimeSource) throws -> [DurableFlow]
  ) {
    self.init(stage, flow: flow, start: start, options: options, world: { $0 }, flows: flows)
  }

  /// Makes a trial of a flow of plain stages, in a world with nothing but a clock.
  ///
  /// - Parameters:
  ///   - stage: where the run begins.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - start: when the run begins, its deadline, and the like.
  ///   - options: which kills are made, and what is too much.
  ///   - flows: makes the flows as a runner takes them, from the trial's clock; called once a process.
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
  /// It is asked once for each wait, when nothing else is left to be done at that moment. Nil lets the
  /// wait run into its time-out. What it throws ends the trial.
  public func answering<Value>(
    _ signal: SignalName<Value>,
    with answer: @escaping @Sendable (FlowTrialWait) async throws -> Value?
  ) -> Self {
    answering(signal.name, with: answer)
  }

  /// Answers a signal that the flow awaits by a name without a type.
  ///
  /// It is asked once for each wait, when nothing else is left to be done at that moment. Nil lets the
  /// wait run into its time-out. What it throws ends the trial.
  public func answering<Value: Encodable & Sendable>(
    _ signal: String, with answer: @escaping @Sendable (FlowTrialWait) async throws -> Value?
  ) -> Self {
    var trial = self
    trial.plan.answers[signal] = { try await answer($0) }
    return trial
  }

  /// Compares what a run has left behind in its world, too: two runs end alike if these are equal.
  ///
  /// It is called when a run has ended. Its value appears in the report by its description.
  public func comparing<Effects: Equatable & Sendable>(
    _ effects: @escaping @Sendable (World) async throws -> Effects
  ) -> Self {
    var trial = self
    trial.plan.effects = { TrialEffects(try await effects($0)) }
    return trial
  }

  /// Gives the transaction in which stages write by `atCheckpoint`, for the journal in memory has none.
  ///
  /// Within one transaction of the world's own it calls its second parameter with whatever the writes
  /// expect, such as a database. The checkpoint follows when it has returned.
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
  /// A flow that ends as dead, cancelled or blocked has ended, too. A killed run that comes to no end has
  /// ``FlowTrialOutcome/unended(_:)`` in the report.
  ///
  /// - Throws: ``FlowTrialError`` when the undisturbed run comes to no end, or a stage is still at work when
  ///   the task is cancelled; `CancellationError`; ``/FieldstoneDurable/DurableRunnerError`` when the flow
  ///   of the first stage is missing; what the closures throw.
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
    return FlowTrialKill(result, at: point, comparedTo: undisturbed)
  }
}
