import FieldstoneCore
import Foundation

/// Does something on a thread that has delivered nothing before, and waits for it.
func onNewThread(_ body: @escaping @Sendable () -> Void) async {
  // The thread sanitizer does not always see that a continuation puts the two in an order; a lock it
  // sees.
  let isDone = Locked(false)
  await withCheckedContinuation { continuation in
    Thread {
      body()
      isDone.withLock { $0 = true }
      continuation.resume()
    }.start()
  }
  isDone.withLock { _ in }
}
