import FieldstoneCore

/// The writes that an attempt adds to its checkpoint, in order.
final class StageOutbox: Sendable {
  /// All writes.
  struct Content: Sendable {
    var starts: [RunStart] = []
    var signals: [Checkpoint.Signal] = []
    var writes: [CheckpointWrite] = []
  }

  private let state = Locked(Content())

  var content: Content { state.withLock { $0 } }

  func add(_ start: RunStart) {
    state.withLock { $0.starts.append(start) }
  }

  /// - Parameter prefix: names the signal by its number among the stage's; nil to keep its identifier.
  func add(_ signal: Checkpoint.Signal, numberedAs prefix: String?) {
    state.withLock { content in
      var signal = signal
      if let prefix { signal.signal.id = "\(prefix)-\(content.signals.count)" }
      content.signals.append(signal)
    }
  }

  func add(_ write: CheckpointWrite) {
    state.withLock { $0.writes.append(write) }
  }
}

/// Makes a stage's starts and signals, and reads its children: the runner's part of a context.
protocol StageRequests: Sendable {
  /// - Parameters:
  ///   - parent: the run that waits for the new one as its child.
  ///   - sender: the run whose stage starts it.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow: String?, parent: RunID?, sender: RunID?
  ) throws -> RunStart

  /// - Throws: ``JournalError``, `EncodingError`.
  func signal(
    _ name: String, _ value: some Encodable & Sendable, id: String?, to run: RunID
  ) throws -> SignalRecord

  /// A page of a run's children.
  ///
  /// - Throws: ``JournalError``.
  func children(
    of run: RunID, at sequence: Int, after place: ChildPlace?
  ) async throws -> ChildPage
}
