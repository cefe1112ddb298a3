import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

/// Chance that always takes the most.
private struct Highest: RandomNumberGenerator {
  mutating func next() -> UInt64 { .max }
}

@Suite("What a call has left of its retry policy")
struct RetryBudgetTests {
  private func delays(_ policy: RetryPolicy, after error: any Error = Failure.broken) -> [Duration]
  {
    var budget = RetryBudget(policy)
    var delays: [Duration] = []
    while delays.count < 200, let retry = budget.next(after: error) { delays.append(retry.delay) }
    return delays
  }

  @Test(
    "An attempt is made as often as the policy says, at least once",
    arguments: [(-1, 0), (0, 0), (1, 0), (2, 1), (5, 4)])
  func count(maximum: Int, retries: Int) {
    #expect(delays(RetryPolicy(maximumAttempts: maximum)).count == retries)
  }

  @Test("The longest wait doubles with each attempt, up to the cap")
  func doubles() {
    let policy = RetryPolicy(
      maximumAttempts: 7, baseDelay: .milliseconds(100), maximumDelay: .seconds(1),
      makeGenerator: { Highest() })
    #expect(
      delays(policy) == [100, 200, 400, 800, 1000, 1000].map { Duration.milliseconds($0) })
  }

  @Test("A fixed wait is the same each time, up to the cap, and never below zero")
  func fixed() {
    var policy = RetryPolicy(maximumAttempts: 4, baseDelay: .seconds(2), backoff: .fixed)
    #expect(delays(policy) == Array(repeating: .seconds(2), count: 3))
    policy.maximumDelay = .seconds(1)
    #expect(delays(policy) == Array(repeating: .seconds(1), count: 3))
    policy.baseDelay = .seconds(-1)
    #expect(delays(policy) == Array(repeating: .zero, count: 3))
    let asked = Advised(retryAfter: .seconds(9))
    #expect(delays(policy, after: asked) == Array(repeating: .seconds(9), count: 3))
  }

  @Test("Waits are spread over the whole range, and a seed repeats them")
  func jitter() {
    let policy = RetryPolicy(
      maximumAttempts: 200, baseDelay: .seconds(1), maximumDelay: .seconds(1),
      makeGenerator: { SeededGenerator(seed: 7) })
    let waits = delays(policy)
    #expect(waits == delays(policy))
    #expect(waits.allSatisfy { $0 >= .zero && $0 <= .seconds(1) })
    for quarter in 0..<4 {
      let low = Duration.milliseconds(250 * quarter)
      let count = waits.count { $0 >= low && $0 < low + .milliseconds(250) }
      #expect((30...70).contains(count), "quarter \(quarter) has \(count) of 199")
    }
  }

  @Test("A wait that is too long to be doubled, or negative, does no harm")
  func extremes() {
    let longest = Duration.seconds(Int64.max)
    let endless = RetryPolicy(
      maximumAttempts: 100, baseDelay: longest, maximumDelay: longest,
      makeGenerator: { Highest() })
    #expect(delays(endless).count == 99)
    let negative = RetryPolicy(
      maximumAttempts: 4, baseDelay: .seconds(-1), maximumDelay: .seconds(-9))
    #expect(delays(negative) == [.zero, .zero, .zero])
  }

  @Test("An error that says when to come back is believed, beyond the cap too")
  func retryAfter() {
    let policy = RetryPolicy(
      maximumAttempts: 2, baseDelay: .seconds(1), maximumDelay: .seconds(1),
      maximumRetryAfter: .seconds(60), makeGenerator: { Highest() })
    #expect(delays(policy, after: Advised(retryAfter: .seconds(60))) == [.seconds(60)])
    #expect(delays(policy, after: Advised(retryAfter: .milliseconds(1))) == [.seconds(1)])
    #expect(delays(policy, after: Advised(retryAfter: .seconds(-5))) == [.seconds(1)])
  }

  @Test("One that asks for more than the policy grants ends the attempts")
  func retryAfterTooLong() {
    let policy = RetryPolicy(maximumRetryAfter: .seconds(60))
    #expect(delays(policy, after: Advised(retryAfter: .seconds(61))).isEmpty)
  }

  @Test("The predicate decides, but not on cancellations")
  func predicate() {
    let never = RetryPolicy(shouldRetry: { _ in false })
    #expect(delays(never).isEmpty)
    let always = RetryPolicy(maximumAttempts: 3, shouldRetry: { _ in true })
    #expect(delays(always, after: Advised(isWorthRetrying: false)).count == 2)
    #expect(delays(always, after: CancellationError()).isEmpty)
    #expect(delays(always, after: CallCancelled(.superseded)).isEmpty)
  }

  @Test(
    "Unless told otherwise it retries what may pass",
    arguments: [
      (Failure.broken as any Error, true),
      (Advised(isWorthRetrying: true), true),
      (Advised(isWorthRetrying: false), false),
      (CancellationError(), false),
      (CallCancelled(.busy), false),
      (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), false),
      (URLError(.timedOut), true),
      (URLError(.networkConnectionLost), true),
      (URLError(.cancelled), false),
      (URLError(.badURL), false),
    ])
  func standard(error: any Error, isWorth: Bool) {
    #expect(RetryPolicy.isWorthRetrying(error) == isWorth)
  }
}
