import FieldstoneCore
import FieldstoneLoading
import FieldstoneScreens
import FieldstoneTesting
import Observation
import Testing

@Suite("A screen", .timeLimit(.minutes(20)))
@MainActor
struct ScreenModelTests {
  /// Loads that are answered by hand, in order.
  final class Shelf: Sendable {
    private let answers = Locked<[Result<[String], any Error>]>([])
    let loads = Recorder<String>()
    let cancels = Recorder<Void>()
    let gate = Gate()

    func answer(_ result: Result<[String], any Error>) {
      answers.withLock { $0.append(result) }
    }

    func load(_ query: String) async throws -> [String] {
      loads.record(query)
      return try await withTaskCancellationHandler {
        try await gate.waitUnlessCancelled()
        return try answers.withLock { $0.removeFirst() }.get()
      } onCancel: {
        cancels.record(())
      }
    }

    @MainActor var integrator: Integrator<String, [String]> {
      Integrator(provider: ClosureProvider { try await self.load($0) })
    }
  }

  @Test("The first appearance loads, and no other does")
  func appearance() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    #expect(screen.state.view == .initial)
    screen.appear()
    #expect(screen.state.view == .loading)
    screen.appear()
    shelf.gate.open()
    await screen.reach { $0.view == .primary }
    screen.appear()
    #expect(shelf.loads.elements == ["q"])
  }

  @Test("A failed first load is tried again, and an empty one has no results")
  func retry() async {
    let shelf = Shelf()
    shelf.answer(.failure(MessageError("no network")))
    shelf.answer(.success([]))
    shelf.gate.open()
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    screen.appear()
    await screen.reach { $0.view == .retry }
    #expect((screen.state.error as? MessageError)?.message == "no network")
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach { $0.view == .noResults }
  }

  @Test("A refresh, and its error, lie over what is shown")
  func refresh() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    shelf.answer(.failure(MessageError("no network")))
    shelf.gate.open()
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    screen.appear()
    await screen.reach { $0.view == .primary }
    screen.refresh()
    #expect(screen.state.view == .primary && screen.state.isBusy)
    await screen.reach { !$0.isBusy }
    #expect(screen.state.view == .primary && screen.state.error != nil)
  }

  @Test("A change of the content alone does not set the state, and an error always does")
  func sameState() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    shelf.gate.open()
    let integrator = shelf.integrator
    let seen = Recorder<Int>()
    let screen = ScreenModel(integrator, parameters: "q") { names in
      seen.record(names.count)
      return names.isEmpty
    }
    screen.appear()
    await screen.reach(.primary)
    let changes = Recorder<Void>()
    withObservationTracking {
      _ = screen.state
    } onChange: {
      changes.record(())
    }
    for count in 2...3 {
      seen.removeAll()
      integrator.update { $0.append("b") }
      #expect(await seen.elements(atLeast: 1).last == count)
    }
    #expect(changes.count == 0 && screen.failureCount == 0)
    integrator.update { $0 = [] }
    await screen.reach(.noResults)
    for count in 1...2 {
      shelf.answer(.failure(MessageError("no network")))
      screen.retry()
      await screen.reach(.retry)
      #expect(screen.failureCount == count)
    }
  }

  @Test("The same error of another load is a new one, also where the load is not shown")
  func sameErrorAgain() async {
    let (time, shelf) = (ManualTime(), Shelf())
    shelf.gate.open()
    let screen = ScreenModel(
      timing: LoadingTiming(delay: .milliseconds(200)), time: time.source
    ) {
      _ = try await shelf.load("q")
      return .some
    }
    shelf.answer(.failure(MessageError("no network")))
    screen.appear()
    await screen.reach(.retry)
    #expect(screen.failureCount == 1)
    shelf.answer(.failure(MessageError("no network")))
    await withCheckedContinuation { isSet in
      withObservationTracking {
        _ = screen.state
      } onChange: {
        isSet.resume()
      }
      screen.retry()
    }
    await screen.reach { _ in screen.failureCount == 2 }
    #expect(screen.state.view == .retry)
  }

  @Test("What others load with the integrator is shown, too")
  func others() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let integrator = shelf.integrator
    let screen = ScreenModel(integrator, parameters: "q")
    let call = integrator.call("other").start()
    await screen.reach { $0.view == .loading }
    shelf.gate.open()
    await screen.reach { $0.view == .primary }
    withExtendedLifetime(call) {}
  }

  @Test("Released under way, it ends its call and nobody else's")
  func release() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let integrator = shelf.integrator
    var screen: ScreenModel? = ScreenModel(integrator, parameters: "mine")
    screen?.appear()
    let other = integrator.call("other").start()
    await shelf.loads.elements(atLeast: 2)
    screen = nil
    await shelf.cancels.elements(atLeast: 1)
    shelf.gate.open()
    #expect(await other.outcome.value == ["a"])
    #expect(shelf.cancels.count == 1)
  }

  @Test("Released elsewhere than on the main actor, it ends its call and its sequence")
  func releasedElsewhere() async {
    let shelf = Shelf()
    let integrator = shelf.integrator
    var screen: ScreenModel? = ScreenModel(integrator, parameters: "mine")
    screen?.appear()
    var states = screen?.states().makeAsyncIterator()
    await shelf.loads.elements(atLeast: 1)
    let last = Locked<ScreenModel?>(screen)
    screen = nil
    await Task.detached { last.withLock { _ = $0.take() } }.value
    await shelf.cancels.elements(atLeast: 1)
    #expect(await states?.next(isolation: #isolation)?.view == .loading)
    #expect(await states?.next(isolation: #isolation) == nil)
  }

  @Test("Released, it ends all calls that it has under way")
  func releaseOfSeveral() async {
    let shelf = Shelf()
    let integrator = shelf.integrator
    var screen: ScreenModel? = ScreenModel(integrator, parameters: "q")
    screen?.appear()
    screen?.refresh()
    await shelf.loads.elements(atLeast: 2)
    screen = nil
    await shelf.cancels.elements(atLeast: 2)
    #expect(!integrator.phase.isLoading)
  }

  @Test("A short load is not said to be one, and what is said stays for a while")
  func timing() async {
    let time = ManualTime()
    let timing = LoadingTiming(delay: .milliseconds(200), minimum: .milliseconds(500))
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let screen = ScreenModel(
      shelf.integrator, parameters: "q", timing: timing, time: time.source)
    #expect(screen.state.view == .initial)
    screen.appear()
    #expect(screen.state.view == .blank && screen.state.isBusy)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(199))
    #expect(screen.state.view == .blank)
    time.advance(by: .milliseconds(1))
    await screen.reach { $0.view == .loading }
    shelf.gate.open()
    await time.sleepers(atLeast: 1)
    #expect(screen.state.view == .loading)
    time.advance(by: .milliseconds(500))
    await screen.reach { $0.view == .primary }
  }

  @Test("A load that is over before the delay never shows the loading view")
  func short() async {
    let time = ManualTime()
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    shelf.gate.open()
    let screen = ScreenModel(
      shelf.integrator, parameters: "q", timing: .calm, time: time.source)
    let shown = Recorder<ScreenView>()
    screen.appear()
    await screen.reach { state in
      shown.record(state.view)
      return state.view == .primary
    }
    #expect(!shown.elements.contains(.loading) && !shown.elements.contains(.initial))
  }

  @Test("A refresh can be waited for, whatever becomes of it, and by several")
  func refreshAndWait() async {
    let shelf = Shelf()
    for _ in 0..<2 { shelf.answer(.success(["a"])) }
    shelf.answer(.failure(MessageError("no network")))
    shelf.gate.open()
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    await screen.refreshAndWait()
    #expect(screen.state.view == .primary && !screen.state.isBusy)
    async let one: Void = screen.refreshAndWait()
    await screen.refreshAndWait()
    await one
    #expect(!screen.state.isBusy && shelf.loads.count == 3)
    // Where nothing is loaded, there is nothing to wait for.
    await ScreenModel(showing: ScreenKnowledge(content: .empty)).refreshAndWait()
  }

  @Test("Who waits for a refresh sees its outcome, also where the loading state has a minimum time")
  func heldRefresh() async {
    let time = ManualTime()
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    shelf.gate.open()
    let screen = ScreenModel(
      shelf.integrator, parameters: "q", timing: LoadingTiming(minimum: .seconds(1)),
      time: time.source)
    let seen = Recorder<ScreenView>()
    let wait = Task {
      await screen.refreshAndWait()
      seen.record(screen.state.view)
    }
    await shelf.loads.elements(atLeast: 1)
    await time.sleepers(atLeast: 1)
    #expect(screen.state.view == .loading)
    time.advance(by: .seconds(1))
    await wait.value
    #expect(seen.elements == [.primary])
  }

  @Test("Who waits for a refresh and is cancelled leaves it under way")
  func cancelledWait() async {
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    let wait = Task { await screen.refreshAndWait() }
    await shelf.loads.elements(atLeast: 1)
    wait.cancel()
    await wait.value
    #expect(screen.state.isBusy && shelf.cancels.count == 0)
    shelf.gate.open()
    await screen.reach(.primary)
  }

  @Test("During the delay of a later load the screen shows what it showed: the error, or nothing")
  func laterDelay() async {
    let time = ManualTime()
    let shelf = Shelf()
    shelf.answer(.failure(MessageError("no network")))
    shelf.answer(.success([]))
    shelf.answer(.success([]))
    shelf.gate.open()
    let screen = ScreenModel(
      shelf.integrator, parameters: "q", timing: .calm, time: time.source)
    screen.appear()
    await screen.reach(.retry)
    screen.retry()
    #expect(screen.state.view == .retry)
    await screen.reach(.noResults)
    screen.refresh()
    #expect(screen.state.view == .noResults)
  }

  @Test("A screen that waits for the person shows its initial view until it is asked to load")
  func onRequest() async {
    let time = ManualTime()
    let shelf = Shelf()
    shelf.answer(.success(["a"]))
    let screen = ScreenModel(
      shelf.integrator, parameters: "q", loadsOnAppear: false, timing: .calm, time: time.source)
    screen.appear()
    screen.appear()
    #expect(screen.state.view == .initial && !screen.state.isBusy && shelf.loads.count == 0)
    screen.retry()
    // The person has seen the initial view: it stays during the delay.
    #expect(screen.state.view == .initial)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(200))
    await screen.reach(.loading)
    shelf.gate.open()
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(500))
    await screen.reach(.primary)
    #expect(shelf.loads.elements == ["q"])
  }

  @Test("What others load before the screen appears leaves it blank during the delay")
  func unseen() async {
    let time = ManualTime()
    let shelf = Shelf()
    let integrator = shelf.integrator
    let screen = ScreenModel(
      integrator, parameters: "q", loadsOnAppear: false, timing: .calm, time: time.source)
    let call = integrator.call("other").start()
    await screen.reach(.blank, whileBusy: true)
    screen.appear()
    #expect(screen.state.view == .blank)
    call.cancel()
    await screen.reach(.initial)
  }

  @Test("Over a closure: a newer load cancels the one under way, and late answers are dropped")
  func closure() async {
    let answers = Gate()
    let (calls, ends) = (Recorder<Int>(), Recorder<Int>())
    let screen = ScreenModel {
      let number = calls.count
      calls.record(number)
      defer { ends.record(number) }
      // It does not heed its cancellation.
      if number == 0 { await answers.wait() }
      return number == 0 ? .empty : .some
    }
    screen.appear()
    await calls.elements(atLeast: 1)
    screen.retry()
    await screen.reach { $0.view == .primary }
    answers.open()
    await ends.elements(atLeast: 2)
    #expect(screen.state.view == .primary)
  }

  @Test("Over a closure: a failure is tried again, and an empty load has no results")
  func closureRetry() async {
    var answers: [Result<ScreenKnowledge.Content, MessageError>] = [
      .failure(MessageError("no network")), .success(.empty), .success(.some),
    ]
    let screen = ScreenModel { try answers.removeFirst().get() }
    screen.appear()
    #expect(screen.state.view == .loading)
    await screen.reach(.retry)
    screen.retry()
    await screen.reach(.noResults)
    screen.retry()
    await screen.reach(.primary)
  }

  @Test("Over a closure: released under way, it is cancelled")
  func closureRelease() async {
    let (gate, ends) = (Gate(), Recorder<Bool>())
    var screen: ScreenModel? = ScreenModel {
      do {
        try await gate.waitUnlessCancelled()
        ends.record(false)
      } catch {
        ends.record(true)
      }
      return .some
    }
    screen?.appear()
    await gate.arrivals(atLeast: 1)
    let released = { [weak screen] in screen }
    screen = nil
    #expect(released() == nil)
    #expect(await ends.elements(atLeast: 1) == [true])
  }
}
