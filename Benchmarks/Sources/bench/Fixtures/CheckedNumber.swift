import Fieldstone

/// What one would write by hand: a number and five conditions, each with the issue that it makes.
final class CheckedNumber {
  private var value: Int?

  init(_ value: Int?) { self.value = value }

  @inline(never)
  func validate() -> ValidationState {
    guard let value else { return .invalid([FieldIssue(code: "required")]) }
    var issues: [FieldIssue] = []
    if value < -1_400 {
      issues.append(FieldIssue(code: "tooSmall", parameters: ["minimum": "-1400"]))
    } else if value > 30_000 {
      issues.append(FieldIssue(code: "tooLarge", parameters: ["maximum": "30000"]))
    }
    if value <= -1_300 {
      issues.append(FieldIssue(code: "notGreater", parameters: ["limit": "-1300"]))
    }
    if value >= 29_030 {
      issues.append(FieldIssue(code: "notLess", parameters: ["limit": "29030"]))
    }
    if value & 1 != 0 { issues.append(FieldIssue(code: "invalid")) }
    return issues.isEmpty ? .valid : .invalid(issues)
  }

  /// A field with the same conditions as rules.
  static func field(_ value: Int?) -> Field<Int> {
    let field = Field<Int>("Elevation").require(.notNil).require(.range(-1_400...30_000))
      .require(.greaterThan(-1_300)).require(.lessThan(29_030)).require { $0 & 1 == 0 }
    field.value = value
    return field
  }
}
