import FieldstoneCore

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
  public static func noTransformer(for type: Any.Type) -> FieldIssue {
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
