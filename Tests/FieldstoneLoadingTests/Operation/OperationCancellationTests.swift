import Dispatch
import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Cancelled operations", .timeLimit(.minutes(20)))
struct OperationCancellationTests {
  private let queue = OperationQueue()
  private let heard = Recorder<String>()

  @Test("Cancelled before its start it tells the finish only, and never works")
  func before() async {
    let operation = HandOperation().recorded(by: heard)
    let finishes = operation.finishes()
    operation.cancel()
    #expect(operation.currentOutcome?.cancellation == .caller)
    #expect(operation.isCancelled)
    #expect(await operation.outcome.cancellation == .caller)
    #expect(heard.elements == ["finish cancelled caller"])
    // A queue must not see it finished before it has started it.
    #expect(!operation.isFinished)
    queue.addOperation(operation)
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(heard.elements == ["finish cancelled caller"])
    #expect(operation.log.elements == [])
  }

  @Test("Cancelled in a queue that is suspended it is told of at once, finished at its turn")
  func suspended() async {
    queue.isSuspended = true
    let operation = HandOperation().recorded(by: heard)
    let finishes = operation.finishes()
    queue.addOperation(operation)
    operation.cancel()
    #expect(await operation.outcome.cancellation == .caller)
    #expect(heard.elements == ["finish cancelled caller"])
    #expect(!operation.isFinished)
    queue.isSuspended = false
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(operation.log.elements == [])
  }

  @Test("Cancelled while it works it ends at once, is asked to stop once, and drops what is late")
  func running() async {
    let operation = HandOperation().recorded(by: heard)
    let finishes = operation.finishes()
    queue.addOperation(operation)
    await operation.log.elements(atLeast: 1)
    operation.cancel()
    #expect(operation.currentOutcome?.cancellation == .caller)
    operation.cancel()
    #expect(!operation.finish(.success(1)))
    #expect(await operation.outcome.cancellation == .caller)
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(operation.log.elements == ["main", "cancel"])
    #expect(heard.elements == ["start", "finish cancelled caller"])
  }

  @Test("The task of asynchronous work is cancelled; nobody waits for work that does not heed it")
  func asynchronous() async {
    queue.maxConcurrentOperationCount = 1
    let gate = Gate()
    let saw = Recorder<Bool>()
    let deaf = StatefulBlockOperation {
      await gate.wait()
      saw.record(Task.isCancelled)
      return 1
    }.recorded(by: heard)
    let next = StatefulBlockOperation { 2 }
    queue.add([deaf, next])
    await gate.arrivals(atLeast: 1)
    deaf.cancel()
    #expect(await deaf.outcome.cancellation == .caller)
    #expect(await next.outcome.value == 2)
    gate.open()
    #expect(await saw.elements(atLeast: 1) == [true])
    #expect(deaf.currentOutcome?.cancellation == .caller)
    #expect(heard.elements == ["start", "finish cancelled caller"])
  }

  @Test("Synchronous work has ended at once, too, but keeps its place in the queue")
  func synchronous() async {
    queue.maxConcurrentOperationCount = 1
    let operation = BlockingOperation().recorded(by: heard)
    let log = operation.log
    let next = StatefulBlockOperation { log.record("next") }
    queue.add([operation, next])
    await log.elements(atLeast: 1)
    operation.cancel()
    #expect(await operation.outcome.cancellation == .caller)
    #expect(heard.elements == ["start", "finish cancelled caller"])
    #expect(operation.isExecuting && !operation.isFinished)
    operation.letGo()
    _ = await next.outcome
    #expect(operation.isFinished && operation.currentOutcome?.cancellation == .caller)
    #expect(log.elements == ["began", "cancel", "returns", "next"])
    #expect(heard.elements == ["start", "finish cancelled caller"])
  }

  @Test("Cancelled by a handler of the start it does not work, and the rest is not told of it")
  func duringStart() async {
    let heard = heard
    let operation = HandOperation()
    operation
      .onStart { [unowned operation] in
        operation.cancel()
        heard.record("first")
      }
      .onStart { heard.record("second") }
      .onStart(on: .anywhere) { heard.record("third") }
      .recorded(by: heard)
    let finishes = operation.finishes()
    queue.addOperation(operation)
    #expect(await operation.outcome.cancellation == .caller)
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(heard.elements == ["first", "finish cancelled caller"])
    #expect(operation.log.elements == [])
  }

  @Test("A finish that comes while the start is told is told after it")
  func finishedDuringStart() async {
    let heard = heard
    let operation = HandOperation()
    operation
      .onStart { [unowned operation] in
        operation.finish(.failure(Failure.broken))
        heard.record("first")
      }
      .onFinish(on: .anywhere) { heard.record($0.name) }
    queue.addOperation(operation)
    #expect(await operation.outcome.error as? Failure == .broken)
    #expect(heard.elements == ["first", "failure"])
    #expect(operation.log.elements == [])
  }

  @Test("Cancelled after its end it stays what it was")
  func after() async {
    let operation = StatefulBlockOperation { 1 }.recorded(by: heard)
    queue.addOperation(operation)
    _ = await operation.outcome
    operation.cancel()
    #expect(!operation.isCancelled)
    #expect(operation.currentOutcome?.value == 1)
    #expect(heard.elements == ["start", "return", "success 1", "finish success"])
  }

  @Test("All operations of a queue can be cancelled", arguments: [1, 4])
  func all(maxConcurrent: Int) async {
    queue.maxConcurrentOperationCount = maxConcurrent
    let operations = (0..<100).map { _ in HandOperation() }
    let finishes = operations.map { $0.finishes() }
    queue.add(operations)
    await operations[0].log.elements(atLeast: 1)
    queue.cancelAllOperations()
    for operation in operations { #expect(await operation.outcome.cancellation == .caller) }
    for finish in finishes { #expect(await finish.elements(atLeast: 1) == [true]) }
  }

  @Test("Let go of while its work is under way, it tells that it was released")
  func released() async {
    do {
      let operation = HandOperation().recorded(by: heard)
      await onThread { operation.start() }
      #expect(operation.isExecuting)
    }
    #expect(await heard.elements(atLeast: 2) == ["start", "finish cancelled released"])
  }

  @Test("However threads race to end it, it ends once, and is told once")
  func race() async {
    for round in 0..<300 {
      let operation = HandOperation()
      let ends = Recorder<String>()
      let taken = Recorder<Bool>()
      operation.onFinish(on: .anywhere) { ends.record($0.name) }
      let finishes = operation.finishes()
      let threads: [@Sendable () -> Void] = [
        { operation.cancel() },
        { taken.record(operation.finish(.success(round))) },
        { taken.record(operation.finish(.failure(Failure.broken))) },
        { operation.start() },
      ]
      for body in threads { DispatchQueue.global().async(execute: body) }
      let outcome = await operation.outcome
      #expect(await finishes.elements(atLeast: 1) == [true])
      await taken.elements(atLeast: 2)
      #expect(ends.elements == [outcome.name])
      #expect(taken.elements.filter { $0 }.count == (outcome.cancellation == nil ? 1 : 0))
      #expect(operation.isFinished && !operation.isExecuting)
      #expect(finishes.count == 1)
    }
  }
}
