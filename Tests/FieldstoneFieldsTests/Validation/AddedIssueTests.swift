import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Issues that are added")
struct AddedIssueTests {
  let taken = FieldIssue("is taken already", code: "taken", source: .server)

  @Test("An added error makes a field invalid, with or without rules")
  func error() {
    for field in [Field<Int>(value: 1), Field<Int>(value: 1).require(.atLeast(1))] {
      field.validate()
      field.addIssue(taken)
      #expect(field.validationState == .invalid([taken]))
      #expect(field.issues == [taken])
      #expect(!field.isValid)
      #expect(field.validationState.isInvalid)
    }
  }

  @Test("An added warning leaves the state as it is")
  func warning() {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    let warning = FieldIssue(code: "odd", severity: .warning)
    field.addIssue(warning)
    #expect(field.validationState == .unknown && field.issues == [warning])
    field.validate()
    field.addIssue(warning)
    #expect(field.validationState == .valid && field.isValid && field.issues == [warning])
  }

  @Test("Added issues come after what the rules have found")
  func order() {
    let field = Field<Int>(value: 0).require(.atLeast(1))
    field.validate()
    field.addIssue(taken)
    #expect(field.validationState.issues.map(\.code) == ["tooSmall", "taken"])
  }

  @Test("The next validation drops them")
  func validation() async {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    field.addIssue(taken)
    #expect(field.validate() == .valid && field.issues.isEmpty)
    field.addIssue(taken)
    #expect(await field.validateAll() == .valid)
    let plain = Field<Int>(value: 1)
    plain.addIssue(taken)
    #expect(plain.validate() == .valid && plain.issues.isEmpty)
  }

  @Test("The next set drops them, also one to an equal value", arguments: [1, 2])
  func set(value: Int) {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    field.validate()
    var states: [ValidationState] = []
    let registration = field.observeValidation { states.append($0) }
    field.addIssue(taken)
    field.value = value
    #expect(field.issues.isEmpty)
    #expect(field.validationState == (value == 1 ? .valid : .unknown))
    #expect(states == [.invalid([taken]), value == 1 ? .valid : .unknown])
    withExtendedLifetime(registration) {}
  }

  @Test("To ask whether a field is valid is no validation: they stay, and make it invalid")
  func isValid() {
    let field = Field<Int>(value: 1).require(.atLeast(1))
    field.addIssue(taken)
    #expect(!field.isValid)
    #expect(field.issues == [taken])
    #expect(field.validateIfNeeded() == .invalid([taken]))
  }

  @Test("They can be removed")
  func remove() {
    let field = Field<Int>(value: 0).require(.atLeast(1))
    field.validate()
    var states: [[String]] = []
    let registration = field.observeValidation { states.append($0.issues.map(\.code)) }
    field.addIssue(taken)
    field.removeIssues()
    field.removeIssues()
    #expect(field.issues.map(\.code) == ["tooSmall"])
    #expect(states == [["tooSmall", "taken"], ["tooSmall"]])
    withExtendedLifetime(registration) {}
  }

  @Test("A change of another field revalidates, and leaves them")
  func dependency() {
    let (password, again) = (Field<String>(value: "a"), Field<String>(value: "a"))
    again.require(.equal(to: password))
    again.validate()
    again.addIssue(taken)
    password.value = "b"
    #expect(again.issues.map(\.code) == ["notEqual", "taken"])
  }

  @Test("An issue of a server stays beside a check that is under way, and its answer")
  @MainActor func whileValidating() async {
    let gate = Gate()
    let field = Field<Int>(value: 1).require(
      .asynchronous { _ in
        await gate.wait()
        return true
      })
    let validation = Task { await field.validateAll() }
    await gate.arrivals(atLeast: 1)
    field.addIssue(taken)
    #expect(field.validationState == .invalid([taken]))
    gate.open()
    #expect(await validation.value == .invalid([taken]))
    #expect(await field.validateAll() == .valid)
  }

  @Test("An issue that is added in a batch is no set")
  func batch() {
    let field = Field<Int>(value: 1)
    var sets = 0
    let registration = field.observe(everySet: true) { _ in sets += 1 }
    Fields.batch { field.addIssue(taken) }
    #expect(sets == 1 && field.issues == [taken])
    withExtendedLifetime(registration) {}
  }
}
