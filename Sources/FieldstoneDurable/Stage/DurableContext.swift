import FieldstoneCore
public import FieldstoneStages
public import Foundation

/// The context of a durable stage: the app's services, the run's identity, the received signal.
public struct DurableContext<Services: Sendable>: Sendable {
  /// The app's services.
  public let services: Services
  /// Names the run.
  public let run: RunID
  /// The number of the stage in the run's chain; the first is 0.
  public let sequence: Int
  /// How many attempts at this stage have begun, this one included, and those that crashes ended.
  public let attempt: Int
  /// The wall time at which this attempt began.
  public let now: Date
  /// The signal that the stage before has waited for; nil when time ran out or none was awaited.
  public let signal: SignalRecord?
  /// The trace that the run belongs to, as its start has it.
  public let trace: [String: String]
  let outbox = StageOutbox()
  /// The number of the stage whose children the stage before has awaited.
  let joinedSequence: Int?
  let requests: any StageRequests

  init(
    services: Services, run: RunID, sequence: Int, attempt: Int, now: Date, signal: SignalRecord?,
    joinedSequence: Int?, trace: [String: String], requests: any StageRequests
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
  }

  /// The same for every attempt at this stage of this run, and for no other.
  ///
  /// Give it to whatever has an effect outside, so that what is done again is not done twice.
  public var idempotencyKey: String { "\(run)-\(sequence)" }

  /// What the signal says.
  ///
  /// - Throws: `DecodingError` when it says something else.
  public func signal<Value: Decodable>(as type: Value.Type) throws -> Value? {
    try signal.map { try JSONDecoder().decode(type, from: $0.payload) }
  }

  /// Writes in the transaction of this stage's checkpoint: with it or not at all.
  ///
  /// A journal gives this a form of its own, with its own type of transaction. What an attempt
  /// wanted to write that then fails is forgotten.
  public func atCheckpoint(_ write: CheckpointWrite) {
    outbox.add(write)
  }

  /// Starts a run of this journal with this stage's checkpoint: it is there if and only if that was
  /// made.
  ///
  /// A worker gets it after the checkpoint. This run does not wait for it: for that there is
  /// `child(_:options:flow:isDetached:)`.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: no two runs of the flow have the same; ``RunOptions/ifTaken`` says what is done if one
  ///     has it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the identifier of the run, a new one in each attempt unless the options have one.
  ///   Where the key is taken no run has it.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` where this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunID where Work.Completion: Codable {
    try request(stage, key: key, options: options, flow: flow)
  }

  /// Starts a run of this journal with this stage's checkpoint: it is there if and only if that was
  /// made.
  ///
  /// A worker gets it after the checkpoint. This run does not wait for it: for that there is
  /// `child(_:options:flow:isDetached:)`.
  ///
  /// - Parameters:
  ///   - stage: where it begins.
  ///   - key: no two runs of the flow have the same; ``RunOptions/ifTaken`` says what is done if one
  ///     has it.
  ///   - options: when the run begins, and which runs go before it.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the identifier of the run, a new one in each attempt unless the options have one.
  ///   Where the key is taken no run has it.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` where this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) throws -> RunID {
    try request(stage, key: key, options: options, flow: flow)
  }

  /// The options of a run that this stage starts: it belongs to the same trace unless another is given.
  func inTrace(_ options: RunOptions) -> RunOptions {
    var options = options
    if options.trace.isEmpty { options.trace = trace }
    return options
  }

  private func request<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow: String?
  ) throws -> RunID {
    let options = inTrace(options)
    let start = try requests.start(stage, key: key, options: options, flow: flow, parent: nil)
    outbox.add(start)
    return start.id
  }

  /// Sends a signal to a run of this journal with this stage's checkpoint: it is sent if and only if
  /// that was made.
  ///
  /// A run that is not there, or is over, does not take it: then the attempt has failed with that
  /// error.
  ///
  /// - Parameters:
  ///   - name: what the run waits for by.
  ///   - value: what the signal says.
  ///   - run: who gets it.
  ///   - id: sent again under the same one, it is the same signal; unless given, one that is the same
  ///     in each attempt at this stage.
  /// - Throws: ``JournalError``, `EncodingError`.
  public func send(
    _ name: String, _ value: some Encodable & Sendable, to run: RunID, id: String? = nil
  ) throws {
    let ordinal = outbox.content.signals.count
    let signal = try requests.signal(
      name, value, id: id ?? "\(idempotencyKey)-\(ordinal)", to: run)
    outbox.add(Checkpoint.Signal(to: run, signal))
  }
}
