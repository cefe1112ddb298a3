public import Foundation

/// The end of a stage's work: what follows, written at once and for good.
public struct Checkpoint: Sendable {
  /// What follows a stage.
  public enum Next: Sendable, Hashable {
    /// Another stage, at once; the lease stays with the worker.
    case stage(Data)
    /// Another stage, when a time has come.
    case waiting(Data, until: Date)
    /// Another stage, when a signal has come or a time.
    case receiving(Data, signal: String, until: Date?)
    /// Another stage, when the children that are started with the checkpoint have ended, as the policy
    /// says, or a time has come.
    case joining(Data, Join)
    /// Nothing: this is the completion.
    case completion(Data)
  }

  /// A signal to some run of the journal.
  public struct Signal: Sendable, Hashable {
    /// The run that gets it.
    public var run: RunID
    /// What it says.
    public var signal: SignalRecord

    /// Makes a signal to a run.
    public init(to run: RunID, _ signal: SignalRecord) {
      self.run = run
      self.signal = signal
    }
  }

  /// Whose work it is.
  public var claim: RunClaim
  /// The version of the flow that writes.
  public var version: Int
  /// What follows.
  public var next: Next
  /// The signals that the work has used up, by their identifiers.
  public var consumedSignals: [String]
  /// When the work began, by the wall clock.
  public var beganAt: Date
  /// How long the worker has the next stage before it must renew.
  public var lease: Duration
  /// The runs that are started with the checkpoint: they are there if and only if it was made.
  public var starts: [RunStart]
  /// The signals that are sent with the checkpoint, after its starts.
  ///
  /// One that the run does not take makes the checkpoint fail, as `Journal.signal(_:_:at:)` would.
  public var signals: [Signal]
  /// What is to be written in the same transaction; empty on a journal that has none.
  public var writes: [CheckpointWrite]
  /// Whether the run has a parent; nil when the caller does not know.
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

/// What became of a run at its checkpoint.
public enum CheckpointReceipt: String, Sendable, Hashable, Codable {
  /// It goes on as the checkpoint says.
  case made
  /// The step was made, and the run was given back at the next stage: it, its concurrency key or its
  /// flow is paused.
  case paused
}

extension Checkpoint.Next {
  /// The stage or the completion, as JSON.
  package var payload: Data {
    switch self {
    case .stage(let payload), .waiting(let payload, until: _),
      .receiving(let payload, signal: _, until: _), .joining(let payload, _),
      .completion(let payload):
      payload
    }
  }

  /// The children that are started with it.
  package var children: [ChildStart] {
    if case .joining(_, let join) = self { join.children } else { [] }
  }

  /// Whether the run is over with it.
  package var isCompletion: Bool {
    if case .completion = self { true } else { false }
  }
}

/// What a stage writes in the transaction of its checkpoint.
public struct CheckpointWrite: Sendable {
  private let body: @Sendable (Any) throws -> Void

  /// Makes a write; a journal says in its own words what the transaction is.
  public init(_ body: @escaping @Sendable (Any) throws -> Void) {
    self.body = body
  }

  /// Writes.
  ///
  /// - Throws: what the body throws; then the checkpoint is not made.
  public func perform(in transaction: Any) throws {
    try body(transaction)
  }
}
