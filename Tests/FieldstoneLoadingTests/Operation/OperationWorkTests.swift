import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("The work of operations", .timeLimit(.minutes(20)))
struct OperationWorkTests {
  private let queue = OperationQueue()

  @Test("One overridden method gives the output", arguments: Style.allCases)
  func success(style: Style) async throws {
    let began = Recorder<String>()
    let operation = style.operation(.success(7), began)
    #expect(operation.currentOutcome == nil)
    #expect(!operation.isFinished && !operation.isExecuting)
    queue.addOperation(operation)
    #expect(await operation.outcome.value == 7)
    #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
    #expect(operation.currentOutcome?.value == 7)
    #expect(try await operation.value == 7)
    #expect(began.elements == ["work"])
  }

  @Test("One overridden method gives the error", arguments: Style.allCases)
  func failure(style: Style) async {
    let operation = style.operation(Result<Int, Failure>.failure(.broken))
    queue.addOperation(operation)
    #expect(await operation.outcome.error as? Failure == .broken)
    #expect(operation.isFinished && !operation.isCancelled)
    await #expect(throws: Failure.broken) { try await operation.value }
  }

  @Test("The work leaves the main actor, added and awaited there", arguments: Style.allCases)
  @MainActor func offMain(style: Style) async {
    let began = Recorder<String>()
    let operation = style.operation(.success(7), began)
    queue.addOperation(operation)
    #expect(await operation.outcome.value == 7)
    #expect(began.elements == ["work"])
  }

  @Test("Asynchronous work leaves the main actor also when it is started there by hand")
  @MainActor func startedOnMain() async {
    let began = Recorder<String>()
    let operation = AsynchronousOperation(.success(7), began)
    operation.start()
    #expect(await operation.outcome.value == 7)
    #expect(began.elements == ["work"])
  }

  @Test("It executes until finish is called, and hears the first answer only")
  func callback() async {
    let operation = HandOperation()
    let finishes = operation.finishes()
    queue.addOperation(operation)
    await operation.log.elements(atLeast: 1)
    #expect(operation.isExecuting && !operation.isFinished && operation.isAsynchronous)
    #expect(operation.finish(.success(1)))
    #expect(!operation.finish(.success(2)))
    #expect(!operation.finish(.failure(Failure.broken)))
    #expect(await operation.outcome.value == 1)
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(operation.log.elements == ["main"])
  }

  @Test("It may be finished within main, and before it was started")
  func early() async {
    final class Immediate: StatefulOperation<Void>, @unchecked Sendable {
      override func main() { finish() }
    }
    let immediate = Immediate()
    queue.addOperation(immediate)
    #expect(await immediate.outcome.value != nil)

    let heard = Recorder<String>()
    let early = HandOperation().recorded(by: heard)
    let finishes = early.finishes()
    #expect(early.finish(.success(3)))
    #expect(!early.isFinished)
    queue.addOperation(early)
    #expect(await early.outcome.value == 3)
    #expect(await finishes.elements(atLeast: 1) == [true])
    #expect(early.log.elements == [])
    #expect(heard.elements == ["success 3", "finish success"])
  }

  @Test("A class that overrides nothing fails and says what to do")
  func nothing() async {
    final class Empty: StatefulOperation<Int>, @unchecked Sendable {}
    let operation = Empty()
    queue.addOperation(operation)
    let error = await operation.outcome.error
    guard case StatefulOperationError.nothingToRun(let name)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name == "Empty")
    #expect(error?.localizedDescription.contains("override run()") == true)
  }

  @Test(
    "Work that throws a cancellation is cancelled and has not failed", arguments: [true, false])
  func throwsCancellation(isSynchronous: Bool) async {
    let heard = Recorder<String>()
    let operation =
      isSynchronous
      ? StatefulBlockOperation { () throws -> Int in throw CallCancelled(.superseded) }
      : StatefulBlockOperation { () async throws -> Int in throw CallCancelled(.superseded) }
    queue.addOperation(operation.recorded(by: heard))
    #expect(await operation.outcome.cancellation == .superseded)
    #expect(operation.isCancelled)
    #expect(heard.elements == ["start", "finish cancelled superseded"])
  }

  @Test("Started again, or from several threads, it works once")
  func startedAgain() async {
    for _ in 0..<50 {
      let began = Recorder<String>()
      let operation = SynchronousOperation(.success(1), began)
      let returned = Recorder<Void>()
      for _ in 0..<4 {
        Thread.detachNewThread {
          operation.start()
          returned.record(())
        }
      }
      await returned.elements(atLeast: 4)
      #expect(await operation.outcome.value == 1)
      operation.start()
      #expect(began.count == 1)
    }
  }

  @Test("Who waits for the value leaves when his task is cancelled; the operation goes on")
  func leaving() async {
    let operation = HandOperation()
    queue.addOperation(operation)
    await operation.log.elements(atLeast: 1)
    let waiting = Task { try await operation.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(operation.currentOutcome == nil)
    let patient = Task { await operation.outcome }
    patient.cancel()
    operation.finish(.success(5))
    #expect(await patient.value.value == 5)
  }

  @Test("Cancelled, its value throws the reason")
  func cancelledValue() async {
    let operation = HandOperation()
    operation.cancel()
    await #expect(throws: CallCancelled(.caller)) { try await operation.value }
  }

  @Test("Outputs that are nothing, optional, or of no one type come back as they were")
  func outputs() async throws {
    func output<Output: Sendable>(_ output: Output) async throws -> Output {
      let operation = StatefulBlockOperation { output }
      let heard = Recorder<Output>()
      operation.onSuccess { heard.record($0) }
      queue.addOperation(operation)
      let value = try await operation.value
      #expect(heard.count == 1 && operation.currentOutcome?.value != nil)
      return value
    }
    #expect(try await output(Int?.none) == nil)
    #expect(try await output(Int?.some(1)) == 1)
    #expect(try await output(Int??.some(nil)) == .some(nil))
    #expect(try await output(Int??.none) == .none)
    #expect(try await output(Failure.broken as any Error) as? Failure == .broken)
    #expect(try await output(7 as any Sendable) as? Int == 7)
    #expect(try await output([1, 2, 3]) == [1, 2, 3])
    try await output(())
  }

  @Test("A closure is an operation, synchronous or asynchronous")
  func closures() async throws {
    let synchronous = StatefulBlockOperation { 1 }
    let gate = Gate()
    let asynchronous = StatefulBlockOperation {
      await gate.wait()
      return 2
    }
    queue.add([synchronous, asynchronous])
    #expect(try await synchronous.value == 1)
    gate.open()
    #expect(try await asynchronous.value == 2)
  }

  @Test("A provider is an operation, with its reports and its cancellation")
  func provider() async throws {
    let provider = ManualProvider<Int, String>()
    let heard = Recorder<String>()
    let operation = ProviderOperation(provider, 7, reporting: .recording(heard))
    queue.addOperation(operation)
    let load = await provider.load(at: 0)
    #expect(load.parameters == 7)
    load.events.early("early")
    load.succeed("late")
    #expect(try await operation.value == "late")
    load.events.early("later")
    #expect(heard.elements == ["early"])

    let cancelled = ProviderOperation(provider, 8)
    queue.addOperation(cancelled)
    let second = await provider.load(at: 1)
    cancelled.cancel()
    await second.cancelled()
    #expect(await cancelled.outcome.cancellation == .caller)
  }
}
