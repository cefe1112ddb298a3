public import FieldstoneCore

/// Loads many inputs, at most a number of them at once, and fails with the first failure.
///
/// The output is in the order of the parameters. The first failure cancels the other loads without
/// waiting for them; so does cancelling the load. The progress is the fraction of loads that have
/// ended. Early values of single loads are dropped. An empty list of parameters gives an empty
/// output.
struct BatchProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let maxConcurrent: Int

  init(_ base: Base, maxConcurrent: Int) {
    self.base = base
    self.maxConcurrent = maxConcurrent
  }

  /// Loads an output for each of the parameters.
  ///
  /// - Throws: the first error of a load; `CancellationError` if the task was cancelled.
  @concurrent
  func load(
    _ parameters: [Base.Parameters], reporting events: LoadEvents<[Base.Output]>
  ) async throws -> [Base.Output] {
    let run = BatchRun(base, parameters, bound: maxConcurrent, failsFast: true) {
      events.progress($0)
    }
    return try await run.outcomes().map { try $0.get() }
  }
}

extension DataProvider {
  /// Loads many inputs at once; the first failure fails the batch.
  ///
  /// ```swift
  /// let airports = Integrator(provider: AirportProvider().batched(maxConcurrent: 3))
  /// let three = try await airports(["BER", "LHR", "CDG"])
  /// ```
  ///
  /// - Parameter maxConcurrent: the number of concurrent loads; less than one counts as one.
  package func batched(maxConcurrent: Int = 4) -> some DataProvider<[Parameters], [Output]> {
    BatchProvider(self, maxConcurrent: maxConcurrent)
  }
}

/// Loads many inputs, at most a number of them at once, and collects every outcome.
///
/// The output is in the order of the parameters; a failure does not affect the other loads.
/// Cancelling the load cancels all of them without waiting. The progress is the fraction of loads
/// that have ended. Early values of single loads are dropped.
struct CollectingBatchProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let maxConcurrent: Int

  init(_ base: Base, maxConcurrent: Int) {
    self.base = base
    self.maxConcurrent = maxConcurrent
  }

  /// Loads each of the parameters, and returns every outcome.
  ///
  /// - Throws: `CancellationError` if the task was cancelled, and no other error.
  @concurrent
  func load(
    _ parameters: [Base.Parameters], reporting events: LoadEvents<[Outcome<Base.Output>]>
  ) async throws -> [Outcome<Base.Output>] {
    let run = BatchRun(base, parameters, bound: maxConcurrent, failsFast: false) {
      events.progress($0)
    }
    return try await run.outcomes()
  }
}

extension DataProvider {
  /// Loads many inputs at once, and collects values, errors and cancellations.
  ///
  /// - Parameter maxConcurrent: the number of concurrent loads; less than one counts as one.
  package func batchedCollecting(maxConcurrent: Int = 4) -> some DataProvider<
    [Parameters], [Outcome<Output>]
  > {
    CollectingBatchProvider(self, maxConcurrent: maxConcurrent)
  }
}

extension Integrator {
  /// Makes many calls, at most a number of them at once, and fails with the first failure.
  ///
  /// The values are in the order of the parameters. The first failure cancels the other calls of
  /// the batch; so does cancelling the task. The integrator's policy applies to each call, so use
  /// `.concurrent`.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of each call.
  ///   - maxConcurrent: the number of concurrent calls; less than one counts as one.
  /// - Throws: the first failure; `CancellationError` if the task was cancelled;
  ///   ``/FieldstoneCore/CallCancelled`` if one of the calls was cancelled otherwise.
  public func batch(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Value] {
    try await asProvider().batched(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }

  /// Makes many calls, at most a number of them at once, and collects every outcome.
  ///
  /// The outcomes are in the order of the parameters; a failure does not affect the other calls.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of each call.
  ///   - maxConcurrent: the number of concurrent calls; less than one counts as one.
  /// - Throws: `CancellationError` if the task was cancelled, and no other error.
  public func batchCollecting(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Outcome<Value>] {
    try await asProvider().batchedCollecting(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }
}
