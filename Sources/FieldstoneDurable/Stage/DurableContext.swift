import FieldstoneCore
public import FieldstoneStages
public import Foundation

/// The context of a durable stage: the app's services, the run's identity, the received signal.
public struct DurableContext<Services: Sendable>: Sendable {
  /// The app's services.
  public let services: Services
  /// Identifies the run.
  public let run: RunID
  /// The number of the stage in the run's chain; the first is 0.
  public let sequence: Int
  /// The number of attempts at this stage that have begun, including this one and those that
  /// crashed.
  public let attempt: Int
  /// The wall time at which this attempt began, by the worker's clock.
  public let now: Date
  /// The signal that the previous stage awaited; nil if time ran out or none was awaited.
  public let signal: SignalRecord?
  /// The trace that the run belongs to, from its start.
  public let trace: [String: String]
  let outbox = StageOutbox()
  /// The number of the stage whose children the previous stage awaited.
  let joinedSequence: Int?
  let requests: any StageRequests
  let reports: any StageReports

  init(
    services: Services, run: RunID, sequence: Int, attempt: Int, now: Date, signal: SignalRecord?,
    joinedSequence: Int?, trace: [String: String], requests: any StageRequests,
    reports: any StageReports
  ) {
    self.services = services
    self.run = run
    self.sequence = sequence
    self.attempt = attempt
    self.now = now
    self.signal = signal
    self.joinedSequence = joinedSequence
    self.trace = trace
    self.requests = requests
    self.reports = reports
  }

  /// A key that is the same for every attempt at this stage of this run, and for no other.
  ///
  /// Pass it to external services with side effects, so that a repeated attempt does not repeat the
  /// effect.
  public var idempotencyKey: String { "\(run)-\(sequence)" }

  /// The signal's value.
  ///
  /// - Throws: `DecodingError` if the value has another type.
  public func signal<Value: Decodable>(as type: Value.Type) throws -> Value? {
    try signal.map { try JSONDecoder().decode(type, from: $0.payload) }
  }

  /// Adds a write to the transaction of this stage's checkpoint: both are committed or neither.
  ///
  /// Each journal offers this with its own type of transaction. Writes of an attempt that fails are
  /// discarded.
  public func atCheckpoint(_ write: CheckpointWrite) {
    outbox.add(write)
  }

  /// Starts a run of this journal in the transaction of this stage's checkpoint.
  ///
  /// A worker claims it after the checkpoint. This run does not wait for it; use
  /// `child(_:options:flow:isDetached:)` for that.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: unique among the flow's runs; ``RunOptions/ifTaken`` decides what happens if a run
  ///     already has it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the identifier of the run, a new one in each attempt unless the options have one.
  ///   If the key is taken, no run has this identifier.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` if this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunID where Work.Completion: Codable {
    try request(stage, key: key, options: options, flow: flow)
  }

  /// Starts a run of this journal in the transaction of this stage's checkpoint.
  ///
  /// A worker claims it after the checkpoint. This run does not wait for it; use
  /// `child(_:options:flow:isDetached:)` for that.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: unique among the flow's runs; ``RunOptions/ifTaken`` decides what happens if a run
  ///     already has it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the identifier of the run, a new one in each attempt unless the options have one.
  ///   If the key is taken, no run has this identifier.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` if this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunID {
    try request(stage, key: key, options: options, flow: flow)
  }

  /// The options of a run that this stage starts: it belongs to this run's trace by default.
  func inTrace(_ options: RunOptions) -> RunOptions {
    var options = options
    if options.trace.isEmpty { options.trace = trace }
    return options
  }

  private func request<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow: String?
  ) throws -> RunID {
    let options = inTrace(options)
    let start = try requests.start(
      stage, key: key, options: options, flow: flow, parent: nil, sender: run)
    outbox.add(start)
    return start.id
  }

  /// Sends a signal to a run of this journal in the transaction of this stage's checkpoint.
  ///
  /// If the run does not exist or is over, it does not receive the signal, and the attempt fails
  /// with that error.
  ///
  /// - Parameters:
  ///   - name: the name that the run receives by.
  ///   - value: the signal's value.
  ///   - run: the run that receives it.
  ///   - id: identifies the signal, so that sending it twice delivers it once; by default it is the
  ///     same in each attempt at this stage.
  /// - Throws: ``JournalError``, `EncodingError`.
  public func send(
    _ name: String, _ value: some Encodable & Sendable, to run: RunID, id: String? = nil
  ) throws {
    // It is numbered once it is encoded: another may be sent meanwhile.
    let signal = try requests.signal(name, value, id: id ?? "", to: run)
    outbox.add(Checkpoint.Signal(to: run, signal), numberedAs: id == nil ? idempotencyKey : nil)
  }
}
