import Dispatch
import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("The handlers of operations", .timeLimit(.minutes(20)))
struct OperationHandlerTests {
  private let queue = OperationQueue()
  private let heard = Recorder<String>()

  @Test(
    "Start, return, success, finish: in that order and on the main actor", arguments: Style.allCases
  )
  func success(style: Style) async {
    let operation = style.operation(.success(7)).recorded(by: heard)
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["start", "return", "success 7", "finish success"])
  }

  @Test(
    "Start, return, fail, finish: in that order and on the main actor", arguments: Style.allCases)
  func failure(style: Style) async {
    let operation = style.operation(Result<Int, Failure>.failure(.broken)).recorded(by: heard)
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["start", "return", "fail broken", "finish failure"])
  }

  @Test("Several handlers of one moment run in the order in which they were given")
  func several() async {
    let heard = heard
    let operation = StatefulBlockOperation { 1 }
      .onSuccess { _ in heard.record("1") }
      .onStart { heard.record("a") }
      .onSuccess(on: .anywhere) { _ in heard.record("2") }
      .onStart(on: .anywhere) { heard.record("b") }
      .onSuccess { _ in heard.record("3") }
      .onStart { heard.record("c") }
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["a", "b", "c", "1", "2", "3"])
  }

  @Test("Work begins when the start has been told, and the end is told before it is finished")
  func synchronousForTheOperation() async {
    let heard = heard
    let operation = SynchronousOperation(.success(1), heard)
    let next = BlockOperation { heard.record("next") }
    next.addDependency(operation)
    operation
      .onStart { heard.record("start") }
      .onReturn { [unowned operation] in
        heard.record("return \(operation.isExecuting) \(operation.currentOutcome?.value ?? 0)")
      }
      .onFinish { [unowned operation] _ in heard.record("finish \(operation.isFinished)") }
    queue.add([next, operation])
    await heard.elements(atLeast: 5)
    #expect(heard.elements == ["start", "work", "return true 1", "finish false", "next"])
  }

  @Test("Started by hand on the main actor, synchronous work is told and done when start returns")
  @MainActor func startedOnMain() {
    let operation = SynchronousOperation(.success(1), heard).recorded(by: heard)
    operation.start()
    #expect(heard.elements == ["start", "work", "return", "success 1", "finish success"])
    #expect(operation.isFinished)
  }

  @Test("Started by hand on the main actor, nothing deadlocks", arguments: Style.allCases)
  @MainActor func anyStartedOnMain(style: Style) async {
    let operation = style.operation(.success(1)).recorded(by: heard)
    operation.start()
    _ = await operation.outcome
    #expect(heard.elements == ["start", "return", "success 1", "finish success"])
  }

  @Test("In the main queue they run in place", arguments: Style.allCases)
  func mainQueue(style: Style) async {
    let operation = style.operation(.success(1)).recorded(by: heard)
    OperationQueue.main.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["start", "return", "success 1", "finish success"])
  }

  @Test(
    "Without handlers nothing hops: the main thread may block on the queue",
    arguments: Style.allCases)
  @MainActor func noHop(style: Style) {
    let operations = [
      style.operation(.success(1)),
      style.operation(.success(2)).onStart(on: .anywhere) {}.onFinish(on: .anywhere) { _ in },
      style.operation(.failure(.broken)),
    ]
    queue.add(operations)
    queue.waitUntilAllOperationsAreFinished()
    #expect(operations.map { $0.currentOutcome?.name } == ["success", "success", "failure"])
  }

  @Test("Cancelling needs no hop either without handlers", arguments: [true, false])
  @MainActor func noHopWhenCancelled(isStarted: Bool) {
    let operation = HandOperation()
    if isStarted { operation.start() }
    operation.cancel()
    operation.start()
    #expect(operation.isFinished)
    operation.waitUntilFinished()
  }

  @Test("Anywhere means on the thread where the operation is")
  func anywhere() async {
    let heard = heard
    let operation = StatefulBlockOperation { 1 }
      .onStart(on: .anywhere) { heard.record("start \(OperationQueue.current?.name ?? "")") }
      .onReturn(on: .anywhere) { heard.record("return \(OperationQueue.current?.name ?? "")") }
      .onSuccess(on: .anywhere) { heard.record("success \($0)") }
      .onFail(on: .anywhere) { heard.record("fail \($0)") }
      .onFinish(on: .anywhere) { heard.record("finish \($0.name)") }
    queue.name = "here"
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["start here", "return here", "success 1", "finish success"])

    heard.removeAll()
    let failing = StatefulBlockOperation { () throws -> Int in throw Failure.broken }
      .onFail(on: .anywhere) { heard.record("fail \($0)") }
    queue.addOperation(failing)
    _ = await failing.outcome
    #expect(heard.elements == ["fail broken"])
  }

  @Test("On a queue they run there, also when the operation is started there")
  func onQueue() async {
    let key = DispatchSpecificKey<String>()
    let place = DispatchQueue(label: "place")
    place.setSpecific(key: key, value: "place")
    for isStartedThere in [false, true] {
      let heard = Recorder<String>()
      @Sendable func record(_ text: String) {
        heard.record("\(text) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")")
      }
      let operation = StatefulBlockOperation { record("work") }
        .onStart(on: .queue(place)) { record("start") }
        .onReturn(on: .queue(place)) { record("return") }
        .onFinish(on: .queue(place)) { _ in record("finish") }
      if isStartedThere {
        place.async { operation.start() }
      } else {
        queue.addOperation(operation)
      }
      _ = await operation.outcome
      let work = isStartedThere ? "work place" : "work elsewhere"
      #expect(heard.elements == ["start place", work, "return place", "finish place"])
    }
  }

  @Test("On a queue that targets theirs they run in place")
  func onTargetingQueue() async {
    let place = DispatchQueue(label: "place")
    let above = DispatchQueue(label: "above", target: place)
    // Both are places: each has a mark of its own.
    let places = [HandlerExecutor.queue(above), .queue(place), .queue(place)]
    let heard = heard
    let operation = StatefulBlockOperation { heard.record("work") }
    for (index, place) in places.enumerated() {
      operation.onStart(on: place) { heard.record("start \(index)") }
      operation.onFinish(on: place) { _ in heard.record("finish \(index)") }
    }
    above.sync { operation.start() }
    #expect(
      heard.elements == [
        "start 0", "start 1", "start 2", "work", "finish 0", "finish 1", "finish 2",
      ])
  }

  @Test("Two operations with handlers on each other's serial queue wait for neither")
  func crossed() async {
    let queues = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
    let both = DispatchGroup()
    for _ in queues { both.enter() }
    let operations = [0, 1].map { index in
      StatefulBlockOperation {
        both.leave()
        both.wait()
      }
      .onFinish(on: .queue(queues[1 - index])) { _ in }
    }
    for (queue, operation) in zip(queues, operations) { queue.async { operation.start() } }
    for operation in operations { #expect(await operation.outcome.value != nil) }
  }

  @Test("Places of one queue that are gone are not taken for those of another")
  func placesThatAreGone() async {
    let name = DispatchSpecificKey<String>()
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    for queue in [first, second] { queue.setSpecific(key: name, value: queue.label) }
    let heard = heard
    for _ in 0..<20 {
      for _ in 0..<20 { _ = HandlerExecutor.queue(first) }
      let operation = StatefulBlockOperation { 1 }
        .onFinish(on: .queue(second)) { _ in
          heard.record(DispatchQueue.getSpecific(key: name) ?? "elsewhere")
        }
      first.sync { operation.start() }
      _ = await operation.outcome
    }
    #expect(heard.elements == Array(repeating: "second", count: 20))
  }

  @Test("The main queue as a place is the main actor")
  @MainActor func mainQueueAsPlace() {
    StatefulBlockOperation { 1 }.onFinish(on: .queue(.main)) { _ in heard.record("there") }.start()
    #expect(heard.elements == ["there"])
  }

  @Test("Started on the main actor within another queue, nothing deadlocks")
  @MainActor func startedOnMainWithinAQueue() {
    let operation = SynchronousOperation(.success(1), heard).onStart { heard.record("start") }
    DispatchQueue(label: "within").sync { operation.start() }
    #expect(heard.elements == ["start", "work"])
  }

  @Test("Places in turn keep the order", arguments: Style.allCases)
  func mixedPlaces(style: Style) async {
    let heard = heard
    let place = HandlerExecutor.queue(DispatchQueue(label: "place"))
    let operation = style.operation(.success(1))
      .onFinish { _ in heard.record("4") }
      .onFinish(on: place) { _ in heard.record("5") }
      .onFinish(on: .anywhere) { _ in heard.record("6") }
      .onFinish { _ in heard.record("7") }
      .onReturn(on: place) { heard.record("2") }
      .onSuccess(on: .anywhere) { _ in heard.record("3") }
      .onStart(on: place) { heard.record("1") }
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(heard.elements == ["1", "2", "3", "4", "5", "6", "7"])
  }

  @Test("A handler that comes after the end hears nothing")
  func late() async {
    let operation = StatefulBlockOperation { 1 }
    queue.addOperation(operation)
    _ = await operation.outcome
    operation.recorded(by: heard)
    operation.cancel()
    operation.start()
    #expect(heard.elements == [])
  }

  @Test("Handlers may do everything with the operation")
  func reentrant() async {
    let heard = heard
    let operation = HandOperation()
    operation
      .onStart { [unowned operation] in
        operation.onFinish { _ in heard.record("added later") }
        operation.start()
      }
      .onReturn { [unowned operation] in
        operation.cancel()
        heard.record("late \(operation.finish(.success(2)))")
      }
      .onFinish { [unowned operation] in
        heard.record("\($0.value ?? 0) \(operation.currentOutcome?.value ?? 0)")
      }
    queue.addOperation(operation)
    await operation.log.elements(atLeast: 1)
    operation.finish(.success(1))
    #expect(await operation.outcome.value == 1)
    #expect(!operation.isCancelled)
    #expect(heard.elements == ["late false", "1 1", "added later"])
  }

  @Test("They are let go of at the end")
  func released() async {
    final class Token: Sendable {
      let releases: Recorder<String>
      init(_ releases: Recorder<String>) { self.releases = releases }
      deinit { releases.record("released") }
    }
    let operation = StatefulBlockOperation { 1 }
    let releases = Recorder<String>()
    do {
      let kept = Token(releases)
      operation.onStart { _ = kept }.onFinish { _ in _ = kept }
    }
    #expect(releases.count == 0)
    queue.addOperation(operation)
    _ = await operation.outcome
    // The thread that calls the handlers lets go of them after the last one.
    await releases.elements(atLeast: 1)
    // The operation is still there.
    #expect(operation.isFinished)
  }

  @Test("A handler may start another operation on another queue, and wait for its start handlers")
  func withinAnotherQueue() async {
    let (heard, other) = (heard, DispatchQueue(label: "other"))
    let second = StatefulBlockOperation { 2 }
      .onStart { heard.record("second starts") }
      .onSuccess { heard.record("second \($0)") }
    let first = StatefulBlockOperation { 1 }.onSuccess { value in
      other.sync { second.start() }
      heard.record("first \(value)")
    }
    queue.addOperation(first)
    _ = await (first.outcome, second.outcome)
    #expect(heard.elements == ["second starts", "first 1", "second 2"])
  }
}
