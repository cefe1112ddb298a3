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

/// An item of an ``ArrayField``: a value with an identity.
public struct FieldItem<Element> {
  /// The item's identity; it stays when the item moves and when its value is replaced.
  public let id: FieldItemID

  /// Its value.
  public let value: Element
}

extension FieldItem: Identifiable {}
extension FieldItem: Sendable where Element: Sendable {}
extension FieldItem: Equatable where Element: Equatable {}
extension FieldItem: Hashable where Element: Hashable {}
