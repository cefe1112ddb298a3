import FieldstoneCore
import Foundation

/// Makes starts and signals in the journal's form, for callers of a runner and for its stages.
struct RunRequests: StageRequests {
  let journal: any Journal
  let flows: [DurableFlow]
  let limits: PayloadLimits
  let time: TimeSource
  let options: DurableRunnerOptions
  let events: RunnerEvents
  private let ids = Locked(RunIDSequence())

  init(
    journal: any Journal, flows: [DurableFlow], limits: PayloadLimits, time: TimeSource,
    options: DurableRunnerOptions, events: RunnerEvents
  ) {
    self.journal = journal
    self.flows = flows
    self.limits = limits
    self.time = time
    self.options = options
    self.events = events
  }

  /// The flow that a type of stage belongs to.
  func flow<Work>(of stage: Work.Type, named name: String?) throws -> DurableFlow {
    let type = ObjectIdentifier(stage)
    let own = flows.filter { $0.stage == type }
    guard let flow = own.first(where: { name == nil || $0.name == name }) else {
      var text = String(describing: stage)
      // The flow is there, under another name.
      if let name, !own.isEmpty {
        let names = own.prefix(10).map { "“\($0.name)”" }.joined(separator: ", ")
        text += " as “\(name)”, but as \(names)"
      }
      throw DurableRunnerError.notRegistered(stage: text)
    }
    return flow
  }

  func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow name: String?,
    parent: RunID? = nil, sender: RunID? = nil
  ) throws -> RunStart {
    let flow = try flow(of: Work.self, named: name)
    // A child gets its parent's slot, so that a join is one transaction. Runs that a stage starts
    // get it too, unless a key determines theirs.
    let slot =
      parent?.slot ?? journal.slot(of: flow.name, key: options.concurrencyKey ?? key)
      ?? sender?.slot
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
  /// - Parameters:
  ///   - tick: the tick to start the run for.
  ///   - now: the time of the start, by the journal's clock.
  func start(by schedule: FlowSchedule, tick: Date, at now: Date) -> RunStart {
    schedule.start(
      newID(slot: journal.slot(of: schedule.flow, key: schedule.slotKey)), tick: tick, at: now)
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
    // Errors that each tick's start would meet are thrown now.
    let start = start(by: schedule, tick: time.now, at: time.now)
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

  /// Bounds the memory of a page of the largest completions.
  private static let childrenAtOnce = 100

  func newID(slot: UInt16? = nil) -> RunID {
    var random = RandomSource(bits: options.random)
    let (now, words) = (time.now, (random.next(), random.next()))
    return ids.withLock {
      $0.next(at: now, slot: slot ?? UInt16(truncatingIfNeeded: words.0), random: words.1)
    }
  }

  /// The JSON of a value, in its most compact form.
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

/// A random number generator that calls a function.
struct RandomSource: RandomNumberGenerator {
  let bits: @Sendable () -> UInt64

  mutating func next() -> UInt64 { bits() }
}
