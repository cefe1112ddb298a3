import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import Testing

@Suite("A screen with a form", .timeLimit(.minutes(20)))
@MainActor
struct FormScreenModelTests {
  private let name = Field<String>("Name").require(.notBlank)
  private let size = Field<Int>("Size").require(.range(0...9))
  private let form: FormModel

  /// What the server answers, in order, as soon as it may.
  private let answers = Recorder<(any Error)?>()
  private let gate = Gate()
  private let cancels = Recorder<Void>()

  init() {
    let (name, size) = (name, size)
    form = FormModel {
      name; size
    }
  }

  private func screen(
    _ timing: LoadingTiming = .immediate, time: ManualTime = ManualTime()
  ) -> FormScreenModel {
    FormScreenModel(form, timing: timing, time: time.source) { [answers, gate, cancels] in
      try await withTaskCancellationHandler {
        try await gate.waitUnlessCancelled()
      } onCancel: {
        cancels.record(())
      }
      var rest = answers.removeAll()
      guard !rest.isEmpty else { return }
      let answer = rest.removeFirst()
      for other in rest { answers.record(other) }
      if let answer { throw answer }
    }
  }

  @Test("It is submitting, and then submitted, until the form is edited")
  func success() async {
    name.value = "11"
    let screen = screen()
    #expect(screen.state.isEditing)
    screen.submit()
    #expect(screen.state.isBusy)
    await gate.arrivals(atLeast: 1)
    #expect(screen.state.isBusy && form.phase == .submitting)
    gate.open()
    await screen.reach { $0.isSubmitted }
    #expect(!form.isModified)
    name.value = "29"
    await screen.reach { $0.isEditing }
  }

  @Test("The failure of values that a fill has replaced meanwhile is not shown")
  func filled() async throws {
    name.value = "11"
    answers.record(MessageError("refused"))
    let screen = screen()
    screen.submit()
    await gate.arrivals(atLeast: 1)
    try form.fill(values: ["Name": "22"])
    gate.open()
    await screen.reach { !$0.isBusy }
    #expect(screen.state.error == nil && screen.state.isEditing)
  }

  @Test("An error is told once, also where the next submit is shown later")
  func toldOnce() async {
    name.value = "11"
    let time = ManualTime()
    answers.record(MessageError("refused"))
    gate.open()
    let screen = screen(LoadingTiming(delay: .milliseconds(200)), time: time)
    screen.submit()
    await screen.reach { $0.error != nil }
    var states = screen.states().makeAsyncIterator()
    #expect(await states.next(isolation: #isolation)?.error != nil)
    screen.submit()
    #expect(await states.next(isolation: #isolation)?.isSubmitted == true)
  }

  @Test("What is invalid is never sent; the error goes with the next edit")
  func invalid() async {
    let screen = screen()
    screen.submit()
    await screen.reach { $0.error != nil }
    #expect(screen.state.error is FormError)
    #expect(gate.arrivalCount == 0)
    #expect(form.focusedField?.key == "Name")
    form["Name"]?.text = "11"
    await screen.reach { $0.isEditing }
    gate.open()
    screen.submit()
    await screen.reach { $0.isSubmitted }
  }

  @Test("An error that no issue of the form shows is a text besides, each time anew")
  func plainError() async {
    name.value = "11"
    gate.open()
    for error in [FormRejection(["Name": "is taken"]), FormRejection([:]), FormRejection([:])] {
      answers.record(error)
    }
    let screen = screen()
    #expect(screen.plainError == nil)
    screen.submit()
    await screen.reach { $0.error != nil }
    #expect(screen.plainError == nil)
    screen.submit()
    await screen.reach { $0.error != nil }
    let first = screen.plainError
    #expect(first?.text == FormRejection([:]).message)
    screen.submit()
    #expect(screen.plainError == nil)
    await screen.reach { $0.error != nil }
    #expect(screen.plainError?.text == first?.text && screen.plainError != first)
    size.value = 2
    await screen.reach { $0.isEditing }
    #expect(screen.plainError == nil)
  }

