import Dispatch

extension Placement {
  /// Calls a handler there; nothing waits for it.
  func call(_ handler: @escaping @Sendable () -> Void) {
    switch self {
    case .automatic: handler()
    case .priority(let priority): Task(priority: priority) { @concurrent in handler() }
    case .queue(let queue): queue.async(execute: handler)
    case .executor(let executor): Task(executorPreference: executor) { @concurrent in handler() }
    }
  }
}
