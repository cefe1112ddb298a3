import FieldstoneCore

/// What an attempt wants to write in the transaction of its checkpoint, in order.
final class CheckpointWrites: Sendable {
  private let state = Locked<[CheckpointWrite]>([])

  var all: [CheckpointWrite] { state.withLock { $0 } }

  func add(_ write: CheckpointWrite) {
    state.withLock { $0.append(write) }
  }
}