  @Test("A rejection is a text besides if all that it rejects was edited meanwhile")
  func lateRejection() async {
    name.value = "11"
    answers.record(FormRejection(["Name": "is taken"]))
    let screen = screen()
    screen.submit()
    await gate.arrivals(atLeast: 1)
    name.value = "22"
    gate.open()
    await screen.reach { $0.error != nil }
    #expect(form["Name"]?.issues.isEmpty == true && form.issues.isEmpty)
    #expect(screen.plainError?.text.contains("is taken") == true)
  }

  @Test("What the server refuses stands at the fields, and the error besides")
  func refused() async throws {
    name.value = "11"
    gate.open()
    answers.record(FormRejection(["Name": "is taken", "Nobody": "knows"]))
    let screen = screen()
    screen.submit()
    await screen.reach { $0.error != nil }
    #expect(screen.state.error is FormRejection)
    #expect(form["Name"]?.messages == ["is taken"])
    #expect(form.issues.count == 1)
    #expect(form.focusedField?.key == "Name")
    // It can be sent again as it is.
    screen.submit()
    #expect(screen.state.isBusy)
    await screen.reach { $0.isSubmitted }
    #expect(form["Name"]?.messages == [])
  }

  enum Edit: CaseIterable { case set, type, unreadable, undo, redo, reset, fill }

  @Test("Any edit takes the error away", arguments: Edit.allCases)
  func edits(edit: Edit) async throws {
    name.value = "11"
    if edit == .undo || edit == .redo { form["Size"]?.text = "5" }
    if edit == .redo { form.undo() }
    gate.open()
    answers.record(MessageError("no network"))
    let screen = screen()
    screen.submit()
    await screen.reach { $0.error != nil }
    switch edit {
    case .set: size.value = 5
    case .type: form["Size"]?.text = "5"
    case .unreadable: form["Size"]?.text = "five"
    case .undo: form.undo()
    case .redo: form.redo()
    case .reset: form.reset()
    case .fill: try form.fill(values: ["Name": "12"])
    }
    await screen.reach { $0.isEditing }
  }

  @Test("The error stays where nothing is edited")
  func noEdit() async {
    name.value = "11"
    gate.open()
    answers.record(MessageError("no network"))
    let screen = screen()
    screen.submit()
    await screen.reach { $0.error != nil }
    form["Size"]?.focus()
    form["Size"]?.blur()
    await form.validate()
    await Task { @MainActor in }.value
    #expect((screen.state.error as? MessageError)?.message == "no network")
  }

  @Test("An edit that is made while values are on their way takes no error away")
  func editMeanwhile() async {
    name.value = "11"
    answers.record(MessageError("no network"))
    let screen = screen()
    screen.submit()
    await gate.arrivals(atLeast: 1)
    size.value = 5
    await Task { @MainActor in }.value
    #expect(screen.state.isBusy)
    gate.open()
    await screen.reach { $0.error != nil }
    #expect(form.isModified)
  }

  @Test("Submitted twice it is sent once")
  func twice() async {
    name.value = "11"
    let screen = screen()
    screen.submit()
    screen.submit()
    await gate.arrivals(atLeast: 1)
    screen.submit()
    gate.open()
    await screen.reach { $0.isSubmitted }
    #expect(gate.arrivalCount == 1)
  }

  @Test("Submitted twice it is still this screen's to cancel")
  func twiceAndCancelled() async {
    name.value = "11"
    let screen = screen()
    screen.submit()
    screen.submit()
    await gate.arrivals(atLeast: 1)
    screen.cancel()
    await cancels.elements(atLeast: 1)
    await screen.reach { $0.isEditing }
  }

  @Test("An error is forgotten once a submit has succeeded")
  func forgotten() async {
    name.value = "11"
    gate.open()
    answers.record(MessageError("no network"))
    let screen = screen()
    screen.submit()
    await screen.reach { $0.error != nil }
    screen.submit()
    await screen.reach { $0.isSubmitted }
    screen.submit()
    screen.cancel()
    await screen.reach { !$0.isBusy }
    #expect(screen.state.error == nil)
    // Sent again, it is refused by nobody and cancelled on its way.
    let theirs = Task { await form.submit { throw CancellationError() } }
    #expect(await theirs.value.cancellation == .caller)
    await screen.reach { $0.isEditing }
  }

