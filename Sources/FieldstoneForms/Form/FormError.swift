public import FieldstoneCore
public import FieldstoneFields

/// The reason why a form was not submitted, or could not read or write values.
public enum FormError: DescribedError, Equatable {
  /// Something is invalid; each issue's path begins with the key of its field.
  case invalid([FieldIssue])
  /// Fields continued to change while they were validated.
  case unsettled
  /// The form has no mapping from its fields to the properties of that type.
  case notMapped(type: String)
  /// A property of a model needs a value, and its field has none.
  case missingValue(key: String)

  /// No text format reads the values of a field, so the form omits it.
  case noTextFormat(key: String, type: String)

  /// The problem and its remedy.
  public var message: String {
    switch self {
    case .invalid(let issues):
      "The form has \(issues.count == 1 ? "one issue" : "\(issues.count) issues")"
        + "\(FieldIssue.list(issues)); correct what is said at its fields and submit it again."
    case .unsettled:
      "The fields went on changing while they were validated; let no rule and no observer set "
        + "fields on validation, and submit again."
    case .notMapped(let type):
      "The form does not know what belongs to \(type); name the parts with map(_:to:) first."
    case .missingValue(let key):
      "The field “\(key)” has no value, and the model needs one; require(.notNil) of the field, "
        + "or make the model's property optional."
    case .noTextFormat(let key, let type):
      "The form refuses the field “\(key)”: no text format reads \(type). Give the field one with "
        + "text(as:), or make \(type) DefaultTransformable. Where it has a control of its own, use "
        + "text(as: .shown { … })."
    }
  }
}

/// The error that a form's action throws when another system has refused the values.
///
/// ```swift
/// await form.submit {
///   do { try await server.save(values) } catch let problem as ServerProblem {
///     throw FormRejection(["code": "is taken by another airport"])
///   }
/// }
/// ```
public struct FormRejection: DescribedError, Equatable {
  /// The issues; the first key of each path is that of a field, and an issue without a path belongs
  /// to the form.
  public let issues: [FieldIssue]

  /// The reporter's name; a later report of the same source replaces this one.
  public let source: String

  /// Makes a rejection from issues.
  public init(_ issues: [FieldIssue], source: String = "server") {
    self.issues = issues
    self.source = source
  }

  /// Makes a rejection from messages by key, which follow the fields' names.
  public init(_ messages: [String: String], source: String = "server") {
    self.init(
      messages.keysInOrder.map { key in
        var issue = FieldIssue(messages[key] ?? "", code: "rejected", source: .server)
        issue.path = [key]
        return issue
      }, source: source)
  }

  /// The problem and its remedy.
  public var message: String {
    "The values were refused\(FieldIssue.list(issues)); correct what is said at the fields and "
      + "submit again."
  }
}
