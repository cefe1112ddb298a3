import Synchronization

/// Names an item of an ``ArrayField`` for as long as it is in it, wherever it moves.
///
/// Identities are unique within the process, and mean nothing outside of it.
public struct FieldItemID: Sendable, Hashable {
  /// Rises with each identity that is made.
  let number: UInt64

  private static let last = Atomic<UInt64>(0)

  /// Makes an identity that no other item has.
  init() {
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  private init(number: UInt64) {
    self.number = number
  }

  /// Makes so many identities that no other items have, in rising order.
  static func fresh(_ count: Int) -> some Sequence<FieldItemID> {
    let first = last.add(UInt64(count), ordering: .relaxed).oldValue + 1
    return (first..<first + UInt64(count)).lazy.map { FieldItemID(number: $0) }
  }
}
