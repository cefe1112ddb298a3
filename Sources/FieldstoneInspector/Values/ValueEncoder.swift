#if INSPECTOR
  import Foundation

  extension ValueBudget {
    /// Reads a value through its `Codable` conformance.
    ///
    /// - Throws: ``IsUsedUp`` at the limit of nodes; the value's own error.
    func encode(_ value: any Encodable, into node: ShownValue, depth: Int) throws {
      guard take() else {
        node.content = .cut
        throw IsUsedUp()
      }
      if depth >= limits.depth {
        node.content = .cut
        return
      }
      switch value {
      case let value as String: node.content = text(value)
      case let value as Bool: node.content = .literal("\(value)")
      case let value as Int: node.content = .literal("\(value)")
      case let value as Double: node.content = .literal("\(value)")
      case let value as Date: node.content = .text(value.formatted(.iso8601))
      case let value as Data: node.content = .text("\(value.count) bytes")
      case let value as URL: node.content = text(value.absoluteString)
      case let value as Decimal: node.content = .literal("\(value)")
      default:
        // Most dictionaries encode their keys as items of an array, which have no names to redact.
        guard value is any PairedValue else {
          return try value.encode(to: ValueEncoder(node: node, budget: self, depth: depth))
        }
        try readPairs(Mirror(reflecting: value).children, into: node) { value, node in
          guard let value = value as? any Encodable else {
            return reflect(value, into: node, depth: depth + 1)
          }
          try encode(value, into: node, depth: depth + 1)
        }
      }
    }
  }

  /// A dictionary of any keys and values; other types may have a mirror like one's.
  private protocol PairedValue {}
  extension Dictionary: PairedValue {}

  /// Encodes one value into a node.
  private struct ValueEncoder: Encoder {
    let node: ShownValue
    let budget: ValueBudget
    let depth: Int
    var codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(KeyedValues<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedValues(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(encoder: self) }

    /// Adds a member, whose value may be redacted.
    func add(_ key: some CodingKey, _ value: any Encodable) throws {
      guard let child = member(key.stringValue) else { return }
      try budget.encode(value, into: child, depth: depth + 1)
    }

    func add(_ key: some CodingKey, literal: String) throws {
      guard budget.take() else {
        member(key.stringValue)?.content = .cut
        throw ValueBudget.IsUsedUp()
      }
      member(key.stringValue)?.content = .literal(literal)
    }

    /// A new member; nil if it is redacted.
    func member(_ name: String) -> ShownValue? {
      let isHidden = budget.redaction.hides(name)
      let child = ShownValue(isHidden ? .redacted : .nothing)
      var members: [(String, ShownValue)] = []
      if case .object(let known) = node.content { members = known }
      node.content = .nothing
      members.append((name, child))
      node.content = .object(members)
      return isHidden ? nil : child
    }

    func item() -> ShownValue {
      let child = ShownValue()
      var items: [ShownValue] = []
      if case .array(let known) = node.content { items = known }
      node.content = .nothing
      items.append(child)
      node.content = .array(items)
      return child
    }

    func nested(_ node: ShownValue, _ key: (any CodingKey)? = nil) -> ValueEncoder {
      ValueEncoder(
        node: node, budget: budget, depth: depth + 1,
        codingPath: codingPath + (key.map { [$0] } ?? []))
    }
  }

  private struct KeyedValues<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: ValueEncoder) {
      self.encoder = encoder
      if case .object = encoder.node.content { return }
      encoder.node.content = .object([])
    }

    func encodeNil(forKey key: Key) throws { try encoder.add(key, literal: "null") }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.add(key, value) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.nested(child(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.nested(child(key), key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.nested(encoder.member("super") ?? ShownValue()) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(child(key), key) }

    /// A member; a redacted one is encoded into a node that is not shown.
    private func child(_ key: Key) -> ShownValue {
      encoder.member(key.stringValue) ?? ShownValue()
    }
  }

  private struct UnkeyedValues: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: ValueEncoder) {
      self.encoder = encoder
      if case .array = encoder.node.content { return }
      encoder.node.content = .array([])
    }

    var count: Int { if case .array(let items) = encoder.node.content { items.count } else { 0 } }

    func encodeNil() throws {
      let child = encoder.item()
      guard encoder.budget.take() else {
        child.content = .cut
        throw ValueBudget.IsUsedUp()
      }
      child.content = .literal("null")
    }

    func encode(_ value: some Encodable) throws {
      try encoder.budget.encode(value, into: encoder.item(), depth: encoder.depth + 1)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      encoder.nested(encoder.item()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.nested(encoder.item()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.nested(encoder.item()) }
  }

  private struct SingleValue: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { encoder.node.content = .literal("null") }
    func encode(_ value: Bool) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: String) throws { encoder.node.content = encoder.budget.text(value) }
    func encode(_ value: Double) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Float) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Int) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Int8) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Int16) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Int32) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: Int64) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: UInt) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: UInt8) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: UInt16) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: UInt32) throws { encoder.node.content = .literal("\(value)") }
    func encode(_ value: UInt64) throws { encoder.node.content = .literal("\(value)") }

    func encode(_ value: some Encodable) throws {
      try encoder.budget.encode(value, into: encoder.node, depth: encoder.depth + 1)
    }
  }
#endif
