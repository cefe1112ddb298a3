import Synchronization

/// What a cheap observer does: counts.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// Adds one.
  func count() { value.wrappingAdd(1, ordering: .relaxed) }

  /// How often it has counted.
  var total: Int { value.load(ordering: .relaxed) }
}
