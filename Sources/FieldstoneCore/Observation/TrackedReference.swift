import Synchronization

/// A reference that a ``ReferenceTracker`` counts; releasing it removes it.
public final class TrackedReference: Sendable {
  /// What it is for.
  public let reason: String

  private let whenReleased: @Sendable () -> Void
  private let isReleased = Atomic(false)

  init(reason: String, whenReleased: @escaping @Sendable () -> Void) {
    self.reason = reason
    self.whenReleased = whenReleased
  }

  deinit {
    release()
  }

  /// Removes it before its release; a no-op when it was removed.
  public func release() {
    if isReleased.exchange(true, ordering: .acquiringAndReleasing) { return }
    whenReleased()
  }
}
