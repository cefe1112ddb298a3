import FieldstoneCore
package import Foundation

/// The conversion of a field's value from JSON and to JSON. (Seed: MagneticFields' value
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
/// Null never reaches a transformer: for every field it means nil.
public struct FieldTransformer<Value>: Sendable {
  /// The name; issues give it as the expected form.
  public let name: String

  /// Makes a value from JSON; nil if the JSON means nil.
  ///
  /// A thrown ``FieldIssue`` is reported as it is. Any other error becomes an issue `malformed`
  /// with the error as the parameter `reason`.
  public let importing: @Sendable (JSONValue) throws -> Value?

  /// Makes JSON from a value; it throws if the value can't be written without loss.
  public let exporting: @Sendable (Value) throws -> JSONValue

  /// Whether the JSON may be a text or a whole number, which a user can type.
  package var writesText = true

  /// The time zone in which its texts name a day or a time; nil if they name moments.
  package var timeZone: TimeZone?

  init(
    name: String,
    importing: @escaping @Sendable (JSONValue) throws -> Value?,
    exporting: @escaping @Sendable (Value) throws -> JSONValue
  ) {
    self.name = name
    self.importing = importing
    self.exporting = exporting
  }

  /// Makes a transformer from two closures.
  ///
  /// - Parameters:
  ///   - name: its name; issues give it as the expected form.
  ///   - import: makes a value from JSON; null never reaches it.
  ///   - export: makes JSON from a value.
  public static func custom(
    name: String,
    import: @escaping @Sendable (JSONValue) throws -> Value?,
    export: @escaping @Sendable (Value) throws -> JSONValue
  ) -> FieldTransformer {
    FieldTransformer(name: name, importing: `import`, exporting: export)
  }

  /// Reads a value from JSON; null is nil, and every error becomes an issue.
  func value(of json: JSONValue) throws(FieldIssue) -> Value? {
    if json == .null { return nil }
    do {
      return try importing(json)
    } catch {
      throw FieldIssue(thrown: error, expected: name, found: json)
    }
  }

  /// Writes a value as JSON; every error becomes an issue.
  func json(of value: Value) throws(FieldIssue) -> JSONValue {
    do {
      return try exporting(value)
    } catch {
      throw FieldIssue(thrown: error, expected: name, writing: Value.self)
    }
  }
}

extension FieldTransformer {
  /// Makes a transformer whose reading closure returns nil for malformed JSON.
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

  /// Makes a transformer for values whose JSON is a string.
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
  /// An array whose elements use another transformer.
  ///
  /// One malformed element makes the whole array malformed; the issue's path holds its index. A
  /// null element is malformed.
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
  /// An enum by its raw value; a raw value without a case is an issue `unknownValue`.
  public static var rawValue: FieldTransformer { rawValue(through: String.defaultTransformer) }
}

extension FieldTransformer where Value: RawRepresentable & SendableMetatype, Value.RawValue == Int {
  /// An enum by its raw value; a raw value without a case is an issue `unknownValue`.
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
  /// A value does not have the expected form: code `malformed`.
  ///
  /// - Parameters:
  ///   - expected: the expected form; the parameter `expected`.
  ///   - found: the JSON that was found; a summary of it is the parameter `found`.
  public static func malformed(expected: String, found: JSONValue) -> FieldIssue {
    FieldIssue(
      code: "malformed", parameters: ["expected": expected, "found": found.summary],
      source: .importing)
  }

  /// A value has the right form, but is not a known one: code `unknownValue`.
  ///
  /// - Parameter rawValue: the value that was found; the parameter `value`.
  public static func unknownValue(_ rawValue: String) -> FieldIssue {
    FieldIssue(code: "unknownValue", parameters: ["value": rawValue], source: .importing)
  }

  /// A type has no known transformer: code `noTransformer`, with the parameter `type`.
  ///
  /// Give the field one with ``Field/transform(with:)``, or make its type ``DefaultTransformable``.
  package static func noTransformer(for type: Any.Type) -> FieldIssue {
    FieldIssue(code: "noTransformer", parameters: ["type": "\(type)"], source: .importing)
  }

  /// A value can't be written in the expected form: code `notRepresentable`.
  ///
  /// - Parameters:
  ///   - value: a short description of the value; the parameter `value`.
  ///   - expected: the form; the parameter `expected`.
  public static func notRepresentable(_ value: String, expected: String) -> FieldIssue {
    FieldIssue(
      code: "notRepresentable", parameters: ["expected": expected, "value": value],
      source: .importing)
  }

  /// The input holds a value that JSON can't hold, or is nested too deeply.
  static func unreadable(_ error: JSONValueError) -> FieldIssue {
    FieldIssue(
      code: "malformed",
      parameters: ["expected": "JSON", "found": "unreadable", "reason": error.message],
      source: .importing)
  }

  /// Makes an issue from an error that a transformer threw while reading.
  init(thrown error: any Error, expected: String, found: JSONValue) {
    if var issue = error as? FieldIssue {
      issue.source = .importing
      self = issue
    } else {
      self = .malformed(expected: expected, found: found)
      parameters["reason"] = Self.reason(error)
    }
  }

  /// Makes an issue from an error that a transformer threw while writing.
  init(thrown error: any Error, expected: String, writing type: Any.Type) {
    if let issue = error as? FieldIssue {
      self = issue
    } else {
      // The type and not the value: a description may be long, and that of a distant date would
      // trap.
      self = .notRepresentable("\(type)", expected: expected)
      parameters["reason"] = Self.reason(error)
    }
  }
}
