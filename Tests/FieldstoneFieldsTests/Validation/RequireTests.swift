import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Requiring of a field")
struct RequireTests {
  struct Broken: DescribedError { let message = "the list is gone" }

  @Test("A field without rules is valid, and stays so whoever looks at it")
  func noRules() {
    let field = Field<Int>("Age")
    #expect(field.validationState == .valid && field.isValid)
    field.value = 3
    #expect(field.validationState == .valid && field.validate() == .valid)
    let registration = field.observeValidation { _ in }
    #expect(field.validationState == .valid)
    field.value = 4
    #expect(field.validationState == .valid && field.isValid)
    #expect(DerivedField(field) { $0 }.validationState == .valid)
    #expect(Field<Int>().validationState == .valid)
    withExtendedLifetime(registration) {}
  }

  @Test("Nil is refused where it is said, with the code required", arguments: [true, false])
  func allowNil(allowNil: Bool) {
    let codes = allowNil ? [] : ["required"]
    #expect(Field<Int>().require(allowNil: allowNil) { $0 > 0 }.codes(of: nil) == codes)
    #expect(Field<Int>().require(.atLeast(1), allowNil: allowNil).codes(of: nil) == codes)
    #expect(Field<Int>().require(.notNil, allowNil: allowNil).codes(of: nil) == codes)
    #expect(Field<String>().require(.notBlank, allowNil: allowNil).codes(of: nil) == codes)
    let rule = FieldRule<Int>("must be even", acceptsNil: allowNil) { $0 % 2 == 0 }
    #expect(rule.acceptsNil == allowNil)
    #expect(Field<Int>().require(rule).codes(of: nil) == codes)
    let issues = FieldRule<Int>.issues(acceptsNil: allowNil) { _ in [] }
    #expect(Field<Int>().require(issues).codes(of: nil) == codes)
    // What is not nil is judged all the same.
    #expect(Field<Int>().require(.atLeast(1), allowNil: allowNil).codes(of: 0) == ["tooSmall"])
  }

  enum Country: String, Hashable, Sendable { case austria = "AT", latvia = "LV" }

