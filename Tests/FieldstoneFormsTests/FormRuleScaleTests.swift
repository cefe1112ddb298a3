import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

/// How often rules are asked in forms with many of them, and that what they find does not cost more
/// for each other rule: a million steps for each rule would not end within the time limits.
@Suite("Forms with many rules")
@MainActor
struct FormRuleScaleTests {
  /// Rules that count how often they are asked.
  private final class Counter {
    var count = 0
  }

  private let counter = Counter()
  private let limit = Field<Int>("Limit", value: 0)

  /// A form with rules that all look at one field and hold as long as that is 0.
  private func makeForm(rules count: Int, at target: AnyField?, with fields: Field<Int>...)
    -> FormModel
  {
    let form = FormModel {
      for field in fields { field }
    }
    for _ in 0..<count {
      form.require(limit, at: target, code: "limit") { [counter] limit in
        counter.count += 1
        return limit == 0
      }
    }
    return form
  }

  @Test(
    "A change of a field that is not in the form asks each rule that looks at it once",
    .timeLimit(.minutes(15)), arguments: [2_000, Rounds.size(100_000)])
  func foreignSource(rules: Int) async {
    let form = makeForm(rules: rules, at: nil)
    #expect(await form.validate() && counter.count == rules)
    limit.value = 1
    #expect(counter.count == 2 * rules && form.issues.count == rules)
    limit.value = 0
    #expect(counter.count == 3 * rules && form.issues.isEmpty)
  }

  @Test(
    "All rules fail at one field, and hold again", .timeLimit(.minutes(15)),
    arguments: [2_000, Rounds.size(100_000)])
  func oneTarget(rules: Int) async {
    let target = Field<Int>("Target")
    let form = makeForm(rules: rules, at: target, with: target, limit)
    limit.value = 1
    #expect(await !form.validate())
    #expect(counter.count == rules && form.invalidCount == 1)
    #expect(form.at("Target").issues.count == rules)
    limit.value = 0
    #expect(counter.count == 2 * rules && form.invalidCount == 0)
    #expect(form.at("Target").issues.isEmpty)
  }

  @Test(
    "A batch over all fields asks each rule once for each of its fields",
    .timeLimit(.minutes(15)), arguments: [2_000, Rounds.size(100_000)])
  func batch(rules: Int) async {
    let fields = (0...rules).map { Field<Int>("Field \($0)", value: $0) }
    let form = FormModel(timing: .onChange) {
      for field in fields { field }
    }
    for index in 0..<rules {
      let at = index.isMultiple(of: 2) ? nil : fields[index]
      form.require(fields[index], fields[index + 1], at: at) { [counter] in
        counter.count += 1
        return ($0 ?? 0) < ($1 ?? 0)
      }
    }
    #expect(await form.validate() && counter.count == rules)
    counter.count = 0
    Fields.batch {
      for (index, field) in fields.enumerated() { field.value = -index - 1 }
    }
    #expect(counter.count == 2 * rules)
    #expect(form.issues.count == rules / 2 && form.invalidCount == rules / 2)
    counter.count = 0
    form.reset()
    #expect(counter.count == 0 && form.issues.isEmpty && form.invalidCount == 0)
  }

  @Test("A rule that is given one field twice is asked once for each change of it")
  func sameFieldTwice() async {
    let form = FormModel { limit }
    form.timing = .onChange
    form.require(limit, limit) { [counter] one, other in
      counter.count += 1
      return one == other
    }
    limit.value = 3
    #expect(counter.count == 1)
  }

  @Test(
    "What rules find at one field is listed in the order of the rules, whichever found it first")
  func order() async {
    let limits = (0..<20).map { Field<Int>("Limit \($0)", value: 0) }
    let form = FormModel { limit }
    for (index, limit) in limits.enumerated() {
      form.require(limit, at: self.limit, code: "rule \(index)") { $0 == 0 }
    }
    #expect(await form.validate())
    for limit in limits.reversed() { limit.value = 1 }
    _ = await form.submit {}
    #expect(form.at("Limit").codes == limits.indices.map { "rule \($0)" })
    limits[7].value = 0
    #expect(form.at("Limit").issues.count == 19 && !form.at("Limit").codes.contains("rule 7"))
  }
}
