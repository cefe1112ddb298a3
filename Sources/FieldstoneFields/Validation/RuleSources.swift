/// The fields that the rules of a field look at, each once.
struct RuleSources {
  private(set) var all: [RuleSource] = []

  /// The places of more sources than are quickly searched.
  private var places: [ObjectIdentifier: Int] = [:]

  private static var mostSearched: Int { 8 }

  var isEmpty: Bool { all.isEmpty }

  /// The values as they are, for ``areAll(_:)``.
  var values: [Any] { all.map(\.valueToCompare) }

  /// Adds a source; O(1).
  ///
  /// - Returns: whether it is a new one.
  mutating func insert(_ source: RuleSource) -> Bool {
    if let place = place(of: source.identifier), all[place] === source { return false }
    all.append(source)
    if all.count > Self.mostSearched {
      let first = places.isEmpty ? 0 : all.count - 1
      for place in first..<all.count { places[all[place].identifier] = place }
    }
    return true
  }

  /// Whether all values are equal to what they were.
  func areAll(_ values: [Any]) -> Bool {
    all.count == values.count && zip(all, values).allSatisfy { $0.stillHas($1) }
  }

  /// Whether the value of one source is equal to what it was; O(1).
  func `is`(_ source: ObjectIdentifier, asIn values: [Any]) -> Bool {
    guard all.count == values.count, let place = place(of: source) else { return false }
    return all[place].stillHas(values[place])
  }

  /// The place of the last source with an identifier: the others are gone.
  private func place(of source: ObjectIdentifier) -> Int? {
    places.isEmpty ? all.lastIndex { $0.identifier == source } : places[source]
  }
}

/// A field that a rule looks at, and that the rule does not keep: two fields may look at each other.
struct RuleSource {
  private weak var field: AnyField?
  let identifier: ObjectIdentifier

  private let read: () -> Any
  private let compare: (Any) -> Bool

  /// The value of a field that is gone.
  private struct Gone {}

  init<Value>(_ field: ReadableField<Value>) {
    self.field = field
    identifier = ObjectIdentifier(field)
    let source = WeakField(field)
    read = {
      if source.field == nil { return Gone() }
      return KnownValue(value: source.value)
    }
    compare = { value in
      guard source.field != nil else { return value is Gone }
      return (value as? KnownValue<Value>).map { isSame($0.value, source.value) } ?? false
    }
  }

  /// The name of the field; nil once it is gone.
  var name: String? { field?.name }

  /// The value as it is, for ``stillHas(_:)``.
  var valueToCompare: Any { read() }

  /// Whether the value is equal to what it was.
  func stillHas(_ value: Any) -> Bool { compare(value) }

  /// Calls a closure with each change, as long as the owner lives.
  func forEachChange(for owner: AnyObject, _ body: @escaping () -> Void) {
    field?.forEachChange(for: owner, body)
  }

  /// Whether both are the same field; one that came to the place of one that is gone is another.
  static func === (left: RuleSource, right: RuleSource) -> Bool {
    left.identifier == right.identifier && (left.field == nil) == (right.field == nil)
  }
}

/// A value of a field; its nil differs from the nil of a failed cast.
private struct KnownValue<Value> {
  let value: Value?
}