  @Test("The allowed values are written as they are typed, and no more than twenty of them")
  func allowed() {
    let code = Field<Country>().require(.oneOf(.austria))
    _ = code.codes(of: .latvia)
    #expect(code.issues.map(FieldMessages.english.text(for:)) == ["must be one of: AT"])
    let version = Field<String>().require(.oneOf("2.0"))
    _ = version.codes(of: "1")
    #expect(
      version.issues.map(FieldMessages.german.text(for:)) == ["muss eines von diesen sein: 2.0"])
    let zone = Field<Int>().require(.oneOf(Array(1...400)))
    _ = zone.codes(of: 0)
    #expect(zone.issues.first?.parameters["allowed"]?.hasSuffix("19, 20, …") == true)
  }

  @Test("Nil that is not known yet and nil that is known are judged alike")
  func unknownNil() {
    let field = Field<Int>().require(.notNil)
    #expect(field.validate().issues.map(\.code) == ["required"])
    field.value = nil
    #expect(field.validationState == .unknown)
    #expect(field.validate().issues.map(\.code) == ["required"])
  }

  @Test("Several rules that refuse nil say so once, each in words of its own")
  func required() {
    let field = Field<String>().require(.notNil).require(.notBlank).require(
      .notNil, message: "has to be there")
    #expect(
      field.texts(of: nil) == ["is required", "wird gebraucht"] + [
        "has to be there", "has to be there",
      ])
  }

  @Test("Rules hold together, and all that fail are told in their order")
  func order() {
    let field = Field<Int>().require(.atLeast(3)).require(message: "must be odd") { $0 % 2 == 1 }
      .require(.oneOf(7, 9))
    #expect(field.codes(of: 2) == ["tooSmall", "invalid", "notAllowed"])
    #expect(field.codes(of: 7) == [])
    #expect(field.validationState == .valid)
  }

  @Test("Own words stand for whatever the rule finds, and may name its parameters")
  func message() {
    let field = Field<Int>().require(.range(1...3), message: "goes from {minimum} on")
    #expect(field.texts(of: 0).first == "goes from 1 on")
    // A place without a parameter stays.
    #expect(field.texts(of: 4).first == "goes from {minimum} on")
    #expect(field.issues.map(\.code) == ["tooLarge"])
    let all = Field<Int>().require(.all([.atLeast(3), .oneOf(7)]), message: "is wrong")
    #expect(all.texts(of: 0) == ["is wrong", "is wrong"])
    let required = Field<Int>().require(.notNil, message: "has to be there")
    #expect(required.texts(of: nil).first == "has to be there")
    #expect(required.issues.map(\.code) == ["required"])
    let any = Field<Int>().require(.any([.lessThan(0), .greaterThan(9)]), message: "is in between")
    #expect(any.texts(of: 5).first == "is in between")
    let own = Field<Int>().require(message: "must be even", code: "odd") { $0 % 2 == 0 }
    #expect(own.codes(of: 1) == ["odd"] && own.issues.map(\.text) == ["must be even"])
    let rule = Field<Int>().require(FieldRule("must be even", code: "odd") { $0 % 2 == 0 })
    #expect(rule.codes(of: 1) == ["odd"] && rule.issues.map(\.text) == ["must be even"])
  }

  @Test("A warning is told, and leaves the value valid")
  func severity() {
    let field = Field<Int>("Age").require(.atMost(120), severity: .warning)
    field.value = 121
    #expect(field.validate() == .valid && field.isValid)
    #expect(field.issues.map(\.code) == ["tooLarge"])
    #expect(field.issues.map(\.severity) == [.warning])
    #expect(field.issues.allSatisfy { !$0.isError })
    field.require(.atMost(200))
    field.value = 201
    #expect(field.validate().issues.map(\.severity) == [.warning, .error])
    field.value = 100
    #expect(field.issues == [])
    #expect(field.validate() == .valid && field.issues == [])
    let closure = Field<Int>(value: 1).require(severity: .warning) { $0 > 1 }
    #expect(closure.validate() == .valid && closure.issues.map(\.code) == ["invalid"])
    let missing = Field<Int>().require(.notNil, message: "might help", severity: .warning)
    #expect(missing.validate() == .valid && missing.issues.map(\.text) == ["might help"])
  }

  @Test("Own words do not make an error of a warning, and tell the error first")
  func messageOfWarning() {
    let warning = FieldIssue(code: "odd", severity: .warning)
    let field = Field<Int>(value: 1).require(.issues { _ in [warning] }, message: "is odd")
    #expect(field.validate() == .valid)
    #expect(field.issues.map(\.severity) == [.warning] && field.issues.map(\.text) == ["is odd"])
    let both = Field<Int>(value: 1).require(
      .issues { _ in [warning, FieldIssue(code: "bad")] }, message: "is bad")
    #expect(both.validate().issues.map(\.code) == ["bad"])
    let lowered = Field<Int>(value: 1).require(
      .issues { _ in [warning, FieldIssue(code: "bad")] }, severity: .warning)
    #expect(lowered.validate() == .valid)
    #expect(lowered.issues.map(\.code) == ["odd", "bad"])
  }

  @Test("A rule that throws could not be validated, and says why")
  func throwing() {
    let closure = Field<Int>(value: 1).require { _ in throw Broken() }
    let rule = Field<Int>(value: 1).require(FieldRule { _ in throw Broken() })
    let issues = Field<Int>(value: 1).require(.issues { _ in throw Broken() })
    for field in [closure, rule, issues] {
      let state = field.validate()
      #expect(state.issues.map(\.code) == ["couldNotValidate"])
      #expect(state.issues.map(\.source) == [.rule])
      #expect(state.issues.map(\.english) == ["could not be validated"])
      #expect(state.issues.map(\.german) == ["konnte nicht geprüft werden"])
      #expect(state.issues.first?.parameters["reason"] == "the list is gone")
    }
  }

  @Test("An issue that is thrown is the finding")
  func throwingIssue() {
    let issue = FieldIssue("is too odd", code: "odd", source: .server)
    let closure = Field<Int>(value: 1).require { _ in throw issue }
    let rule = Field<Int>(value: 1).require(FieldRule { _ in throw issue })
    let issues = Field<Int>(value: 1).require(.issues { _ in throw issue })
    for field in [closure, rule, issues] {
      let found = field.validate().issues
      #expect(found.map(\.code) == ["odd"] && found.map(\.text) == ["is too odd"])
      #expect(found.map(\.source) == [.rule])
    }
  }

  @Test("A rule that says itself what it finds keeps codes, parameters and paths")
  func ownIssues() {
    let field = Field<[String: Int]>().require(
      .issues { entries in
        entries.filter { $0.value < 0 }.keys.sorted().map {
          FieldIssue(code: "negative", parameters: ["key": $0], path: [$0], source: .code)
        }
      })
    #expect(field.codes(of: ["a": 1]) == [])
    #expect(field.validationState == .valid)
    #expect(field.codes(of: ["b": -1, "a": -2, "c": 0]) == ["negative", "negative"])
    #expect(field.issues.map(\.path) == [["a"], ["b"]])
    #expect(field.issues.allSatisfy { $0.source == .rule })
  }

  @Test("A rule that comes later makes a validated value unknown")
  func laterRule() {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    #expect(field.validate() == .valid)
    field.require(.atLeast(2))
    #expect(field.validationState == .unknown && !field.isValid)
    let asked = Field<Int>(value: 1).require(.atLeast(1))
    #expect(asked.validate() == .valid)
    asked.require(.asynchronous { _ in true })
    #expect(asked.validationState == .unknown && asked.validate() == .unknown)
  }

  @Test("Rules are values: one can be given to many fields")
  func shared() {
    let rule = FieldRule<Int>("must be even") { $0 % 2 == 0 } && .atLeast(2)
    let (a, b) = (Field<Int>().require(rule), Field<Int>().require(rule))
    #expect(a.codes(of: 1) == ["invalid", "tooSmall"] && b.codes(of: 4) == [])
    #expect(a.validationState.isInvalid && b.validationState.isValid)
  }

  @Test("Validating if needed asks once for each value")
  func ifNeeded() {
    let asked = Recorder<Int>()
    let field = Field<Int>(value: 1).require {
      asked.record($0)
      return $0 > 1
    }
    #expect(asked.count == 0)
    #expect(field.validateIfNeeded().isInvalid && field.validateIfNeeded().isInvalid)
    #expect(!field.isValid)
    #expect(asked.elements == [1])
    field.value = 1
    #expect(!field.isValid && asked.elements == [1])
    field.value = 2
    #expect(asked.elements == [1])
    #expect(field.isValid && field.isValid && field.validateIfNeeded() == .valid)
    #expect(asked.elements == [1, 2])
    field.validate()
    #expect(asked.elements == [1, 2, 2])
  }

  @Test("A rule that sets its own field leaves the new value unknown", arguments: [false, true])
  func ruleThatSets(isObserved: Bool) {
    let field = Field<Int>(value: 1)
    field.require { [unowned field] value in
      if value == 1 { field.value = -5 }
      return value > 0
    }
    let registration = isObserved ? field.observeValidation { _ in } : nil
    #expect(field.validate() == .unknown)
    #expect(field.value == -5)
    #expect(field.validationState == .unknown)
    #expect(field.validate().isInvalid)
    withExtendedLifetime(registration) {}
  }

  @Test("States say what they are")
  func states() {
    let issue = FieldIssue(code: "odd")
    #expect(ValidationState.valid.isValid && !ValidationState.valid.isInvalid)
    #expect(ValidationState.invalid([issue]).isInvalid && !ValidationState.invalid([]).isValid)
    #expect(ValidationState.invalid([issue]).issues == [issue])
    for state in [ValidationState.unknown, .validating] {
      #expect(!state.isValid && !state.isInvalid && state.issues == [])
    }
    #expect(ValidationState.valid.issues == [])
    #expect(ValidationState.invalid([issue]) != .invalid([]))
  }

  @Test("What a load does leaves validity alone")
  func loading() {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    field.validate()
    field.beginLoading()
    #expect(field.validationState == .valid)
    field.fail(with: Broken())
    #expect(field.validationState == .valid)
    field.cancelLoading()
    #expect(field.validationState == .valid)
  }
}
