import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Rules of a form")
@MainActor
struct FormRuleTests {
  private let latitude = Field<Double>("Latitude").require(.range(-90...90))
  private let longitude = Field<Double>("Longitude").require(.range(-180...180))
  private let form: FormModel

  init() {
    let (latitude, longitude) = (latitude, longitude)
    form = FormModel {
      latitude; longitude
    }
  }

  private func requireBoth(at target: AnyField? = nil) {
    form.require(latitude, longitude, at: target, message: "must be given together", code: "pair") {
      ($0 == nil) == ($1 == nil)
    }
  }

  @Test("A rule without a target belongs to the form")
  func ofTheForm() async {
    requireBoth()
    latitude.value = 1
    #expect(form.issues.isEmpty)
    guard case FormError.invalid(let issues)? = await form.submit({}).error else {
      Issue.record("not invalid")
      return
    }
    #expect(issues.map(\.code) == ["pair"] && issues[0].path.isEmpty)
    #expect(form.issues.map(\.text) == ["must be given together"] && form.invalidCount == 0)
    #expect(form.announcement?.text == "One field needs attention: must be given together.")
    #expect(!form.isKnownValid && form.focusedField == nil)
    longitude.value = 2
    #expect(form.issues.isEmpty)
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A rule with a target is shown there, invalid and focused")
  func atTarget() async {
    requireBoth(at: longitude)
    latitude.value = 1
    _ = await form.submit {}
    #expect(form.issues.isEmpty && form.at("Longitude").codes == ["pair"])
    #expect(form.at("Longitude").state.isInvalid && form.invalidCount == 1)
    #expect(form.focusedField === form.at("Longitude"))
    #expect(
      form.announcement?.text
        == "One field needs attention: Longitude must be given together.")
    latitude.value = nil
    #expect(form.at("Longitude").issues.isEmpty && form.invalidCount == 0)
    latitude.value = 3
    #expect(form.at("Longitude").codes == ["pair"])
  }

  @Test("A target that is not in the form can't show it: it belongs to the form")
  func foreignTarget() async {
    requireBoth(at: Field<Int>("Foreign"))
    latitude.value = 1
    _ = await form.submit {}
    #expect(form.issues.map(\.code) == ["pair"])
  }

  @Test("Several rules show at one target, each going by itself")
  func several() async {
    requireBoth(at: latitude)
    form.require(latitude, at: latitude, code: "even") { $0.map { $0 != 3 } ?? true }
      .require(longitude, at: latitude, code: "odd") { $0 == nil || $0 == 5 }
    latitude.value = 3
    _ = await form.submit {}
    #expect(form.at("Latitude").codes == ["pair", "even"])
    longitude.value = 4
    #expect(form.at("Latitude").codes == ["even", "odd"])
    latitude.value = 4
    #expect(form.at("Latitude").codes == ["odd"])
    longitude.value = 5
    #expect(form.at("Latitude").state == .valid)
  }

  @Test("A rule that throws says that it could not be validated")
  func throwing() async {
    form.require(latitude) { _ in throw MessageError("no map") }
    #expect(await !form.validate())
    #expect(form.issues.map(\.code) == ["couldNotValidate"])
    #expect(form.issues[0].parameters["reason"] == "no map")
    let own = FormModel { longitude }.require(longitude, at: longitude) { _ in
      throw FieldIssue("is nowhere", code: "nowhere")
    }
    #expect(await !own.validate())
    #expect(own.at("Longitude").codes == ["nowhere"])
  }

  @Test("It is asked with the timing of its fields", arguments: FormTiming.allCases)
  func timing(_ timing: FormTiming) {
    form.timing = timing
    requireBoth()
    form.at("Latitude").focus()
    latitude.value = 1
    #expect(form.issues.isEmpty == (timing != .onChange))
    form.at("Latitude").blur()
    #expect(form.issues.isEmpty == (timing == .onSubmit))
  }

  @Test("After a success it waits for the timing again, as all rules do")
  func afterSuccess() async {
    requireBoth()
    #expect(await form.submit { 1 }.value == 1)
    latitude.value = 1
    #expect(form.issues.isEmpty)
    _ = await form.submit {}
    #expect(form.issues.count == 1)
    form.reset()
    #expect(form.issues.isEmpty)
    latitude.value = 2
    #expect(form.issues.isEmpty)
  }

  @Test("What a rule finds while the values are on their way goes when it holds again")
  func whileSubmitting() async {
    requireBoth(at: latitude)
    #expect(await form.submit { longitude.value = 1 }.error == nil)
    #expect(form.at("Latitude").codes == ["pair"])
    latitude.value = 1
    #expect(form.at("Latitude").issues.isEmpty && form.invalidCount == 0)
  }

