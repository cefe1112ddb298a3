import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

/// What Foundation does on Linux, as the platform notes name it.
@Suite("Operations and the traps of Foundation", .timeLimit(.minutes(20)))
struct OperationPlatformTests {
  private let queue = OperationQueue()

  @Test("A queue without key-value observation hears of the start and of the end")
  func changes() async {
    queue.maxConcurrentOperationCount = 1
    let first = HandOperation()
    let second = HandOperation()
    queue.add([first, second])
    await first.log.elements(atLeast: 1)
    #expect(first.isExecuting && !second.isExecuting)
    #expect(second.log.count == 0)
    first.finish(.success(1))
    await second.log.elements(atLeast: 1)
    #expect(first.isFinished)
    second.finish(.success(2))
    #expect(await second.outcome.value == 2)
  }

  @Test("It is finished already when that is posted")
  func finishedWhenPosted() async {
    let operation = StatefulBlockOperation { 1 }
    let finishes = operation.finishes()
    let seen = Recorder<Bool>()
    let next = BlockOperation { seen.record(operation.isFinished && !operation.isExecuting) }
    next.addDependency(operation)
    queue.add([next, operation])
    #expect(await seen.elements(atLeast: 1) == [true])
    #expect(await finishes.elements(atLeast: 1) == [true])
    await onThread { operation.waitUntilFinished() }
  }

  @Test("Starting it does not finish it when main returns")
  func startReturns() async {
    let operation = HandOperation()
    await onThread { operation.start() }
    #expect(operation.isExecuting && !operation.isFinished)
    operation.finish(.success(1))
    #expect(operation.isFinished)
    #expect(await operation.outcome.value == 1)
  }

  @Test("Cancelled and released before its dependency has finished, it harms nobody")
  func cancelledAndReleased() async {
    for isDependencyOurs in [true, false] {
      let gate = DispatchSemaphore(value: 0)
      let dependency: Operation =
        isDependencyOurs
        ? StatefulBlockOperation { gate.wait() } : BlockOperation { gate.wait() }
      let finishes = dependency.finishes()
      weak var released: HandOperation?
      do {
        let operation = HandOperation()
        released = operation
        operation.addDependency(dependency)
        let ends = operation.finishes()
        queue.add([dependency, operation])
        operation.cancel()
        #expect(await ends.elements(atLeast: 1) == [true])
        #expect(operation.dependencies.isEmpty)
      }
      await drained()
      #expect(released == nil)
      gate.signal()
      #expect(await finishes.elements(atLeast: 1) == [true])
    }
  }

  @Test("Released without having been started, before its dependency has finished, it harms nobody")
  func neverStarted() async {
    let dependency = HandOperation()
    let finishes = dependency.finishes()
    for _ in 0..<100 {
      let operation = HandOperation()
      operation.addDependency(dependency)
      let cancelled = HandOperation()
      cancelled.addDependency(dependency)
      cancelled.cancel()
    }
    queue.addOperation(dependency)
    await dependency.log.elements(atLeast: 1)
    dependency.finish(.success(1))
    #expect(await finishes.elements(atLeast: 1) == [true])
  }

  @Test("It lets go of its dependencies when it has ended, so that a line is not kept by its last")
  func letsGo() async {
    weak var first: StatefulOperation<Int>?
    let last = StatefulBlockOperation { 2 }
    do {
      let dependency = StatefulBlockOperation { 1 }
      first = dependency
      last.addDependency(dependency)
      #expect(last.dependencies == [dependency])
      queue.add([dependency, last])
      _ = await last.outcome
    }
    #expect(last.dependencies == [])
    await drained()
    #expect(first == nil)
  }

  @Test("It is ready when the dependency that it waited for is removed")
  func removed() async {
    let dependency = HandOperation()
    let operation = StatefulBlockOperation { 1 }
    operation.addDependency(dependency)
    queue.addOperation(operation)
    #expect(!operation.isReady)
    operation.removeDependency(dependency)
    #expect(await operation.outcome.value == 1)

    let other = StatefulBlockOperation { 2 }
    other.addDependency(dependency)
    other.removeDependency(dependency)
    #expect(other.isReady)
    queue.addOperation(other)
    #expect(await other.outcome.value == 2)
  }

  @Test("With one dependency removed it still waits for the others, those added later too")
  func removedAmongOthers() async {
    let removed = HandOperation()
    let others = [HandOperation(), HandOperation(), HandOperation()]
    let operation = HandOperation()
    for dependency in [removed, others[0], others[1]] { operation.addDependency(dependency) }
    queue.add([operation] + others)
    for other in others { await other.log.elements(atLeast: 1) }
    operation.removeDependency(removed)
    operation.addDependency(others[2])
    for other in others {
      #expect(!operation.isReady)
      other.finish(.success(1))
      _ = await other.outcome
    }
    await operation.log.elements(atLeast: 1)
    operation.finish(.success(2))
    #expect(await operation.outcome.value == 2)
  }

  @Test("Cancelled or released with one dependency removed, it harms nobody")
  func removedAndCancelled() async {
    let removed = HandOperation()
    let other = HandOperation()
    do {
      let operation = HandOperation()
      let finishes = operation.finishes()
      for dependency in [removed, other] { operation.addDependency(dependency) }
      queue.addOperation(operation)
      operation.removeDependency(removed)
      operation.cancel()
      #expect(await finishes.elements(atLeast: 1) == [true])

      let idle = HandOperation()
      for dependency in [removed, other] { idle.addDependency(dependency) }
      idle.removeDependency(removed)
    }
    await drained()
    let finishes = [removed.finishes(), other.finishes()]
    queue.add([removed, other])
    for operation in [removed, other] {
      await operation.log.elements(atLeast: 1)
      operation.finish(.success(1))
    }
    for finish in finishes { #expect(await finish.elements(atLeast: 1) == [true]) }
  }

  @Test("Cancelled, it comes to its turn also when a finished dependency is removed")
  func removedWhenFinished() async {
    let dependency = StatefulBlockOperation { 1 }
    queue.addOperation(dependency)
    _ = await dependency.outcome
    queue.isSuspended = true
    let operation = HandOperation()
    let finishes = operation.finishes()
    operation.addDependency(dependency)
    queue.addOperation(operation)
    operation.cancel()
    operation.removeDependency(dependency)
    #expect(operation.isReady)
    queue.isSuspended = false
    #expect(await finishes.elements(atLeast: 1) == [true])
  }

  @Test("An operation that waits neither keeps a queue from those behind it nor loses its turn")
  func scheduling() async {
    queue.maxConcurrentOperationCount = 2
    let held = HandOperation()
    let waiting = (0..<50).map { _ in StatefulBlockOperation { 1 } }
    for operation in waiting { operation.addDependency(held) }
    let free = (0..<50).map { _ in StatefulBlockOperation { 2 } }
    var mixed: [Operation] = [held]
    for (one, other) in zip(waiting, free) { mixed += [one, other] }
    queue.add(mixed)
    for operation in free { #expect(await operation.outcome.value == 2) }
    #expect(waiting.allSatisfy { $0.currentOutcome == nil })
    held.finish(.success(1))
    for operation in waiting { #expect(await operation.outcome.value == 1) }
  }

  /// Waits until threads of Foundation's that were still busy with ended operations are done.
  private func drained() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async(flags: .barrier) { continuation.resume() }
    }
  }
}
