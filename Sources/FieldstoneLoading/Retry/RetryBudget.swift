import FieldstoneCore

/// What one call has left of its policy: the pure part of retrying.
package struct RetryBudget {
  private let policy: RetryPolicy
  private var generator: any RandomNumberGenerator

  /// The number of the attempt under way; the first is 1.
  private(set) var attempt = 1

  package init(_ policy: RetryPolicy) {
    self.policy = policy
    generator = policy.makeGenerator()
  }

  /// Spends an attempt on an error; nil when there is none left for it.
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
