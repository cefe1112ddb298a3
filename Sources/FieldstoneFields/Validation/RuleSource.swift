/// A field that a rule looks at, and that the rule does not keep: two fields may look at each other.
struct RuleSource {
  private weak var field: AnyField?
  private let identifier: ObjectIdentifier

  /// What a field has that is gone.
  private struct Gone {}

  init(_ field: AnyField) {
    self.field = field
    identifier = ObjectIdentifier(field)
  }

  /// The value as it is, for ``stillHas(_:)``.
  var valueToCompare: Any { field?.valueToCompare ?? Gone() }

  /// Whether the value is the one that it was.
  func stillHas(_ value: Any) -> Bool {
    field?.stillHas(value) ?? (value is Gone)
  }

  /// Calls a closure with each change, as long as the owner lives.
  func addDependent(_ owner: AnyObject, _ body: @escaping () -> Void) {
    field?.addDependent(owner, body)
  }

  /// Whether both are the same field; one that came to the place of one that is gone is another.
  static func === (left: RuleSource, right: RuleSource) -> Bool {
    left.identifier == right.identifier && (left.field == nil) == (right.field == nil)
  }
}

/// A field of a known type, held weakly.
final class WeakField<Value: Equatable & Sendable> {
  private(set) weak var field: ReadableField<Value>?

  init(_ field: ReadableField<Value>) {
    self.field = field
  }

  /// Its value as it is; nil, too, when it is gone.
  var value: Value? {
    field?.bringUpToDate()
    return field?.storage
  }
}
