import FieldstoneLoading

/// What providers of these tests fail with.
enum Failure: Error, Equatable {
  case broken
  case other(Int)
}

/// An error with advice for a retry.
struct Advised: RetryAdvisingError, Equatable {
  var isWorthRetrying = true
  var retryAfter: Duration?
}
