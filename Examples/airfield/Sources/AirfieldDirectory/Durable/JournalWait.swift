import FieldstoneDurable
import Synchronization

/// What durable work waits for while nothing can be stored, as on a full disk.
///
/// A runner tries again by itself, so nothing ends: without a word a person would see no difference
/// between waiting and working.
final class JournalWait: Sendable {
  private let current = Mutex<String?>(nil)
  private let didChange: @Sendable (String?) -> Void

  /// Makes one that tells each reason once, and nil once work goes on.
  init(_ didChange: @escaping @Sendable (String?) -> Void = { _ in }) {
    self.didChange = didChange
  }

  /// What is waited for; nil while work goes on.
  var reason: String? { current.withLock { $0 } }

  /// Takes an event of the runner that does the work.
  func take(_ event: RunnerEvent) {
    switch event.kind {
    case .journalUnavailable(let error), .retry(_, _, let error): set(error)
    case .stageFinished, .completed, .dead, .blocked: set(nil)
    // A run that is given back or claimed anew waits for the same as before.
    default: return
    }
  }

  private func set(_ reason: String?) {
    let isNews = current.withLock { current in
      defer { current = reason }
      return current != reason
    }
    if isNews { didChange(reason) }
  }
}
