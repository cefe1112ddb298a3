import FieldstoneCore
import FieldstoneLoading
import FieldstoneScreens
import FieldstoneTesting
import Foundation
import Testing

@Suite("A screen over an operation", .timeLimit(.minutes(20)))
@MainActor
struct OperationScreenTests {
  /// Operations that are answered by hand, in order.
  final class Desk: Sendable {
    private let answers: Locked<[Result<[String], any Error>]>
    let runs = Recorder<Void>()
    let ends = Recorder<Bool>()
    let gate = Gate()

    init(_ answers: Result<[String], any Error>..., isOpen: Bool = true) {
      self.answers = Locked(answers)
      if isOpen { gate.open() }
    }

    func operation() -> StatefulOperation<[String]> {
      StatefulBlockOperation { [self] in
        let answer = answers.withLock { $0.removeFirst() }
        runs.record(())
        do {
          try await gate.waitUnlessCancelled()
        } catch {
          ends.record(true)
          throw error
        }
        ends.record(false)
        return try answer.get()
      }
    }
  }

  @Test("Each load runs an operation of its own: fail, nothing, something")
  func runs() async {
    let desk = Desk(.failure(MessageError("no network")), .success([]), .success(["a"]))
    let screen = ScreenModel(operation: { desk.operation() })
    #expect(screen.state.view == .initial)
    screen.appear()
    #expect(screen.state.view == .loading)
    screen.appear()
    await screen.reach(.retry)
    #expect((screen.state.error as? MessageError)?.message == "no network")
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach(.noResults)
    screen.retry()
    await screen.reach(.primary)
    #expect(desk.runs.count == 3)
  }

  @Test("Where no operation is made, nothing is loaded and what is shown stays")
  func none() async {
    let desk = Desk(.success(["a"]), .failure(MessageError("no network")))
    let isReady = Locked(false)
    let screen = ScreenModel(
      makingOperation: { isReady.withLock { $0 } ? ScreenOperation(desk.operation()) : nil },
      timing: .calm)
    screen.appear()
    screen.retry()
    #expect(screen.state.view == .initial && !screen.state.isBusy)
    isReady.withLock { $0 = true }
    screen.retry()
    await screen.reach(.primary)
    isReady.withLock { $0 = false }
    screen.refresh()
    #expect(screen.state.view == .primary && !screen.state.isBusy)
    #expect(desk.runs.count == 1)
  }

  @Test("Whether there is anything in an output is up to its screen")
  func emptiness() async {
    let total = Locked(0)
    let screen = ScreenModel(
      makingOperation: {
        ScreenOperation(StatefulBlockOperation { total.withLock { $0 } }) { $0 == 0 }
      })
    screen.appear()
    await screen.reach(.noResults)
    total.withLock { $0 = 3 }
    screen.retry()
    await screen.reach(.primary)
  }

  @Test("A refresh, and its error, lie over what is shown")
  func refresh() async {
    let desk = Desk(.success(["a"]), .failure(MessageError("no network")), .success([]))
    let screen = ScreenModel(operation: { desk.operation() })
    screen.appear()
    await screen.reach(.primary)
    screen.refresh()
    #expect(screen.state.view == .primary && screen.state.isBusy)
    await screen.reach { !$0.isBusy }
    #expect(screen.state.view == .primary && screen.state.error != nil)
    screen.refresh()
    await screen.reach(.noResults)
  }

  @Test("What the operation's own handlers do is done when the screen shows it")
  func handlers() async {
    let desk = Desk(.success(["a"]), .success(["b"]))
    var messages: [String] = []
    var seen: [String] = []
    let screen = ScreenModel(
      operation: { desk.operation().onSuccess { messages = $0 } }, isEmpty: \.isEmpty)
    screen.appear()
    await screen.reach { state in
      if state.view == .primary { seen += messages }
      return state.view == .primary
    }
    screen.refresh()
    await screen.reach { state in
      if !state.isBusy { seen += messages }
      return !state.isBusy
    }
    #expect(seen == ["a", "b"])
  }

