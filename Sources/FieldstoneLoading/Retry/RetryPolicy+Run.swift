package import FieldstoneCore

extension RetryPolicy {
  /// Runs an operation until it succeeds, is cancelled, or the budget of this call is spent.
  ///
  /// - Parameters:
  ///   - time: what the waits go by.
  ///   - onRetry: told of each further attempt, before the wait.
  ///   - operation: makes an attempt, given its number; the first is 1.
  /// - Throws: the error of the last attempt; `CancellationError` when the task is cancelled, also
  ///   when the attempt under way failed otherwise because of that.
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
        // Not every time source heeds a cancellation that comes as it wakes.
        try Task.checkCancellation()
      }
    }
  }
}
