import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Operations that depend on others", .timeLimit(.minutes(20)))
struct OperationDependencyTests {
  private let queue = OperationQueue()
  private let heard = Recorder<String>()

  @Test("A failed dependency stops nothing unless told so")
  func failedDependency() async {
    let first = StatefulBlockOperation { () throws -> Int in throw Failure.broken }
    let indifferent = StatefulBlockOperation { 1 }
    let second = StatefulBlockOperation { 2 }.recorded(by: heard)
    let third = StatefulBlockOperation { 3 }
    second.stopsWhenDependencyFails = true
    third.stopsWhenDependencyFails = true
    #expect(third.stopsWhenDependencyFails && !indifferent.stopsWhenDependencyFails)
    indifferent.addDependency(first)
    second.addDependency(first)
    third.addDependency(second)
    queue.add([first, indifferent, second, third])
    #expect(await indifferent.outcome.value == 1)
    for stopped in [second, third] {
      let error = await stopped.outcome.error
      guard case StatefulOperationError.dependencyFailed(let cause)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(cause as? Failure == .broken)
      #expect((error as? any DescribedError)?.underlyingErrors.first as? Failure == .broken)
      #expect(stopped.isFinished)
    }
    #expect(heard.count == 2)
    #expect(heard.elements.first?.hasPrefix("fail The operation did not run") == true)
    #expect(heard.elements.last == "finish failure")
  }

  @Test("A cancelled dependency cancels what stops with it, whatever its class")
  func cancelledDependency() async {
    let ours = StatefulBlockOperation { () throws -> Int in throw CallCancelled(.superseded) }
    let foreign = BlockOperation {}
    foreign.cancel()
    let afterOurs = StatefulBlockOperation { 1 }.recorded(by: heard)
    afterOurs.addDependency(ours)
    let afterForeign = StatefulBlockOperation { 2 }
    afterForeign.addDependency(foreign)
    for operation in [afterOurs, afterForeign] { operation.stopsWhenDependencyFails = true }
    queue.add([ours, foreign, afterOurs, afterForeign])
    #expect(await afterOurs.outcome.cancellation == .superseded)
    #expect(await afterForeign.outcome.cancellation == .caller)
    #expect(heard.elements == ["finish cancelled superseded"])
  }

  @Test("Dependencies that succeed, or of which nothing is known, stop nothing")
  func goodDependencies() async {
    let ours = StatefulBlockOperation { 1 }
    let foreign = BlockOperation {}
    let last = StatefulBlockOperation { 2 }.recorded(by: heard)
    last.stopsWhenDependencyFails = true
    last.addDependency(ours)
    last.addDependency(foreign)
    queue.add([last, ours, foreign])
    #expect(await last.outcome.value == 2)
    #expect(heard.elements == ["start", "return", "success 2", "finish success"])
  }

  @Test("One that would depend on itself does not")
  func itself() async {
    let operation = StatefulBlockOperation { 1 }
    operation.addDependency(operation)
    queue.addOperation(operation)
    #expect(await operation.outcome.value == 1)
  }

  @Test("2,000 in a line finish in order, whichever way they were added", arguments: [false, true])
  func line(isReversed: Bool) async {
    let began = Recorder<Int>()
    var operations: [StatefulOperation<Int>] = []
    for number in 0..<2_000 {
      let operation = Style.allCases[number % 3].operation(.success(number))
      operation.onStart(on: .anywhere) { began.record(number) }
      if let last = operations.last { operation.addDependency(last) }
      operations.append(operation)
    }
    queue.add(isReversed ? operations.reversed() : operations)
    #expect(await operations[1_999].outcome.value == 1_999)
    #expect(began.elements == Array(0..<2_000))
    #expect(operations.allSatisfy { $0.isFinished })
  }

  @Test("100,000 that do not depend on each other finish")
  func many() async {
    let began = Recorder<String>()
    let operations = (0..<100_000).map { number in
      Style.allCases[number % 3].operation(.success(1), began)
    }
    queue.add(operations)
    var sum = 0
    for operation in operations { sum += await operation.outcome.value ?? 0 }
    #expect(sum == 100_000)
    #expect(began.count == 100_000)
  }
}
