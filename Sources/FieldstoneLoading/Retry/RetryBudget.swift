import FieldstoneCore

/// What one call has left of its policy: the pure part of retrying.
package struct RetryBudget {
  private let policy: RetryPolicy
  private var generator: any RandomNumberGenerator

  /// The number of the attempt under way; the first is 1.
  package private(set) var attempt = 1

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
    // Doubled by hand: a shift by the number of attempts would overflow.
    var ceiling = max(.zero, policy.baseDelay)
    let cap = max(.zero, policy.maximumDelay)
    if case .fixed = policy.backoff { return min(ceiling, cap) }
    var doublings = attempt - 1
    while doublings > 0, ceiling > .zero, ceiling < cap {
      ceiling = ceiling > cap / 2 ? cap : ceiling * 2
      doublings -= 1
    }
    return min(ceiling, cap) * Double.random(in: 0...1, using: &generator)
  }
}
