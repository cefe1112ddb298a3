import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("Submitting")
@MainActor
struct FormSubmitTests {
  private let oracle = Oracle()
  private let time = ManualTime()
  private let name = Field<String>("Name").require(.notBlank)
  private let code: Field<String>
  private let size = Field<Int>("Size").require(.range(0...9))
  private let form: FormModel

  init() {
    let (name, size) = (name, size)
    let code = Field<String>("Code", time: time.source)
      .require(.length(4)).require(oracle.rule(debounce: .seconds(1)))
    self.code = code
    form = FormModel {
      name; code; size
    }
  }

  private func fillIn(code text: String? = "EPWA") {
    name.value = "Okęcie"
    code.value = text
    size.value = 5
  }

  /// Begins to submit, and goes on when that waits for something, or is over.
  private func begin<Result: Sendable>(
    _ action: @escaping @MainActor () async throws -> Result
  ) async -> Task<Outcome<Result>, Never> {
    let begun = Recorder<Void>()
    let task = Task {
      begun.record(())
      return await form.submit(action)
    }
    await begun.elements(atLeast: 1)
    return task
  }

  @Test("A success gives what the action gave, and begins anew")
  func success() async {
    fillIn(code: nil)
    form.at("Name").focus()
    form.at("Name").blur()
    form.at("Size").text = "05"
    var phases: [FormPhase] = []
    let outcome = await form.submit {
      phases.append(form.phase)
      return 7
    }
    #expect(outcome.value == 7 && phases == [.submitting] && form.phase == .submitted)
    #expect(!form.isModified && !form.isTouched && !form.canUndo && !form.canRedo)
    #expect(form.fields.allSatisfy { !$0.isEdited })
    #expect(form.announcement == nil && form.focusedField == nil)
    name.value = "x"
    #expect(form.phase == .editing && form.isModified)
  }

  @Test("Everything is validated, also where the timing is another", arguments: FormTiming.allCases)
  func validatesAll(_ timing: FormTiming) async {
    form.timing = timing
    size.value = 10
    code.value = "x"
    let outcome = await form.submit { Issue.record("submitted") }
    guard case FormError.invalid(let issues)? = outcome.error else {
      Issue.record("\(outcome)")
      return
    }
    #expect(issues.map(\.code) == ["required", "wrongLength", "tooLarge"])
    #expect(issues.map(\.path) == [["Name"], ["Code"], ["Size"]])
    #expect(form.phase == .editing && form.invalidCount == 3 && oracle.asked.count == 0)
    #expect(form.firstInvalidField === form.at("Name"))
  }

  @Test("The first invalid field in declared order gets the focus")
  func focus() async {
    fillIn(code: nil)
    size.value = 10
    form.at("Name").focus()
    _ = await form.submit {}
    #expect(form.focusedField === form.at("Size"))
    code.value = "x"
    _ = await form.submit {}
    #expect(form.focusedField === form.at("Code"))
  }

