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

/// Tells every listener that durable work stands differently, as often as the listener can take it.
final class ChangeNews: Sendable {
  private let listeners = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
  private let numbers = Atomic(0)

  /// What is told from here on; what comes while one is not listening is told once.
  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
    listeners.withLock { $0[number] = continuation }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  /// Tells it.
  func tell() {
    let all = listeners.withLock { Array($0.values) }
    for listener in all { listener.yield() }
  }

  private func remove(_ number: Int) {
    let gone = listeners.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }
}