  @Test("A newer load cancels the one under way")
  func newer() async {
    let desk = Desk(.success(["a"]), .success([]), isOpen: false)
    var made: [StatefulOperation<[String]>] = []
    let screen = ScreenModel(
      operation: {
        made.append(desk.operation())
        return made[made.count - 1]
      })
    screen.appear()
    await desk.runs.elements(atLeast: 1)
    screen.refresh()
    #expect(await desk.ends.elements(atLeast: 1) == [true])
    // Its end was told, and is no end of the newer one.
    #expect(await made[0].outcome.cancellation == .caller)
    #expect(screen.state.view == .loading)
    desk.gate.open()
    await screen.reach(.noResults)
  }

  @Test("What comes late is dropped, also of work that does not heed its cancellation")
  func late() async {
    let (gate, ends, runs) = (Gate(), Recorder<Int>(), Recorder<Int>())
    let screen = ScreenModel(
      operation: {
        let number = runs.count
        runs.record(number)
        return StatefulBlockOperation {
          if number == 0 { await gate.wait() }
          ends.record(number)
          return number == 0 ? [] : ["new"]
        }
      })
    screen.appear()
    await gate.arrivals(atLeast: 1)
    screen.refresh()
    await screen.reach(.primary)
    gate.open()
    await ends.elements(atLeast: 2)
    await Task.yield()
    #expect(screen.state.view == .primary)
  }

  @Test("One that is cancelled by others leaves what was known")
  func cancelled() async {
    let desk = Desk(.success(["a"]), .success(["b"]), isOpen: false)
    var made: [StatefulOperation<[String]>] = []
    let screen = ScreenModel(
      operation: {
        made.append(desk.operation())
        return made[made.count - 1]
      })
    screen.appear()
    await desk.runs.elements(atLeast: 1)
    made[0].cancel()
    await screen.reach(.initial)
    screen.retry()
    desk.gate.open()
    await screen.reach(.primary)
  }

  @Test("It runs on the queue that is given, which may be held")
  func queue() async {
    let queue = OperationQueue()
    queue.isSuspended = true
    let desk = Desk(.success(["a"]))
    let screen = ScreenModel(operation: { desk.operation() }, on: queue)
    screen.appear()
    #expect(queue.operationCount == 1)
    #expect(desk.runs.count == 0)
    queue.isSuspended = false
    await screen.reach(.primary)
  }

  @Test("An operation that has ended already says at once what it came to")
  func ended() async {
    let desk = Desk(.success(["a"]))
    let operation = desk.operation()
    operation.start()
    _ = await operation.outcome
    let screen = ScreenModel(operation: { operation })
    screen.appear()
    #expect(screen.state.view == .primary)
    screen.refresh()
    #expect(screen.state.view == .primary && !screen.state.isBusy)
    #expect(desk.runs.count == 1)
  }

  @Test("An operation that is under way already is followed")
  func started() async {
    let desk = Desk(.success(["a"]), isOpen: false)
    let operation = desk.operation()
    operation.start()
    await desk.runs.elements(atLeast: 1)
    let screen = ScreenModel(operation: { operation })
    screen.appear()
    #expect(screen.state.view == .loading)
    desk.gate.open()
    await screen.reach(.primary)
    #expect(desk.runs.count == 1)
  }

  @Test("Released under way, it ends its operation")
  func release() async {
    let desk = Desk(.success(["a"]), isOpen: false)
    var screen: ScreenModel? = ScreenModel(operation: { desk.operation() })
    screen?.appear()
    await desk.runs.elements(atLeast: 1)
    let released = { [weak screen] in screen }
    screen = nil
    #expect(released() == nil)
    #expect(await desk.ends.elements(atLeast: 1) == [true])
  }
}
