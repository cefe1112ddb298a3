import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

@Suite("Validation of a field")
struct ValidationTests {
  @Test("A field is unknown until it is validated, and again when another value is set")
  func unknown() {
    let age = Field<Int>("Age").require { $0 > 0 }
    age.value = 3
    #expect(age.validationState == .unknown)
    #expect(age.validate() == .valid)
    #expect(age.validationState == .valid)
    age.value = 3
    #expect(age.validationState == .valid)
    age.value = -3
    #expect(age.validationState == .unknown)
    #expect(!age.isValid)
    #expect(age.validationState.issues.map(\.text) == ["is not valid"])
  }

  @Test("Rules are chained as and, and nil passes unless told otherwise")
  func chain() {
    let age = Field<Int>("Age").require(message: "must be even") { $0 % 2 == 0 }.require(
      .atLeast(3))
    #expect(age.validate() == .valid)
    age.value = 1
    #expect(age.validate().issues.map(\.text) == ["must be even", "must be at least 3"])
    age.require(.notNil)
    age.value = nil
    #expect(age.validate().issues.map(\.code) == ["required"])
  }

  @Test("An asynchronous rule is asked when the others hold, and a late answer is dropped")
  @MainActor func late() async {
    let answers = Gate()
    let asked = Recorder<String>()
    let code = Field<String>("Code").require(.length(4)).require(
      .asynchronous("is taken") { code in
        asked.record(code)
        await answers.wait()
        return code != "LOWW"
      })
    code.value = "LO"
    #expect(await code.validateAll().issues.map(\.code) == ["wrongLength"])
    #expect(asked.elements.isEmpty)
    code.value = "LOWW"
    let states = Recorder<ValidationState>()
    let registration = code.observeValidation { states.record($0) }
    let state = Task { await code.validateAll() }
    await asked.elements(atLeast: 1)
    code.value = "EPWA"
    #expect(await state.value == .unknown)
    answers.open()
    #expect(await code.validateAll() == .valid)
    #expect(states.elements == [.validating, .unknown, .validating, .valid])
    withExtendedLifetime(registration) {}
  }
}
