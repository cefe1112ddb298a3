package import FieldstoneCore

/// The remaining attempts of one call; the pure part of retrying.
///
/// It is not a state machine itself: the call's state machine uses it when an attempt has failed.
package struct RetryBudget {
  private let policy: RetryPolicy
  private var generator: any RandomNumberGenerator

  /// The number of the attempt under way; the first is 1.
  private(set) var attempt = 1

  package init(_ policy: RetryPolicy) {
    self.policy = policy
    generator = policy.makeGenerator()
  }

  /// Spends an attempt on an error; nil if none is left, or the error is not retried.
  package mutating func next(after error: any Error) -> UpcomingRetry? {
    guard attempt < policy.maximumAttempts else { return nil }
    if CancellationReason(thrown: error) != nil { return nil }
    let asked = (error as? any RetryAdvisingError)?.retryAfter ?? .zero
    guard asked <= policy.maximumRetryAfter, policy.shouldRetry(error) else { return nil }
    let delay = max(asked, backoff())
    attempt += 1
    return UpcomingRetry(attempt: attempt, error: error, delay: delay)
  }

  private mutating func backoff() -> Duration {
    let isFixed = policy.backoff == .fixed
    let ceiling = DoublingDelay.wait(
      after: isFixed ? 1 : attempt, first: policy.baseDelay, longest: policy.maximumDelay)
    return isFixed ? ceiling : ceiling * Double.random(in: 0...1, using: &generator)
  }
}

/// The next attempt, before it is made.
public struct UpcomingRetry: Sendable {
  /// The number of the next attempt; the first retry is attempt 2.
  public let attempt: Int

  /// The error of the previous attempt.
  public let error: any Error

  /// The delay before it, counted from now.
  public let delay: Duration

  /// Describes the next attempt.
  package init(attempt: Int, error: any Error, delay: Duration) {
    self.attempt = attempt
    self.error = error
    self.delay = delay
  }
}

extension RetryPolicy {
  /// Runs an operation until it succeeds, is cancelled, or the budget of this call is spent.
  ///
  /// - Parameters:
  ///   - time: the clock for the delays.
  ///   - onRetry: called for each further attempt, before its delay.
  ///   - operation: makes an attempt with its number; the first is 1.
  /// - Throws: the error of the last attempt; `CancellationError` if the task is cancelled, even if
  ///   the attempt then failed with another error.
  package func run<Output>(
    time: TimeSource,
    onRetry: ((UpcomingRetry) -> Void)? = nil,
    operation: (Int) async throws -> Output
  ) async throws -> Output {
    var budget = RetryBudget(self)
    while true {
      do {
        return try await operation(budget.attempt)
      } catch {
        guard let retry = budget.next(after: error) else {
          throw CancellationError.inPlace(of: error)
        }
        onRetry?(retry)
        try await time.sleep(for: retry.delay)
        // A time source may miss a cancellation that arrives as it wakes.
        try Task.checkCancellation()
      }
    }
  }
}
