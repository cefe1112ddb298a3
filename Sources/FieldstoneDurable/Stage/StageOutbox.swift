import FieldstoneCore

/// What an attempt wants to be written with its checkpoint, in order.
final class StageOutbox: Sendable {
  /// All of it.
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

  func add(_ signal: Checkpoint.Signal) {
    state.withLock { $0.signals.append(signal) }
  }

  func add(_ write: CheckpointWrite) {
    state.withLock { $0.writes.append(write) }
  }
}

/// Makes what a stage starts and sends, and reads its children: the runner's part of a context.
protocol StageRequests: Sendable {
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flow: String?, parent: RunID?
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
