public import Foundation

/// The end of a stage's work, with the run's next step, written atomically and permanently.
public struct Checkpoint: Sendable {
  /// The step after a stage.
  public enum Next: Sendable, Hashable {
    /// Another stage, at once; the worker keeps the lease.
    case stage(Data)
    /// Another stage, at a time.
    case waiting(Data, until: Date)
    /// Another stage, when a signal of one of these names has arrived or at a time.
    case receiving(Data, signals: [String], until: Date?)
    /// Another stage, when the checkpoint's children have ended as the policy requires, or at a
    /// time.
    case joining(Data, Join)
    /// The completion.
    case completion(Data)
  }

  /// A signal to a run of the journal.
  public struct Signal: Sendable, Hashable {
    /// The run that receives it.
    public var run: RunID
    /// The signal.
    public var signal: SignalRecord

    /// Makes a signal to a run.
    public init(to run: RunID, _ signal: SignalRecord) {
      self.run = run
      self.signal = signal
    }
  }

  /// The claim of the run.
  public var claim: RunClaim
  /// The version of the flow that makes it.
  public var version: Int
  /// The next step.
  public var next: Next
  /// The identifiers of the signals that the work has consumed.
  public var consumedSignals: [String]
  /// When the work began, by the wall clock.
  public var beganAt: Date
  /// How long the worker holds the next stage before it must renew.
  public var lease: Duration
  /// The runs that are started with the checkpoint; they exist if and only if it was made.
  public var starts: [RunStart]
  /// The signals that are sent with the checkpoint, after its starts.
  ///
  /// If a run refuses one, the checkpoint fails, as `Journal.signal(_:_:at:)` would.
  public var signals: [Signal]
  /// The writes in the same transaction; empty on a journal without transactions.
  public var writes: [CheckpointWrite]
  /// Whether the run has a parent; nil if unknown.
  package var isChild: Bool?

  /// Makes a checkpoint.
  public init(
    claim: RunClaim, version: Int, next: Next, consumedSignals: [String] = [], beganAt: Date,
    lease: Duration, starts: [RunStart] = [], signals: [Signal] = [],
    writes: [CheckpointWrite] = []
  ) {
    self.claim = claim
    self.version = version
    self.next = next
    self.consumedSignals = consumedSignals
    self.beganAt = beganAt
    self.lease = lease
    self.starts = starts
    self.signals = signals
    self.writes = writes
  }
}

/// The result of a run's checkpoint.
public enum CheckpointReceipt: String, Sendable, Hashable, Codable {
  /// The run continues with the next step.
  case made
  /// The step was made, and the run was given back at its next stage, because it, its concurrency
  /// key or its flow is paused.
  case paused
}

extension Checkpoint.Next {
  /// The stage or the completion, as JSON.
  package var payload: Data {
    switch self {
    case .stage(let payload), .waiting(let payload, until: _),
      .receiving(let payload, signals: _, until: _), .joining(let payload, _),
      .completion(let payload):
      payload
    }
  }

  /// The children that it starts.
  package var children: [ChildStart] {
    if case .joining(_, let join) = self { join.children } else { [] }
  }

  /// Whether it completes the run.
  package var isCompletion: Bool {
    if case .completion = self { true } else { false }
  }
}

/// A write of a stage in the transaction of its checkpoint.
public struct CheckpointWrite: Sendable {
  private let body: @Sendable (Any) throws -> Void

  /// Makes a write; each journal defines its own type of transaction.
  public init(_ body: @escaping @Sendable (Any) throws -> Void) {
    self.body = body
  }

  /// Performs the write.
  ///
  /// - Throws: the errors of the body; then the checkpoint is not made.
  public func perform(in transaction: Any) throws {
    try body(transaction)
  }
}
