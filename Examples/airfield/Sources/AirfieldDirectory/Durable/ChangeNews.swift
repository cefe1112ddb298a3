import Synchronization

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
