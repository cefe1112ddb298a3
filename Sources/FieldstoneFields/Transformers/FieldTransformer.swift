import FieldstoneCore

/// How a value looks outside: the way in from JSON, and the way out. (Seed: MagneticFields' value
/// transformers.)
///
/// ```swift
/// let born = Field<Date>("Born").transform(with: .date(format: "yyyy-MM-dd"))
/// let visits = Field<Int>("Visits").transform(
///   with: .custom(
///     name: "tally",
///     import: { json in
///       guard case .string(let text) = json, text.allSatisfy({ $0 == "|" }) else {
///         throw FieldIssue.malformed(expected: "tally", found: json)
///       }
///       return text.count
///     },
///     export: { .string(String(repeating: "|", count: $0)) }))
/// ```
///
/// Null never reaches a transformer: it means nil for every field.
public struct FieldTransformer<Value>: Sendable {
  /// The name; issues say that it was expected.
  public let name: String

  /// Makes a value of what came from outside; nil where that means nil.
  ///
  /// It throws a ``FieldIssue`` where it knows what is wrong; any other error becomes an issue
  /// `malformed` with the error as the parameter `reason`.
  public let importing: @Sendable (JSONValue) throws -> Value?

  /// Makes what goes outside; it throws where a value can't be written without loss.
  public let exporting: @Sendable (Value) throws -> JSONValue

  /// Whether values may be texts or whole numbers outside, which can be typed.
  package var writesText = true

  init(
    name: String,
    importing: @escaping @Sendable (JSONValue) throws -> Value?,
    exporting: @escaping @Sendable (Value) throws -> JSONValue
  ) {
    self.name = name
    self.importing = importing
    self.exporting = exporting
  }

  /// A transformer made of two closures.
  ///
  /// - Parameters:
  ///   - name: what it is called; issues say it was expected.
  ///   - import: makes a value of what came from outside; null never reaches it.
  ///   - export: makes what goes outside.
  public static func custom(
    name: String,
    import: @escaping @Sendable (JSONValue) throws -> Value?,
    export: @escaping @Sendable (Value) throws -> JSONValue
  ) -> FieldTransformer {
    FieldTransformer(name: name, importing: `import`, exporting: export)
  }

  /// A value from outside, with null as nil and every error as an issue.
  func value(of json: JSONValue) throws(FieldIssue) -> Value? {
    if json == .null { return nil }
    do {
      return try importing(json)
    } catch {
      throw FieldIssue(thrown: error, expected: name, found: json)
    }
  }

  /// A value for outside, with every error as an issue.
  func json(of value: Value) throws(FieldIssue) -> JSONValue {
    do {
      return try exporting(value)
    } catch {
      throw FieldIssue(thrown: error, expected: name, writing: Value.self)
    }
  }
}

extension FieldTransformer {
  /// Makes a transformer whose way in gives nil for all that is malformed.
  init(
    _ name: String, from read: @escaping @Sendable (JSONValue) -> Value?,
    to write: @escaping @Sendable (Value) throws -> JSONValue
  ) {
    self.init(
      name: name,
      importing: { json in
        guard let value = read(json) else {
          throw FieldIssue.malformed(expected: name, found: json)
        }
        return value
      },
      exporting: write)
  }

  /// Makes a transformer for what is a string outside.
  init(
    _ name: String, fromString read: @escaping @Sendable (String) -> Value?,
    toString write: @escaping @Sendable (Value) -> String?
  ) {
    self.init(name) { json in
      if case .string(let text) = json { read(text) } else { nil }
    } to: { value in
      guard let text = write(value) else {
        throw FieldIssue.notRepresentable("\(Value.self)", expected: name)
      }
      return .string(text)
    }
  }
}