  @Test("There is one announcement for all that is wrong, anew with each failure")
  func announcement() async throws {
    code.value = "x"
    size.value = 10
    _ = await form.submit {}
    let first = try #require(form.announcement)
    #expect(
      first.text == "3 fields need attention: Name is required; Code must have exactly "
        + "4 characters; Size must be at most 9.")
    _ = await form.submit {}
    #expect(form.announcement?.text == first.text)
    #expect((form.announcement?.id ?? 0) > first.id)
    fillIn(code: nil)
    size.value = 10
    form.language = .german
    _ = await form.submit {}
    #expect(
      form.announcement?.text == "Ein Feld braucht Aufmerksamkeit: Size darf höchstens 9 sein.")
    form.language = nil
    _ = await form.submit {}
    #expect(form.announcement?.text == "One field needs attention: Size must be at most 9.")
  }

  @Test("A second press is ignored, in both phases")
  func busy() async {
    fillIn()
    let sending = Gate()
    let task = await begin {
      await sending.wait()
      return 1
    }
    #expect(form.phase == .validating && form.phase.isBusy)
    #expect(await form.submit { 2 }.cancellation == .busy)
    await oracle.asked.elements(atLeast: 1)
    oracle.answer("EPWA")
    await sending.arrivals(atLeast: 1)
    #expect(form.phase == .submitting && form.phase.isBusy)
    #expect(await form.submit { 3 }.cancellation == .busy)
    sending.open()
    #expect(await task.value.value == 1)
    #expect(form.phase == .submitted && !form.phase.isBusy)
    #expect(await form.submit { 4 }.value == 4)
  }

  @Test("A debounce that is under way is over at once")
  func flush() async {
    form.timing = .onChange
    fillIn()
    await time.sleepers(atLeast: 1)
    #expect(form.at("Code").state == .validating && oracle.asked.count == 0)
    oracle.answer("EPWA")
    #expect(await form.submit { 1 }.value == 1)
    #expect(oracle.asked.elements == ["EPWA"] && time.uptime == .zero)
  }

  @Test("What an asynchronous rule finds fails it, and is asked again with the next submit")
  func taken() async {
    fillIn(code: "LOWW")
    oracle.answer("LOWW")
    guard case FormError.invalid(let issues)? = await form.submit({ 1 }).error else {
      Issue.record("not invalid")
      return
    }
    #expect(issues.map(\.code) == ["taken"] && form.focusedField === form.at("Code"))
    #expect(form.announcement?.text == "One field needs attention: Code is taken already.")
    _ = await form.submit { 2 }
    #expect(oracle.asked.elements == ["LOWW", "LOWW"])
  }

  @Test("A rule that could not be asked does not block the next submit")
  func couldNotValidate() async {
    struct Offline: Error {}
    let isOffline = Locked(true)
    let code = Field<String>("Code", value: "EPWA").require(
      .asynchronous { _ in
        if isOffline.withLock({ $0 }) { throw Offline() }
        return true
      })
    let form = FormModel { code }
    #expect(await form.submit { 1 }.value == nil)
    #expect(form.at("Code").codes == ["couldNotValidate"])
    isOffline.withLock { $0 = false }
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A good answer is not asked for again")
  func notAskedAgain() async {
    fillIn()
    oracle.answer("EPWA")
    #expect(await form.validate())
    #expect(await form.submit { 1 }.value == 1)
    #expect(await form.submit { 1 }.value == 1)
    #expect(oracle.asked.count == 1)
  }

  @Test("Issues that code has added are dropped, and block nothing")
  func addedIssues() async {
    fillIn(code: nil)
    name.addIssue(FieldIssue("is odd"))
    #expect(form.invalidCount == 1)
    #expect(await form.submit { 1 }.value == 1)
    #expect(form.invalidCount == 0)
  }

  // MARK: - Edits meanwhile

  @Test("A field that is edited while it is validated is validated again, and sent as it is then")
  func editedWhileValidating() async {
    fillIn(code: "LOWW")
    let task = await begin { code.value }
    await oracle.asked.elements(atLeast: 1)
    code.value = "EPWA"
    name.value = "Chopin"
    await oracle.asked.elements(atLeast: 2)
    oracle.answer("EPWA")
    #expect(await task.value.value == "EPWA")
    oracle.answer("LOWW")
    #expect(form.phase == .submitted && !form.isModified && form.at("Code").state == .valid)
  }

  @Test("An edit to something invalid while validating fails the submit")
  func invalidWhileValidating() async {
    fillIn()
    let task = await begin { Issue.record("submitted") }
    await oracle.asked.elements(atLeast: 1)
    form.at("Size").text = "nine"
    oracle.answer("EPWA")
    guard case FormError.invalid(let issues)? = await task.value.error else {
      Issue.record("not invalid")
      return
    }
    #expect(issues.map(\.code) == ["notWhole"] && form.focusedField === form.at("Size"))
  }

  @Test("What is edited while the values are on their way stays, as a modification")
  func editedWhileSubmitting() async {
    fillIn(code: nil)
    size.value = nil
    let outcome = await form.submit { [form] in
      name.value = "Chopin"
      form.at("Size").text = "7x"
      return 1
    }
    #expect(outcome.value == 1 && form.phase == .editing)
    #expect(name.value == "Chopin" && form.at("Size").text == "7x" && form.modifiedCount == 2)
    #expect(form.at("Name").isEdited && form.at("Size").isEdited && !form.at("Code").isEdited)
    form.reset()
    #expect(name.value == "Okęcie" && size.value == nil)
  }

  @Test("Fields that go on changing while they are validated end it")
  func unsettled() async {
    let restless = Field<Int>("Restless", value: 0)
    restless.require { [unowned restless] value in
      restless.value = value + 1
      return true
    }
    let form = FormModel { restless }
    #expect(await form.submit { 1 }.error as? FormError == .unsettled)
    #expect(form.phase == .editing)
    #expect(FormError.unsettled.message.contains("submit again"))
  }

  @Test("A reset while validating gives the submit up; nothing is sent")
  func resetWhileValidating() async {
    fillIn()
    let task = await begin { Issue.record("submitted") }
    form.reset()
    oracle.answer("EPWA")
    #expect(await task.value.cancellation == .superseded)
    #expect(form.phase == .editing && name.value == nil && !form.isTouched)
    #expect(form.fields.allSatisfy { $0.issues.isEmpty } && form.announcement == nil)
  }

  private struct Place {
    var name: String?
    var code: String?
    var size: Int?
  }

  private func map() {
    form.map(\Place.name, to: name).map(\Place.code, to: code).map(\Place.size, to: size)
  }

  @Test("Filling while validating gives the submit up; the other model is not sent")
  func fillWhileValidating() async throws {
    map()
    fillIn()
    let task = await begin { Issue.record("submitted") }
    try form.fill(from: Place(name: "Wien", code: nil, size: 1))
    oracle.answer("EPWA")
    #expect(await task.value.cancellation == .superseded)
    #expect(form.phase == .editing && !form.isModified && !form.isTouched)
  }

  @Test("How a submit ends is nothing to a form that was filled anew", arguments: [true, false])
  func fillWhileSubmitting(succeeds: Bool) async throws {
    map()
    fillIn(code: nil)
    let sending = Gate()
    let task = await begin {
      await sending.wait()
      if !succeeds { throw FormRejection(["Name": "is odd"]) }
    }
    await sending.arrivals(atLeast: 1)
    try form.fill(from: Place(name: "Wien", code: nil, size: 1))
    sending.open()
    let outcome = await task.value
    #expect((outcome.error == nil) == succeeds)
    #expect(form.phase == .editing && !form.isModified && !form.isTouched)
    #expect(form.at("Name").issues.isEmpty && form.focusedField == nil && form.announcement == nil)
    form.reset()
    #expect(name.value == "Wien")
  }

  @Test("An undo while validating is an edit like any other")
  func undoWhileValidating() async {
    fillIn()
    name.value = "Chopin"
    let task = await begin { name.value }
    await oracle.asked.elements(atLeast: 1)
    #expect(form.undo())
    oracle.answer("EPWA")
    #expect(await task.value.value == "Okęcie")
  }

  // MARK: - Failures

  @Test("An action that throws fails it; the values and the edits stay")
  func throwing() async {
    struct Offline: Error {}
    fillIn(code: nil)
    let outcome = await form.submit { throw Offline() }
    #expect(outcome.error is Offline && form.phase == .editing)
    #expect(form.isModified && form.canUndo && form.announcement == nil)
    #expect(form.focusedField == nil)
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A rejection is shown at its fields, focused and announced, and blocks nothing")
  func rejection() async {
    fillIn(code: nil)
    form.at("Size").focus()
    let outcome = await form.submit {
      throw FormRejection(["Code": "is closed", "Size": "is too much", "Nobody": "knows"])
    }
    #expect((outcome.error as? FormRejection)?.source == "server")
    #expect(
      form.at("Code").messages == ["is closed"] && form.at("Size").messages == ["is too much"])
    #expect(form.issues.map(\.text) == ["knows"])
    #expect(form.focusedField === form.at("Code"))
    #expect(
      form.announcement?.text
        == "3 fields need attention: knows; Code is closed; Size is too much.")
    #expect(form.invalidCount == 0 && form.phase == .editing)
    #expect(await form.submit { 1 }.value == 1)
    #expect(form.at("Code").issues.isEmpty && form.issues.isEmpty)
  }

  @Test("What a rejection says of a field that was edited meanwhile is late, and dropped")
  func lateRejection() async {
    fillIn(code: nil)
    _ = await form.submit { () async throws -> Void in
      name.value = "Chopin"
      throw FormRejection(["Name": "is taken", "Size": "is too much"])
    }
    #expect(form.at("Name").issues.isEmpty && form.at("Size").messages == ["is too much"])
    #expect(form.focusedField === form.at("Size"))
  }

  @Test("A resubmission that fails for another reason keeps what was said before")
  func keepsReports() async {
    struct Offline: Error {}
    fillIn(code: nil)
    _ = await form.submit { throw FormRejection(["Name": "is taken"]) }
    form.report([FieldIssue("is slow").at("Size")], from: "checker")
    _ = await form.submit { throw Offline() }
    #expect(form.at("Name").messages == ["is taken"])
    _ = await form.submit { throw FormRejection(["Size": "is too much"]) }
    #expect(form.at("Name").issues.isEmpty)
    #expect(form.at("Size").messages == ["is slow", "is too much"])
  }

  // MARK: - Cancellation

  @Test("Cancelled while validating: no failure, nothing shown, the question is given up")
  func cancelledWhileValidating() async {
    fillIn()
    let task = await begin { Issue.record("submitted") }
    await oracle.asked.elements(atLeast: 1)
    task.cancel()
    // The rule does not heed its cancellation, and is not waited for.
    #expect(await task.value.cancellation == .caller)
    #expect(form.phase == .editing && form.announcement == nil && form.focusedField == nil)
    #expect(form.at("Code").state == .unknown)
    oracle.answer("EPWA")
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("Cancelled before it began: nothing is sent")
  func cancelledBefore() async {
    fillIn(code: nil)
    let gate = Gate()
    let task = Task {
      await gate.wait()
      return await form.submit { Issue.record("submitted") }
    }
    task.cancel()
    gate.open()
    #expect(await task.value.cancellation == .caller)
    #expect(form.phase == .editing)
  }

  @Test("Cancelled while submitting: the action decides", arguments: [true, false])
  func cancelledWhileSubmitting(heeds: Bool) async {
    fillIn(code: nil)
    let sending = Gate()
    let task = await begin {
      if heeds { try await sending.waitUnlessCancelled() } else { await sending.wait() }
      return 1
    }
    await sending.arrivals(atLeast: 1)
    task.cancel()
    sending.open()
    let outcome = await task.value
    if heeds, outcome.value == nil {
      #expect(outcome.cancellation == .caller && form.phase == .editing && form.isModified)
      #expect(form.announcement == nil)
    } else {
      #expect(outcome.value == 1 && form.phase == .submitted)
    }
  }

  @Test("What an action throws because it was cancelled is no failure, whatever it is")
  func cancelledWithAnErrorOfItsOwn() async {
    fillIn(code: nil)
    let sending = Gate()
    let task = await begin {
      await sending.wait()
      throw URLError(.cancelled)
    }
    await sending.arrivals(atLeast: 1)
    task.cancel()
    sending.open()
    #expect(await task.value.cancellation == .caller)
    #expect(form.phase == .editing && form.isModified && form.canUndo)
    #expect(form.announcement == nil && form.focusedField == nil)
  }

  @Test("An action that was cancelled by others keeps its reason, and is no failure")
  func cancelledByOthers() async {
    fillIn(code: nil)
    let outcome = await form.submit { throw CallCancelled(.superseded) }
    #expect(outcome.cancellation == .superseded && form.phase == .editing)
    #expect(form.announcement == nil && form.canUndo)
  }

  @Test("Validating alone shows what is wrong, without touching or submitting")
  func validateOnly() async {
    size.value = 10
    name.addIssue(FieldIssue("is odd"))
    #expect(await !form.validate())
    #expect(form.at("Size").codes == ["tooLarge"] && !form.isTouched && form.phase == .editing)
    #expect(form.at("Name").codes == ["required", "invalid"])
    fillIn()
    oracle.answer("EPWA")
    #expect(await form.validate())
    #expect(form.isKnownValid)
  }

  @Test("Errors say what went wrong and what to do")
  func messages() {
    let one = FormError.invalid([FieldIssue(code: "a")])
    #expect(one.message.contains("one issue") && one.message.contains("submit it again"))
    #expect(
      FormError.invalid([FieldIssue(code: "a"), FieldIssue(code: "b")]).message.contains("2"))
    #expect(FormError.notMapped(type: "Place").message.contains("map(_:to:)"))
    #expect(FormError.missingValue(key: "Name").message.contains("“Name”"))
    let rejection = FormRejection(["b": "2", "a": "1"], source: "s")
    #expect(rejection.issues.map(\.path) == [["a"], ["b"]] && rejection.source == "s")
    #expect(rejection.issues.allSatisfy { $0.source == .server && $0.code == "rejected" })
    #expect(rejection.message.contains("refused"))
  }
}
