import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Running an operation under a retry policy")
struct RetryRunTests {
  private let time = ManualTime()
  private let attempts = Recorder<Int>()
  private let told = Recorder<String>()

  private func run(
    _ policy: RetryPolicy, failing failures: Int, with error: any Error = Failure.broken
  ) async throws -> String {
    try await policy.run(
      time: time.source,
      onRetry: { told.record("\($0.attempt) after \($0.error) in \($0.delay)") },
      operation: { number in
        attempts.record(number)
        if number <= failures { throw error }
        return "value \(number)"
      })
  }

  @Test("What succeeds at once is not repeated")
  func first() async throws {
    #expect(try await run(RetryPolicy(), failing: 0) == "value 1")
    #expect(attempts.elements == [1])
    #expect(told.count == 0)
  }

  @Test("It waits before each further attempt, and says so first")
  func waits() async throws {
    let policy = RetryPolicy(maximumAttempts: 3, shouldRetry: { _ in true })
    let error = Advised(retryAfter: .seconds(40))
    let call = Task { try await run(policy, failing: 2, with: error) }
    await time.sleepers(atLeast: 1)
    #expect(attempts.elements == [1])
    #expect(told.elements == ["2 after \(error) in 40.0 seconds"])
    time.advance(by: .seconds(39))
    #expect(attempts.elements == [1])
    time.advance(by: .seconds(1))
    await attempts.elements(atLeast: 2)
    await time.sleepers(atLeast: 1)
    #expect(told.elements.last == "3 after \(error) in 40.0 seconds")
    time.advance(by: .seconds(40))
    #expect(try await call.value == "value 3")
    #expect(attempts.elements == [1, 2, 3])
  }

  @Test("With the budget spent it throws the last error")
  func spent() async {
    let policy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    await #expect(throws: Failure.broken) { try await run(policy, failing: 9) }
    #expect(attempts.elements == [1, 2, 3])
  }

  @Test("Each call has a budget of its own")
  func freshBudget() async throws {
    let policy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    #expect(try await run(policy, failing: 2) == "value 3")
    #expect(try await run(policy, failing: 2) == "value 3")
    #expect(attempts.elements == [1, 2, 3, 1, 2, 3])
  }

  @Test("Cancelled during the wait there is no further attempt")
  func cancelledWhileWaiting() async {
    let policy = RetryPolicy(maximumAttempts: 5)
    let call = Task { try await run(policy, failing: 9, with: Advised(retryAfter: .seconds(9))) }
    await time.sleepers(atLeast: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(attempts.elements == [1])
  }

  @Test("Nor is there one when a time source does not heed the cancellation")
  func uncooperativeTime() async {
    let gate = Gate()
    let heedless = TimeSource(
      now: { time.now }, uptime: { .zero },
      sleepUntilUptime: { _ in await gate.wait() }, sleepUntilDate: { _ in })
    let call = Task {
      try await RetryPolicy(maximumAttempts: 5).run(time: heedless) { number in
        attempts.record(number)
        throw Failure.broken
      }
    }
    await gate.arrivals(atLeast: 1)
    call.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(attempts.elements == [1])
  }

  @Test(
    "Cancelled during an attempt it is cancelled, whatever the attempt failed with, also the last",
    arguments: [1, 5])
  func cancelledWhileTrying(maximum: Int) async {
    let gate = Gate()
    let call = Task {
      try await RetryPolicy(maximumAttempts: maximum).run(
        time: time.source, onRetry: { told.record("\($0)") }
      ) { number in
        attempts.record(number)
        await gate.wait()
        throw Failure.broken
      }
    }
    await gate.arrivals(atLeast: 1)
    call.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(attempts.elements == [1])
    #expect(told.count == 0)
    #expect(time.sleeperCount == 0)
  }

  @Test("What throws a cancellation by itself is not repeated")
  func cancellationThrown() async {
    let policy = RetryPolicy(maximumAttempts: 5, shouldRetry: { _ in true })
    await #expect(throws: CallCancelled(.superseded)) {
      try await run(policy, failing: 9, with: CallCancelled(.superseded))
    }
    #expect(attempts.elements == [1])
  }
}