extension FieldTransformer {
  /// An array whose elements another transformer reads and writes.
  ///
  /// One malformed element makes the whole array malformed; the issue's path holds its index. Null
  /// is no element.
  public static func array<Element>(
    of element: FieldTransformer<Element>
  ) -> FieldTransformer where Value == [Element] {
    let name = "array of \(element.name)"
    var transformer = FieldTransformer(
      name: name,
      importing: { json in
        guard case .array(let values) = json else {
          throw FieldIssue.malformed(expected: name, found: json)
        }
        return try values.enumerated().map { index, json in
          do throws(FieldIssue) {
            if let value = try element.value(of: json) { return value }
          } catch {
            throw error.inside("\(index)")
          }
          throw FieldIssue.malformed(expected: element.name, found: json).inside("\(index)")
        }
      },
      exporting: { values in
        .array(
          try values.enumerated().map { index, value in
            do throws(FieldIssue) {
              return try element.json(of: value)
            } catch {
              throw error.inside("\(index)")
            }
          })
      })
    transformer.writesText = false
    return transformer
  }
}

extension FieldTransformer
where Value: RawRepresentable & SendableMetatype, Value.RawValue == String {
  /// An enum by its raw value; one that the enum has no case for is an issue `unknownValue`.
  public static var rawValue: FieldTransformer { rawValue(through: String.defaultTransformer) }
}

extension FieldTransformer where Value: RawRepresentable & SendableMetatype, Value.RawValue == Int {
  /// An enum by its raw value; one that the enum has no case for is an issue `unknownValue`.
  public static var rawValue: FieldTransformer { rawValue(through: Int.defaultTransformer) }
}

extension FieldTransformer where Value: RawRepresentable & SendableMetatype {
  private static func rawValue(
    through raw: FieldTransformer<Value.RawValue>
  ) -> FieldTransformer {
    FieldTransformer(
      name: raw.name,
      importing: { json in
        guard let rawValue = try raw.importing(json) else { return nil }
        guard let value = Value(rawValue: rawValue) else {
          throw FieldIssue.unknownValue("\(rawValue)")
        }
        return value
      },
      exporting: { try raw.exporting($0.rawValue) })
  }
}

extension FieldIssue {
  /// A value is not of the form that it should be: code `malformed`.
  ///
  /// - Parameters:
  ///   - expected: what it should be; the parameter `expected`.
  ///   - found: what is there; in a few words it is the parameter `found`.
  public static func malformed(expected: String, found: JSONValue) -> FieldIssue {
    FieldIssue(
      code: "malformed", parameters: ["expected": expected, "found": found.summary],
      source: .importing)
  }

  /// A value has the right form, but is none of those that are known: code `unknownValue`.
  ///
  /// - Parameter rawValue: what is there; the parameter `value`.
  public static func unknownValue(_ rawValue: String) -> FieldIssue {
    FieldIssue(code: "unknownValue", parameters: ["value": rawValue], source: .importing)
  }

  /// No transformer is known for a type: code `noTransformer`, with the parameter `type`.
  ///
  /// Give the field one with ``Field/transform(with:)``, or make its type ``DefaultTransformable``.
  package static func noTransformer(for type: Any.Type) -> FieldIssue {
    FieldIssue(code: "noTransformer", parameters: ["type": "\(type)"], source: .importing)
  }

  /// A value can't be written in the form that was asked for: code `notRepresentable`.
  ///
  /// - Parameters:
  ///   - value: what can't be written, in a few words; the parameter `value`.
  ///   - expected: the form; the parameter `expected`.
  public static func notRepresentable(_ value: String, expected: String) -> FieldIssue {
    FieldIssue(
      code: "notRepresentable", parameters: ["expected": expected, "value": value],
      source: .importing)
  }

  /// A value was there that JSON can't hold, or not as deep.
  static func unreadable(_ error: JSONValueError) -> FieldIssue {
    FieldIssue(
      code: "malformed",
      parameters: ["expected": "JSON", "found": "unreadable", "reason": error.message],
      source: .importing)
  }

  /// Makes an issue of whatever a transformer threw.
  init(thrown error: any Error, expected: String, found: JSONValue) {
    if var issue = error as? FieldIssue {
      issue.source = .importing
      self = issue
    } else {
      self = .malformed(expected: expected, found: found)
      parameters["reason"] = Self.reason(error)
    }
  }

  /// Makes an issue of whatever a transformer threw that should write a value.
  init(thrown error: any Error, expected: String, writing type: Any.Type) {
    if let issue = error as? FieldIssue {
      self = issue
    } else {
      // Not the value: its description may be long, and that of a far date would trap.
      self = .notRepresentable("\(type)", expected: expected)
      parameters["reason"] = Self.reason(error)
    }
  }
}
