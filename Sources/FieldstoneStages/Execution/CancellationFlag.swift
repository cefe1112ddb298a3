public import Synchronization

/// Whether an execution was cancelled, cheap enough to ask before every stage.
///
/// One cancellation handler for a whole run sets it: to ask the task each time would cost more
/// than a small stage does.
@usableFromInline
final class CancellationFlag: Sendable {
  @usableFromInline let flag = Atomic(false)

  @inlinable
  init() {}

  @inlinable
  var isSet: Bool {
    flag.load(ordering: .relaxed)
  }

  @inlinable
  func set() {
    flag.store(true, ordering: .relaxed)
  }
}