  @Test("It is asked again when a source changes that is not in the form, or is derived")
  func foreignSources() async {
    let limit = Field<Double>("Limit", value: 10)
    let double = DerivedField(latitude) { ($0 ?? 0) * 2 }
    form.require(limit, latitude, at: latitude, code: "limit") { ($1 ?? 0) < ($0 ?? 0) }
    form.require(double, code: "double") { ($0 ?? 0) < 15 }
    latitude.value = 5
    #expect(await form.validate())
    limit.value = 4
    #expect(form.at("Latitude").codes == ["limit"])
    latitude.value = 8
    #expect(form.issues.map(\.code) == ["double"])
    limit.value = 9
    latitude.value = 7
    #expect(form.at("Latitude").issues.isEmpty && form.issues.isEmpty)
  }

  @Test("Undo and redo ask it again")
  func undo() async {
    requireBoth(at: latitude)
    Fields.batch {
      latitude.value = 1
      longitude.value = 1
    }
    #expect(await form.validate())
    longitude.value = nil
    #expect(form.at("Latitude").codes == ["pair"])
    #expect(form.undo() && form.at("Latitude").issues.isEmpty)
    #expect(form.redo() && form.at("Latitude").codes == ["pair"])
  }

  @Test("A batch asks it once, with the values after it")
  func batch() async {
    var count = 0
    form.require(latitude, longitude) { _, _ in
      count += 1
      return true
    }
    form.timing = .onChange
    _ = await form.validate()
    count = 0
    Fields.batch {
      latitude.value = 1
      longitude.value = 1
    }
    #expect(count <= 2)
  }

  @Test("Where a form's rule fails the asynchronous ones are not asked, and are when it holds")
  func beforeAsynchronous() async {
    let oracle = Oracle(isOpen: true)
    let (code, country) = (Field<String>("Code"), Field<String>("Country", value: "AT"))
    code.require(oracle.rule())
    let form = FormModel(timing: .onChange) {
      code; country
    }
    form.require(code, country, at: code, code: "country") { code, country in
      code?.hasPrefix("LO") == (country == "AT")
    }
    code.value = "EPWA"
    #expect(form.at("Code").codes == ["country"] && form.at("Code").state.isInvalid)
    #expect(await form.submit({}).error as? FormError != nil)
    #expect(oracle.asked.count == 0)
    country.value = "PL"
    #expect(form.at("Code").state == .validating)
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.at("Code").state == .valid && oracle.asked.elements == ["EPWA"])
  }

  @Test(
    "A failure of a form's rule gives a question up that is under way, and no late answer comes")
  func givesUp() async {
    let oracle = Oracle()
    let (code, country) = (Field<String>("Code"), Field<String>("Country", value: "PL"))
    code.require(oracle.rule())
    let form = FormModel(timing: .onChange) {
      code; country
    }
    form.require(code, country, at: code, code: "country") { $0 == nil || $1 == "PL" }
    code.value = "EPWA"
    await oracle.asked.elements(atLeast: 1)
    country.value = "AT"
    #expect(form.at("Code").codes == ["country"] && code.validationState == .unknown)
    oracle.answer("EPWA")
    #expect(await !form.validate())
    #expect(form.at("Code").codes == ["country"])
    country.value = "PL"
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.at("Code").state == .valid)
  }

  @Test("A field's own rules that look at others are asked again when those change")
  func crossField() async {
    let password = Field<String>("Password").require(.length(3...))
    let again = Field<String>("Again").require(.equal(to: password))
    let form = FormModel {
      password; again
    }
    password.value = "abc"
    again.value = "abd"
    #expect(await !form.validate())
    #expect(form.at("Again").messages == ["must be the same as Password"])
    password.value = "abd"
    #expect(form.at("Again").state == .valid && form.invalidCount == 0)
    password.value = "x"
    #expect(form.at("Again").codes == ["notEqual"] && form.invalidCount == 1)
  }

  @Test(
    "What is edited while the values are being sent is asked about once other rules hold",
    arguments: [true, false])
  func whileSending(isRuleOfForm: Bool) async {
    let (oracle, gate) = (Oracle(isOpen: true), Gate())
    let (code, country) = (Field("Code", value: "LOWI"), Field("Country", value: "AT"))
    code.require(oracle.rule())
    let form = FormModel(timing: .onChange) {
      code; country
    }
    if isRuleOfForm {
      form.require(code, country, at: code, code: "country") { code, country in
        code?.hasPrefix("LO") == (country == "AT")
      }
    } else {
      code.require(
        .depending(on: country, code: "country") { code, country in
          code.hasPrefix("LO") == (country == "AT")
        })
    }
    let submit = Task { await form.submit { await gate.wait() } }
    await gate.arrivals(atLeast: 1)
    code.value = "EPWA"
    #expect(form.phase == .submitting && form.at("Code").codes == ["country"])
    country.value = "PL"
    #expect(form.at("Code").state == .validating)
    gate.open()
    #expect(await submit.value.error == nil)
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.isKnownValid && oracle.asked.elements == ["LOWI", "EPWA"])
  }
}
