import FieldstoneFields
import Testing

@Suite("Validation that is reset")
struct ResetValidationTests {
  @Test("What was found and what was added is forgotten, and observers hear it")
  func reset() {
    let age = Field<Int>("Age", value: -1).require(.range(0...9))
    var heard: [ValidationState] = []
    let registration = age.observeValidation { heard.append($0) }
    age.validate()
    age.addIssue(FieldIssue("is odd", code: "odd"))
    #expect(age.issues.map(\.code) == ["tooSmall", "odd"])
    age.resetValidation()
    #expect(age.validationState == .unknown && age.issues.isEmpty)
    #expect(heard.last == .unknown)
    #expect(age.validateIfNeeded().issues.map(\.code) == ["tooSmall"])
    withExtendedLifetime(registration) {}
  }

  @Test("A field without rules is as valid as before, and a transaction takes a reset back")
  func takenBack() {
    let plain = Field<Int>("Plain")
    plain.addIssue(FieldIssue("is odd"))
    plain.resetValidation()
    #expect(plain.validationState == .valid)
    let age = Field<Int>("Age", value: -1).require(.range(0...9))
    age.validate()
    struct Failure: Error {}
    try? Fields.transaction {
      age.resetValidation()
      #expect(age.validationState == .unknown)
      throw Failure()
    }
    #expect(age.validationState.isInvalid)
  }

  @Test("A batch that resets the validation of an unchanged value leaves it unknown")
  func batch() {
    let age = Field<Int>("Age", value: -1).require(.range(0...9))
    age.validate()
    Fields.batch { age.resetValidation() }
    #expect(age.validationState == .unknown)
    age.validate()
    Fields.batch {
      age.value = 5
      age.value = -1
    }
    #expect(age.validationState.isInvalid)
  }
}
