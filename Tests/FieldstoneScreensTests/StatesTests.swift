import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneLoading
import FieldstoneScreens
import FieldstoneTesting
import Observation
import Testing

@Suite("The states of a screen, as a sequence", .timeLimit(.minutes(20)))
@MainActor
struct StatesTests {
  @Test("They begin with the state as it is, and each change follows")
  func changes() async {
    let gate = Gate()
    let screen = ScreenModel {
      await gate.wait()
      return .some
    }
    var states = screen.states().makeAsyncIterator()
    #expect(await states.next(isolation: #isolation)?.view == .initial)
    screen.appear()
    #expect(await states.next(isolation: #isolation)?.view == .loading)
    gate.open()
    #expect(await states.next(isolation: #isolation)?.view == .primary)
  }

  @Test("Who is slow gets the latest, and who comes late what is shown now")
  func latest() async {
    let screen = ScreenModel { .empty }
    let slow = screen.states()
    screen.appear()
    await screen.reach(.noResults)
    for states in [slow, screen.states()] {
      var iterator = states.makeAsyncIterator()
      #expect(await iterator.next(isolation: #isolation)?.view == .noResults)
    }
  }

  @Test("On the main actor the present state is taken before anything else happens there")
  func present() async {
    let screen = ScreenModel { .some }
    screen.appear()
    var states = screen.states().makeAsyncIterator()
    let others = Recorder<Int>()
    let other = Task { others.record(1) }
    #expect(await states.next(isolation: #isolation)?.view == .loading)
    #expect(others.elements.isEmpty)
    await other.value
    #expect(await states.next(isolation: #isolation)?.view == .primary)
  }

  @Test("An error is told once, also where the next load is shown later")
  func errorOnce() async {
    let time = ManualTime()
    let loads = Recorder<Int>()
    let screen = ScreenModel(
      timing: LoadingTiming(delay: .milliseconds(200)), time: time.source
    ) {
      loads.record(1)
      if loads.count == 1 { throw MessageError("no network") }
      return .some
    }
    screen.appear()
    await screen.reach(.retry)
    var states = screen.states().makeAsyncIterator()
    #expect(await states.next(isolation: #isolation)?.view == .retry)
    screen.retry()
    #expect(await states.next(isolation: #isolation)?.view == .primary)
  }

  @Test("The error of a failed refresh is told once, however often local code changes the value")
  func errorWithChanges() async {
    let loads = Recorder<Int>()
    let gate = Gate()
    let integrator = Integrator(
      provider: ClosureProvider { (number: Int) in
        loads.record(number)
        if loads.count > 2 { await gate.wait() }
        if loads.count > 1 { throw MessageError("no network") }
        return [number]
      })
    let seen = Recorder<Int>()
    let screen = ScreenModel(integrator, parameters: 1) { numbers in
      seen.record(numbers.last ?? 0)
      return numbers.isEmpty
    }
    screen.appear()
    await screen.reach(.primary)
    screen.refresh()
    await screen.reach { $0.error != nil }
    let told = Recorder<String>()
    let following = Task {
      for await state in screen.states() {
        told.record(state.isBusy ? "busy" : state.error == nil ? "none" : "error")
      }
    }
    _ = await told.elements(atLeast: 1)
    let changes = Recorder<Void>()
    withObservationTracking {
      _ = screen.state
    } onChange: {
      changes.record(())
    }
    for number in 2..<5 {
      seen.removeAll()
      integrator.update { $0.append(number) }
      // The screen reads the value when it follows the change.
      #expect(await seen.elements(atLeast: 1).last == number)
    }
    #expect(changes.count == 0)
    // The latest state wins, so the refresh ends only after the follower has seen it begin.
    screen.refresh()
    #expect(await told.elements(atLeast: 2) == ["error", "busy"])
    gate.open()
    #expect(await told.elements(atLeast: 3) == ["error", "busy", "error"])
    following.cancel()
  }

  @Test("Whoever has stopped following a screen that rests is not kept")
  func gone() async {
    let screen = ScreenModel { .empty }
    let kept = screen.states()
    for _ in 0..<200 {
      var iterator = screen.states().makeAsyncIterator()
      #expect(await iterator.next(isolation: #isolation)?.view == .initial)
    }
    #expect(screen.followerCount < 40)
    screen.appear()
    await screen.reach(.noResults)
    var iterator = kept.makeAsyncIterator()
    #expect(await iterator.next(isolation: #isolation)?.view == .noResults)
    #expect(screen.followerCount == 1)
  }

  @Test("A newer error is news")
  func errors() async {
    let gate = Gate()
    let screen = ScreenModel {
      await gate.wait()
      throw MessageError("no network")
    }
    var states = screen.states().makeAsyncIterator()
    screen.appear()
    #expect(await states.next(isolation: #isolation)?.view == .loading)
    gate.open()
    #expect(await states.next(isolation: #isolation)?.view == .retry)
    screen.retry()
    await screen.reach { $0.view == .retry }
    #expect(await states.next(isolation: #isolation)?.view == .retry)
  }

  @Test("A page more below what is shown is none")
  func pages() async {
    let pages = ClosureProvider { (request: PageRequest<Int>) in
      ItemPage([Entry(id: request.cursor ?? 0)], next: (request.cursor ?? 0) + 1)
    }
    let list = PaginatedList(provider: pages)
    let screen = ScreenModel(list)
    let seen = Recorder<ScreenView>()
    let isThere = Gate()
    let following = Task {
      for await state in screen.states() {
        seen.record(state.view)
        if state.view == .primary { isThere.open() }
        if state.view == .noResults { return }
      }
    }
    screen.appear()
    await isThere.wait()
    for _ in 0..<3 { _ = await list.loadMore().outcome }
    #expect(list.items.count == 4)
    for id in 0..<4 { list.remove(id) }
    await following.value
    #expect(seen.elements.drop { $0 != .primary } == [.primary, .noResults])
  }

  @Test("They end when the screen is released")
  func end() async {
    var screen: ScreenModel? = ScreenModel { .some }
    var states = screen?.states().makeAsyncIterator()
    screen = nil
    #expect(await states?.next(isolation: #isolation)?.view == .initial)
    #expect(await states?.next(isolation: #isolation) == nil)
  }

  @Test("Those of a form's screen, too")
  func form() async {
    let name = Field<String>("Name", value: "Ada")
    let gate = Gate()
    var screen: FormScreenModel? = FormScreenModel(FormModel { FormSection("You") { name } }) {
      await gate.wait()
    }
    var states = screen?.states().makeAsyncIterator()
    #expect(await states?.next(isolation: #isolation)?.word == "editing")
    screen?.submit()
    #expect(await states?.next(isolation: #isolation)?.word == "submitting")
    gate.open()
    #expect(await states?.next(isolation: #isolation)?.word == "submitted")
    screen = nil
    #expect(await states?.next(isolation: #isolation) == nil)
  }
}

private struct Entry: Identifiable, Sendable {
  let id: Int
}

extension FormScreenState {
  fileprivate var word: String {
    switch self {
    case .editing: "editing"
    case .submitting: "submitting"
    case .submitted: "submitted"
    case .failed: "failed"
    }
  }
}
