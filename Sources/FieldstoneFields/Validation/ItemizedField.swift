import Synchronization

/// A field whose value has items with rules of their own.
///
/// The rules of the field are asked together with those of its items.
protocol ItemizedField: AnyField {
  /// The rules of an item, whatever its type; nil for none.
  var itemRules: FieldValidation? { get }

  /// The validation of the field; made where its items have rules.
  var rulesWithItems: FieldValidation? { get }

  /// The issues that the synchronous rules of the items find.
  ///
  /// - Parameter all: whether to ask about items, too, whose values were asked about already.
  func issuesByItem(all: Bool) -> [FieldItemID: [FieldIssue]]

  /// The questions for the asynchronous rules of the items.
  var questionsOfItems: [FieldCheck.Question] { get }

  /// The findings about single items, each with the place of the item.
  var issuesInOrder: [FieldIssue] { get }
}

extension AnyField {
  /// The field as one with items; nil where it has none.
  final var itemized: (any ItemizedField)? {
    flags.contains(.hasItems) ? self as? any ItemizedField : nil
  }
}

/// Identifies an item of an ``ArrayField`` as long as it is in the field, wherever it moves.
///
/// Identities are unique within the process, and mean nothing outside of it.
public struct FieldItemID: Sendable, Hashable {
  /// Rises with each identity that is made.
  let number: UInt64

  private static let last = Atomic<UInt64>(0)

  /// Makes an identity that no other item has.
  package init() {
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
