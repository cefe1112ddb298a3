import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Rules combined")
struct CombinedRuleTests {
  typealias Rule = FieldRule<Int>

  static func rule(_ code: String, holds: Bool, asked: Recorder<String>? = nil) -> Rule {
    Rule(code: code) { _ in
      asked?.record(code)
      return holds
    }
  }

  static func codes(_ rule: Rule, _ value: Int? = 1) -> [String] {
    Field<Int>().require(rule).codes(of: value)
  }

  @Test("All collects what each rule finds, in order, and asks every rule")
  func all() {
    let asked = Recorder<String>()
    let rules = [("a", false), ("b", true), ("c", false)].map {
      Self.rule($0, holds: $1, asked: asked)
    }
    #expect(Self.codes(.all(rules)) == ["a", "c"])
    #expect(asked.elements == ["a", "b", "c"])
    #expect(Self.codes(.all([])) == [])
    #expect(Self.codes(.all([rules[1]])) == [])
    #expect(Self.codes(.all([rules[0]])) == ["a"])
  }

  @Test("First failure tells only the first one, and asks none after it")
  func firstFailure() {
    let asked = Recorder<String>()
    let rules = [("a", true), ("b", false), ("c", false)].map {
      Self.rule($0, holds: $1, asked: asked)
    }
    #expect(Self.codes(.firstFailure(rules)) == ["b"])
    #expect(asked.elements == ["a", "b"])
    #expect(Self.codes(.firstFailure([])) == [])
    #expect(Self.codes(.firstFailure([rules[0]])) == [])
    #expect(Self.codes(.firstFailure([.firstFailure([rules[0]]), rules[2]])) == ["c"])
  }

  @Test("Any needs one rule that holds, and asks none after it; none at all never hold")
  func any() {
    let asked = Recorder<String>()
    let rules = [("a", false), ("b", true), ("c", false)].map {
      Self.rule($0, holds: $1, asked: asked)
    }
    #expect(Self.codes(.any(rules)) == [])
    #expect(asked.elements == ["a", "b"])
    let issues = Field<Int>(value: 1).require(.any([rules[0], rules[2]])).validate().issues
    #expect(issues.map(\.code) == ["any"])
    #expect(issues.first?.alternatives.map(\.code) == ["a", "c"])
    #expect(issues.first?.source == .rule)
  }

  @Test("An empty any fails, nil included, and says that the value is not valid")
  func emptyAny() {
    #expect(Self.codes(.any([])) == ["any"])
    #expect(Self.codes(.any([]), nil) == ["required"])
    let field = Field<Int>().require(.any([]))
    #expect(field.texts(of: 1) == ["is not valid", "ist nicht gültig"])
  }

  @Test("A single finding of any is itself")
  func singleAny() {
    #expect(Self.codes(.any([Self.rule("a", holds: false)])) == ["a"])
    #expect(Self.codes(.any([.any([Self.rule("a", holds: false)])])) == ["a"])
    #expect(Self.codes(.all([.any([Self.rule("a", holds: false)])])) == ["a"])
  }

  @Test("Alternatives are told with an or between them, nested ones too")
  func anyText() {
    let field = Field<Int>().require(.any([.lessThan(3), .greaterThan(5)]))
    #expect(
      field.texts(of: 4) == [
        "must be less than 3 or must be greater than 5",
        "muss kleiner sein als 3 oder muss größer sein als 5",
      ])
    let nested = Field<Int>().require(.any([.lessThan(3), .any([.greaterThan(5), .oneOf(4)])]))
    #expect(
      nested.texts(of: 5).first
        == "must be less than 3 or must be greater than 5 or must be one of: 4")
  }

  @Test("Operators combine two rules and bind as they do for conditions")
  func operators() {
    let (a, b, c) = (
      Self.rule("a", holds: false), Self.rule("b", holds: false), Self.rule("c", holds: true)
    )
    #expect(Self.codes(a && b) == ["a", "b"])
    #expect(Self.codes(a && c) == ["a"])
    #expect(Self.codes(c && c) == [])
    #expect(Self.codes(a || c) == [])
    #expect(Self.codes(a || b) == ["any"])
    #expect(Self.codes(c || a && b) == [])
    #expect(Self.codes((c || a) && b) == ["b"])
    let asked = Recorder<String>()
    _ = Self.codes(
      Self.rule("x", holds: true, asked: asked) || Self.rule("y", holds: true, asked: asked))
    #expect(asked.elements == ["x"])
  }

  @Test("Nil passes a combination as it passes its rules")
  func nilValue() {
    #expect(Self.codes(.all([.notNil, .atLeast(1)]), nil) == ["required"])
    #expect(Self.codes(.all([.atMost(1), .atLeast(1)]), nil) == [])
    #expect(Self.codes(.firstFailure([.atLeast(1), .notNil]), nil) == ["required"])
    #expect(Self.codes(.firstFailure([.atLeast(1)]), nil) == [])
    #expect(Self.codes(.any([.notNil, .atLeast(1)]), nil) == [])
    #expect(Self.codes(.any([.notNil, .notNil]), nil) == ["required"])
    #expect(Rule.all([]).acceptsNil && Rule.firstFailure([]).acceptsNil)
    #expect(!Rule.any([]).acceptsNil && !Rule.notNil.acceptsNil && Rule.atLeast(1).acceptsNil)
    #expect(!(Rule.notNil && .atLeast(1)).acceptsNil && (Rule.notNil || .atLeast(1)).acceptsNil)
  }

  @Test("A rule that only warns holds: it does not hide the failure of the next")
  func warnings() {
    let warning = Rule.issues { _ in [FieldIssue(code: "odd", severity: .warning)] }
    let failure = Self.rule("a", holds: false)
    let first = Field<Int>(value: 1).require(.firstFailure([warning, failure]))
    #expect(first.validate().isInvalid)
    #expect(first.issues.map(\.code) == ["odd", "a"])
    let any = Field<Int>(value: 1).require(.any([failure, warning]))
    #expect(any.validate() == .valid)
    #expect(any.issues.map(\.code) == ["odd"])
    let all = Field<Int>(value: 1).require(.all([warning, failure]))
    #expect(all.validate().issues.map(\.code) == ["odd", "a"])
  }

  @Test("A rule that fails to judge is no rule that holds")
  func throwing() {
    struct Broken: Error {}
    let broken = Rule { _ in throw Broken() }
    #expect(Self.codes(.any([broken])) == ["couldNotValidate"])
    #expect(Self.codes(.all([broken, Self.rule("a", holds: false)])) == ["couldNotValidate", "a"])
    #expect(
      Self.codes(.firstFailure([broken, Self.rule("a", holds: false)])) == ["couldNotValidate"])
    #expect(Self.codes(.any([broken, Self.rule("a", holds: true)])) == [])
  }
}
