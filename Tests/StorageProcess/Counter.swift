import Synchronization

final class Counter: Sendable {
  private let count = Atomic(0)

  /// The number of this call, from one on.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