  @Test("What others submit is shown, and keeps this one from being submitted")
  func others() async {
    name.value = "11"
    let screen = screen()
    let theirs = Gate()
    let other = Task {
      await form.submit {
        await theirs.wait()
        // It is over before anything that is begun now.
        screen.submit()
      }
    }
    await theirs.arrivals(atLeast: 1)
    await screen.reach { $0.isBusy }
    screen.submit()
    gate.open()
    theirs.open()
    #expect(await other.value.value != nil)
    await screen.reach { $0.isSubmitted }
    await Task { @MainActor in }.value
    #expect(gate.arrivalCount == 0)
  }

  @Test("Cancelled, it can be edited again, and an earlier error is there as it was")
  func cancel() async {
    name.value = "11"
    let screen = screen()
    screen.cancel()
    answers.record(nil)
    screen.submit()
    await gate.arrivals(atLeast: 1)
    screen.cancel()
    await screen.reach { $0.isEditing }
    #expect(cancels.count == 1 && form.phase == .editing && form.isModified)

    answers.removeAll()
    gate.open()
    answers.record(MessageError("no network"))
    screen.submit()
    await screen.reach { $0.error != nil }
    // Before it has begun.
    screen.submit()
    screen.cancel()
    await screen.reach { !$0.isBusy }
    #expect((screen.state.error as? MessageError)?.message == "no network")
  }

  @Test("Released under way, it ends its submit, and the form lives on")
  func release() async {
    name.value = "11"
    var screen: FormScreenModel? = screen()
    screen?.submit()
    await gate.arrivals(atLeast: 1)
    let released = { [weak screen] in screen }
    screen = nil
    #expect(released() == nil)
    await cancels.elements(atLeast: 1)
    gate.open()
    await observing {
      form.phase
    } until: {
      !$0.isBusy
    }
    #expect(form.phase == .editing && form.isModified)
    #expect(await form.submit {}.value != nil)
  }

  @Test("A short submit is not said to be one, and what is said stays for a while")
  func timing() async {
    let time = ManualTime()
    name.value = "11"
    let screen = screen(
      LoadingTiming(delay: .milliseconds(200), minimum: .milliseconds(500)), time: time)
    screen.submit()
    #expect(screen.state.isEditing)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(200))
    await screen.reach { $0.isBusy }
    gate.open()
    await observing {
      form.phase
    } until: {
      $0 == .submitted
    }
    await time.sleepers(atLeast: 1)
    #expect(screen.state.isBusy)
    time.advance(by: .milliseconds(499))
    #expect(screen.state.isBusy)
    time.advance(by: .milliseconds(1))
    await screen.reach { $0.isSubmitted }
  }

  @Test("One that is over before the delay is never said to be under way")
  func short() async {
    name.value = "11"
    gate.open()
    let screen = screen(.calm)
    var wasBusy = false
    screen.submit()
    await screen.reach { state in
      wasBusy = wasBusy || state.isBusy
      return state.isSubmitted
    }
    #expect(!wasBusy)
  }

  @Test("Its state follows from what is known, in every case")
  func pure() {
    let error = MessageError("no network")
    for phase in [FormPhase.editing, .validating, .submitting, .submitted] {
      for failure in [nil, error] {
        let state = FormScreenState(phase, error: failure)
        #expect(state.isBusy == phase.isBusy)
        #expect(state.isSubmitted == (phase == .submitted))
        #expect(state.isEditing == (phase == .editing && failure == nil))
        #expect((state.error != nil) == (phase == .editing && failure != nil))
      }
    }
  }
}

extension FormScreenState {
  fileprivate var isEditing: Bool { if case .editing = self { true } else { false } }
  fileprivate var isSubmitted: Bool { if case .submitted = self { true } else { false } }
}

extension FormScreenModel {
  /// Waits until it shows what is looked for.
  fileprivate func reach(_ isReached: @MainActor (FormScreenState) -> Bool) async {
    await observing {
      state
    } until: {
      isReached($0)
    }
  }
}
