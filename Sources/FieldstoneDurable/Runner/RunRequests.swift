import FieldstoneCore
import Foundation

/// Makes starts and signals, as a journal takes them: for callers of a runner and for its stages.
struct RunRequests: StageRequests {
  let journal: any Journal
  let flows: [DurableFlow]
  let limits: PayloadLimits
  let time: TimeSource
  let options: DurableRunnerOptions
  let events: RunnerEvents

  /// The flow that a type of stage belongs to.
  func flow<Work>(of stage: Work.Type, named name: String?) throws -> DurableFlow {
    let type = ObjectIdentifier(stage)
    let flow = flows.first { $0.stage == type && (name == nil || $0.name == name) }
    guard let flow else {
      throw DurableRunnerError.notRegistered(stage: String(describing: stage))
    }
    return flow
  }

  func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow name: String?,
    parent: RunID? = nil
  ) throws -> RunStart {
    let flow = try flow(of: Work.self, named: name)
    let route = (options.concurrencyKey ?? key).map { RunID.slot(of: flow.name, key: $0) }
    // A child is where its parent is, so that a join is one transaction.
    let slot = parent?.slot ?? route
    var start = RunStart(
      id: options.id ?? newID(slot: slot), flow: flow.name, version: flow.version, key: key,
      payload: try payload(of: stage, flow: flow.name), ifTaken: options.ifTaken,
      notBefore: options.notBefore, priority: options.priority,
      concurrencyKey: options.concurrencyKey)
    start.deadline = options.deadline
    start.attributes = options.attributes
    start.trace = options.trace
    return start
  }

  /// Makes the start of a schedule's run.
  ///
  /// - Parameter tick: the tick that it is for.
  func start(by schedule: FlowSchedule, tick: Date) -> RunStart {
    schedule.start(newID(slot: schedule.slot), tick: tick)
  }

  /// Makes a schedule of a stage.
  func schedule<Work: Encodable & Sendable>(
    _ name: String, of stage: Work, _ timing: ScheduleTiming, _ options: ScheduleOptions,
    flow flowName: String?
  ) throws -> FlowSchedule {
    try limits.checkName(ofSchedule: name)
    try timing.check()
    let flow = try flow(of: Work.self, named: flowName)
    let schedule = FlowSchedule(
      name: name, flow: flow.name, version: flow.version,
      stage: String(decoding: try payload(of: stage, flow: flow.name), as: UTF8.self),
      timing: timing, options: options)
    // What a start would be refused for is refused now, and not at each tick.
    let start = start(by: schedule, tick: time.now)
    try limits.checkNames(of: start)
    return schedule
  }

  func signal(
    _ name: String, _ value: some Encodable & Sendable, id: String?, to run: RunID
  ) throws -> SignalRecord {
    SignalRecord(
      id: id ?? newID().description, name: name, payload: try payload(of: value, run: run),
      sentAt: time.now)
  }

  func children(
    of run: RunID, at sequence: Int, after place: ChildPlace?
  ) async throws -> ChildPage {
    try await journal.children(of: run, at: sequence, after: place, limit: Self.childrenAtOnce)
  }

  /// Few enough that a page of the largest completions is no burden.
  private static let childrenAtOnce = 100

  func newID(slot: UInt16? = nil) -> RunID {
    var random = RandomSource(bits: options.random)
    return RunID(at: time.now, slot: slot, using: &random)
  }

  /// The JSON of a value, as small as it must be.
  private func payload(
    of value: some Encodable, flow: String? = nil, run: RunID? = nil
  ) throws -> Data {
    let data = try StageJSON.data(of: value)
    if data.count > limits.error {
      throw JournalError.tooLarge(bytes: data.count, limit: limits.error)
    }
    if data.count > limits.warning {
      events.emit(
        .payloadWarning(bytes: data.count, limit: limits.warning), flow: flow, run: run)
    }
    return data
  }
}

/// A source of chance that is a function.
struct RandomSource: RandomNumberGenerator {
  let bits: @Sendable () -> UInt64

  mutating func next() -> UInt64 { bits() }
}
