import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

/// The base of an app's operations: it shows their errors.
private class ShowingOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  let shown: Recorder<String>

  init(_ shown: Recorder<String>) {
    self.shown = shown
    super.init()
  }

  override var defaultErrorHandler: (@MainActor (any Error) -> Void)? {
    let shown = shown
    return { shown.record("default \($0) \(MainDispatch.isOnMain)") }
  }
}

private final class FailingNow: ShowingOperation<Int>, @unchecked Sendable {
  override func run() throws -> Int { throw Failure.broken }
}

private final class FailingLater: ShowingOperation<String>, @unchecked Sendable {
  override func run() async throws -> String { throw Failure.other(1) }
}

private final class Succeeding: ShowingOperation<Int>, @unchecked Sendable {
  override func run() throws -> Int { 1 }
}

private final class Quiet: ShowingOperation<Int>, @unchecked Sendable {
  override var defaultErrorHandler: (@MainActor (any Error) -> Void)? { nil }
  override func run() throws -> Int { throw Failure.broken }
}

private final class Waiting: ShowingOperation<Int>, @unchecked Sendable {
  override func main() {}
}

@Suite("A base class with an error handler", .timeLimit(.minutes(20)))
struct OperationErrorTests {
  private let queue = OperationQueue()
  private let shown = Recorder<String>()

  @Test("It serves every operation under it, on the main actor, before their own handlers")
  func serves() async {
    let shown = shown
    let failing = FailingNow(shown).onFail { shown.record("own \($0)") }
      .onReturn { shown.record("return") }
    queue.addOperation(failing)
    _ = await failing.outcome
    #expect(shown.removeAll() == ["return", "default broken true", "own broken"])

    let later = FailingLater(shown)
    queue.addOperation(later)
    _ = await later.outcome
    #expect(shown.removeAll() == ["default other(1) true"])
  }

  @Test("It hears nothing of successes and cancellations, and a class can leave itself out")
  func silent() async {
    let succeeding = Succeeding(shown)
    let quiet = Quiet(shown)
    let cancelled = Waiting(shown)
    cancelled.cancel()
    queue.add([succeeding, quiet, cancelled])
    #expect(await succeeding.outcome.name == "success")
    #expect(await quiet.outcome.name == "failure")
    #expect(await cancelled.outcome.name == "cancelled caller")
    #expect(shown.elements == [])
  }

  @Test("The handlers of a base class can also be given where it is made")
  func inInitialiser() async {
    class Base<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
      init(_ shown: Recorder<String>) {
        super.init()
        onFail { shown.record("base \($0)") }
      }
    }
    final class Derived: Base<Int>, @unchecked Sendable {
      override func run() throws -> Int { throw Failure.broken }
    }
    let operation = Derived(shown)
    queue.addOperation(operation)
    _ = await operation.outcome
    #expect(shown.elements == ["base broken"])
  }
}
