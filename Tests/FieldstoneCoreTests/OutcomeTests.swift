import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("Outcomes")
struct OutcomeTests {
  struct Trouble: Error, Equatable {}

  /// How work of either kind can be run for its outcome.
  enum Form: CaseIterable {
    case running, catching, result

    func outcome(of work: @Sendable () throws -> Int) async -> Outcome<Int> {
      switch self {
      case .running: await Outcome(running: work)
      case .catching: Outcome(catching: work)
      case .result: Outcome(Result(catching: work))
      }
    }
  }

  @Test("An error is sorted into a failure or a cancellation", arguments: Form.allCases)
  func sorting(form: Form) async {
    #expect(await form.outcome { throw Trouble() }.error as? Trouble == Trouble())
    #expect(await form.outcome { throw CancellationError() }.cancellation == .caller)
    for reason in CancellationReason.allCases {
      #expect(await form.outcome { throw CallCancelled(reason) }.cancellation == reason)
    }
    #expect(await form.outcome { 4 }.value == 4)
  }

  @Test(
    "In a cancelled task every error is its cancellation", arguments: [Form.running, .catching])
  func sortingInACancelledTask(form: Form) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [
        await form.outcome { throw Trouble() }, await form.outcome { throw CancellationError() },
        await form.outcome { throw CallCancelled(.superseded) }, await form.outcome { 4 },
      ]
    }
    let outcomes = await task.value
    #expect(outcomes.prefix(3).map(\.cancellation) == [.caller, .caller, .superseded])
    #expect(outcomes[3].value == 4)
  }

  @Test("A result of work elsewhere has nothing to do with the current task")
  func resultInACancelledTask() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Form.result.outcome { throw Trouble() }
    }
    #expect(await task.value.error is Trouble)
  }

  @Test("Work runs on the actor of its caller")
  @MainActor func runsOnTheCallersActor() async {
    var count = 0
    let outcome = await Outcome(running: {
      await Task.yield()
      MainActor.assertIsolated()
      count += 1
      return count
    })
    #expect(outcome.value == 1 && count == 1)
  }

  @Test("A cancellation is no failure and a failure is no cancellation")
  func onlyOne() {
    let all: [Outcome<Int>] = [.success(1), .failure(Trouble()), .cancelled(.busy)]
    #expect(all.map { $0.value != nil } == [true, false, false])
    #expect(all.map { $0.error != nil } == [false, true, false])
    #expect(all.map { $0.cancellation != nil } == [false, false, true])
  }

  @Test("Getting the value throws the error, or why it was cancelled")
  func getting() throws {
    #expect(try Outcome.success(3).get() == 3)
    #expect(throws: Trouble.self) { try Outcome<Int>.failure(Trouble()).get() }
    #expect(throws: CallCancelled(.superseded)) { try Outcome<Int>.cancelled(.superseded).get() }
  }

  @Test("In a cancelled task a cancellation is a CancellationError")
  func gettingInACancelledTask() async {
    let gate = Gate()
    let task = Task {
      await gate.wait()
      return try Outcome<Int>.cancelled(.caller).get()
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Mapping changes a value only, and sorts what it throws")
  func mapping() throws {
    #expect(Outcome.success(2).map { $0 * 2 }.value == 4)
    #expect(Outcome<Int>.failure(Trouble()).map { $0 * 2 }.error is Trouble)
    #expect(Outcome<Int>.cancelled(.busy).map { $0 * 2 }.cancellation == .busy)
    #expect(
      Outcome.success(2).map { _ -> Int in throw CancellationError() }.cancellation == .caller)
  }

  @Test("Every reason has a message")
  func messages() {
    let messages = Set(CancellationReason.allCases.map { CallCancelled($0).message })
    #expect(messages.count == CancellationReason.allCases.count)
    #expect(CallCancelled(.busy).errorDescription == CallCancelled(.busy).message)
  }
}

@Suite("Outcome promises")
struct OutcomePromiseTests {
  @Test("The first end counts, and all who wait hear it")
  func endsOnce() async throws {
    let promise = OutcomePromise<Int>()
    let waiters = (0..<3).map { _ in Task { try await promise.value } }
    #expect(promise.current == nil)
    #expect(promise.end(with: .success(1)))
    #expect(!promise.end(with: .success(2)))
    for waiter in waiters { #expect(try await waiter.value == 1) }
    #expect(await promise.outcome.value == 1)
    #expect(promise.current?.value == 1)
  }

  @Test(
    "A waiter that is cancelled before or while it waits leaves; others stay",
    arguments: [true, false])
  func waiterLeaves(early: Bool) async throws {
    let promise = OutcomePromise<Int>()
    let gate = Gate()
    let leaving = Task {
      if early { await gate.wait() }
      return try await promise.value
    }
    let staying = Task { try await promise.value }
    leaving.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    promise.end(with: .success(5))
    #expect(try await staying.value == 5)
  }

  @Test("Whenever a waiter is cancelled or the promise ends, no waiter is forgotten")
  func waitersLeaveAtAnyTime() async throws {
    for round in 0..<200 {
      let promise = OutcomePromise<Int>()
      let waiters = (0..<4).map { _ in Task { try await promise.value } }
      for _ in 0..<round % 8 { await Task.yield() }
      waiters[1].cancel()
      await #expect(throws: CancellationError.self) { try await waiters[1].value }
      promise.end(with: .success(round))
      for index in [0, 2, 3] { #expect(try await waiters[index].value == round) }
    }
  }

  @Test("Ended from many tasks at once, one of them ends it")
  func contended() async {
    for _ in 0..<200 {
      let promise = OutcomePromise<Int>()
      let winners = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<8 { group.addTask { promise.end(with: .success(number)) } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }
}
