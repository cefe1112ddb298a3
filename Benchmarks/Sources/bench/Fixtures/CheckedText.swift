import Fieldstone

/// What one would write by hand: a text and five conditions, each with the issue that it makes.
final class CheckedText {
  private var value: String?
  private let known: Set<String>

  init(_ value: String?, known: [String]) {
    self.value = value
    self.known = Set(known)
  }

  @inline(never)
  func validate() -> ValidationState {
    guard let value else { return .invalid([FieldIssue(code: "required")]) }
    var issues: [FieldIssue] = []
    if !value.contains(where: { !$0.isWhitespace }) { issues.append(FieldIssue(code: "blank")) }
    let count = value.count
    if count < 3 {
      issues.append(FieldIssue(code: "tooShort", parameters: ["minimum": "3"]))
    } else if count > 40 {
      issues.append(FieldIssue(code: "tooLong", parameters: ["maximum": "40"]))
    }
    if !known.contains(value) { issues.append(FieldIssue(code: "notAllowed")) }
    if value.hasPrefix("X") { issues.append(FieldIssue(code: "invalid")) }
    return issues.isEmpty ? .valid : .invalid(issues)
  }

  /// A field with the same conditions as rules.
  static func field(_ value: String?, known: [String]) -> Field<String> {
    let field = Field<String>("Time zone").require(.notNil).require(.notBlank)
      .require(.length(3...40)).require(.oneOf(known)).require { !$0.hasPrefix("X") }
    field.value = value
    return field
  }
}
