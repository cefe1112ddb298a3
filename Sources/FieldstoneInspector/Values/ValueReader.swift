#if INSPECTOR
  import Foundation

  /// Reads values of any type: through their `Codable` conformance if they have one, else by
  /// reflection.
  ///
  /// It stops at its limits, so the cost is bounded for a value of any size. It calls the value's
  /// own `encode(to:)`, and reads dictionaries by their mirror.
  struct ValueReader: Sendable {
    let redaction: RedactionRule
    var limits = ValueLimits()

    /// The value as indented text.
    func text(of value: Any) -> String { shown(value).text }

    /// The value on one line, truncated to a number of characters.
    func line(of value: Any, length: Int = 120) -> String {
      var reader = self
      reader.limits.nodes = min(limits.nodes, 24)
      reader.limits.text = min(limits.text, length)
      let line = reader.text(of: value).split(separator: "\n").map {
        $0.drop { $0 == " " }
      }.joined(separator: " ")
      return line.count > length ? line.prefix(length - 1) + "…" : line
    }

    /// A value of a watched object, such as an identifier of a list, on one line; dots if the
    /// object's name hides it.
    func line(of value: Any, named name: String, length: Int = 120) -> String {
      redaction.hides(name) ? RedactedJSON.dots : line(of: value, length: length)
    }

    /// A value on one line, known or read later.
    enum Words {
      case known(String?)
      case later(@Sendable () -> String)
    }

    /// A value of a watched object, such as the parameters of its call, on one line.
    ///
    /// A value that needs reading is read later, because an event must cost little.
    func words(of value: some Sendable, named name: String) -> Words {
      if value is Void { return .known(nil) }
      if redaction.hides(name) { return .known(RedactedJSON.dots) }
      if let line = plainLine(of: value, length: 400) { return .known(line) }
      return .later { line(of: value, length: 400) }
    }

    /// The value on one line if that needs no reading: a text, a number or a truth value; else nil.
    func plainLine(of value: Any, length: Int = 120) -> String? {
      switch value {
      case let value as String:
        // Quoting lengthens the text; a longer line is truncated by the slow way.
        guard value.utf8.count < length / 2 else { return line(of: value, length: length) }
        return ShownValue(.text(value)).text
      case let value as Int: return "\(value)"
      case let value as Bool: return "\(value)"
      case let value as Double: return "\(value)"
      default: return nil
      }
    }

    /// The value of a named member, which the redaction rule may hide.
    func shown(_ value: Any, named name: String) -> ShownValue {
      redaction.hides(name) ? ShownValue(.redacted) : shown(value)
    }

    /// The value.
    func shown(_ value: Any) -> ShownValue {
      let node = ShownValue()
      let budget = ValueBudget(limits, redaction)
      if let encodable = value as? any Encodable {
        do {
          try budget.encode(encodable, into: node, depth: 0)
          return node
        } catch is ValueBudget.IsUsedUp {
          return node
        } catch {
          // A value whose encoding fails still has members.
        }
      }
      budget.begin()
      budget.reflect(value, into: node, depth: 0)
      return node
    }
  }

  /// Counts the read nodes of a value, and stops at the limits.
  final class ValueBudget {
    /// The limit is reached; nodes read so far stay.
    struct IsUsedUp: Error {}

    let limits: ValueLimits
    let redaction: RedactionRule
    private var left: Int

    init(_ limits: ValueLimits, _ redaction: RedactionRule) {
      self.limits = limits
      self.redaction = redaction
      left = limits.nodes
    }

    /// Resets the budget.
    func begin() { left = limits.nodes }

    /// Takes one node; false when none is left.
    func take() -> Bool {
      left -= 1
      return left >= 0
    }

    func text(_ text: String) -> ShownValue.Content {
      // Uses scalars, because counting characters reads the whole text.
      let scalars = text.unicodeScalars
      guard
        let end = scalars.index(
          scalars.startIndex, offsetBy: limits.text, limitedBy: scalars.endIndex),
        end < scalars.endIndex
      else { return .text(text) }
      return .text(String(scalars[..<end]) + "…")
    }

    // MARK: Reflection

    /// Reads a value by its members.
    func reflect(_ value: Any, into node: ShownValue, depth: Int) {
      guard depth < limits.depth, take() else {
        node.content = .cut
        return
      }
      if let content = scalar(value) {
        node.content = content
        return
      }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .optional:
        guard let some = mirror.children.first else {
          node.content = .literal("null")
          return
        }
        reflect(some.value, into: node, depth: depth + 1)
      case .collection, .set: reflectItems(mirror.children, node, depth)
      case .dictionary:
        readPairs(mirror.children, into: node) { reflect($0, into: $1, depth: depth + 1) }
      case .enum where mirror.children.isEmpty:
        node.content = text(String(describing: value))
      default:
        if mirror.children.isEmpty, mirror.superclassMirror == nil {
          node.content = text(String(describing: value))
        } else {
          reflectMembers(mirror, node, depth)
        }
      }
    }

    private func scalar(_ value: Any) -> ShownValue.Content? {
      switch value {
      // Its members may change as they are read: they are its own.
      case let value as any Actor: text("\(type(of: value))")
      case let value as String: text(value)
      case let value as Bool: .literal("\(value)")
      case let value as any BinaryInteger: .literal("\(value)")
      case let value as any BinaryFloatingPoint: .literal("\(value)")
      case let value as Date: .text(value.formatted(.iso8601))
      case let value as Data: .text("\(value.count) bytes")
      case let value as URL: text(value.absoluteString)
      case let value as UUID: .text(value.uuidString)
      case let value as Decimal: .literal("\(value)")
      default: nil
      }
    }

    private func reflectItems(_ children: Mirror.Children, _ node: ShownValue, _ depth: Int) {
      var items: [ShownValue] = []
      // A collection may be of any size, and its elements may be made as they are read.
      for child in children.prefix(limits.nodes) {
        let item = ShownValue()
        reflect(child.value, into: item, depth: depth + 1)
        items.append(item)
        if case .cut = item.content { break }
      }
      node.content = .array(items)
    }

    /// Reads the pairs of a dictionary as members, each value that is not redacted by a closure.
    func readPairs(
      _ children: Mirror.Children, into node: ShownValue,
      _ read: (_ value: Any, _ node: ShownValue) throws -> Void
    ) rethrows {
      var members: [(String, ShownValue)] = []
      defer { node.content = .object(members.sorted { $0.0 < $1.0 }) }
      for child in children.prefix(limits.nodes) {
        let pair = Array(Mirror(reflecting: child.value).children.prefix(2))
        guard pair.count == 2 else { continue }
        let (key, value) = (pair[0].value, ShownValue())
        let name = name(of: key)
        members.append((name, value))
        if redaction.hides(name) || isCaseHidden(key) {
          value.content = .redacted
        } else {
          try read(pair[1].value, value)
        }
      }
    }

    /// Whether the name of a key's case is redacted, which may differ from its text.
    private func isCaseHidden(_ key: Any) -> Bool {
      key is any RawRepresentable && Mirror(reflecting: key).displayStyle == .enum
        && redaction.hides(String(describing: key))
    }

    /// A key as a name: its text or its number, as it is encoded, if it has one.
    ///
    /// One without words of its own is read like a value, because it may be of any size.
    private func name(of key: Any) -> String {
      let raw: Any =
        switch key {
        case let key as any CodingKeyRepresentable: key.codingKey.stringValue
        case let key as any RawRepresentable: key.rawValue
        default: key
        }
      switch scalar(raw) {
      case .text(let text), .literal(let text): return text
      default: break
      }
      let mirror = Mirror(reflecting: key)
      switch mirror.displayStyle {
      case .struct, .class, .enum:
        guard mirror.children.isEmpty || key is any CustomStringConvertible else { break }
        if case .text(let text) = text(String(describing: key)) { return text }
      default: break
      }
      let node = ShownValue()
      reflect(key, into: node, depth: limits.depth - 3)
      return node.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    private func reflectMembers(_ mirror: Mirror, _ node: ShownValue, _ depth: Int) {
      var members: [(String, ShownValue)] = []
      var next: Mirror? = mirror
      while let mirror = next {
        for (index, child) in mirror.children.prefix(limits.nodes).enumerated() {
          let name = child.label ?? "\(index)"
          members.append((name, member(name, child.value, depth)))
        }
        next = mirror.superclassMirror
      }
      node.content = .object(members)
    }

    private func member(_ name: String, _ value: Any, _ depth: Int) -> ShownValue {
      if redaction.hides(name) { return ShownValue(.redacted) }
      let node = ShownValue()
      reflect(value, into: node, depth: depth + 1)
      return node
    }
  }
#endif
