public import FieldstoneCore

/// Loads many at once, never more than a number of them, and fails with the first that fails.
///
/// The output is in the order of the parameters. The first failure cancels the others and waits
/// for none of them, and so does cancelling the load. Its progress is the part that has ended;
/// early values of single loads are dropped. An empty list of parameters gives an empty output.
struct BatchProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let maxConcurrent: Int

  init(_ base: Base, maxConcurrent: Int) {
    self.base = base
    self.maxConcurrent = maxConcurrent
  }

  /// Loads what each of the parameters asks for.
  ///
  /// - Throws: the first error of a load; `CancellationError` when the task was cancelled.
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
  /// Loads many at once; the first failure is that of all.
  ///
  /// ```swift
  /// let airports = Integrator(provider: AirportProvider().batched(maxConcurrent: 3))
  /// let three = try await airports(["BER", "LHR", "CDG"])
  /// ```
  ///
  /// - Parameter maxConcurrent: how many loads run at once; less than one counts as one.
  package func batched(maxConcurrent: Int = 4) -> some DataProvider<[Parameters], [Output]> {
    BatchProvider(self, maxConcurrent: maxConcurrent)
  }
}

/// Loads many at once, never more than a number of them, and collects how each one ended.
///
/// The output is in the order of the parameters; a failure disturbs none of the others. Cancelling
/// the load cancels every one and waits for none. Its progress is the part that has ended; early
/// values of single loads are dropped.
struct CollectingBatchProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let maxConcurrent: Int

  init(_ base: Base, maxConcurrent: Int) {
    self.base = base
    self.maxConcurrent = maxConcurrent
  }

  /// Loads for each of the parameters, and returns each outcome.
  ///
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
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
  /// Loads many at once, and collects values, errors and cancellations.
  ///
  /// - Parameter maxConcurrent: how many loads run at once; less than one counts as one.
  package func batchedCollecting(maxConcurrent: Int = 4) -> some DataProvider<
    [Parameters], [Outcome<Output>]
  > {
    CollectingBatchProvider(self, maxConcurrent: maxConcurrent)
  }
}

extension Integrator {
  /// Makes many calls, never more than a number of them at once, and fails with the first that
  /// fails.
  ///
  /// The values are in the order of the parameters. The first failure cancels the other calls of
  /// the batch, and so does cancelling the task. Each is a call like any other: its policy holds,
  /// so that `.concurrent` is the one to use.
  ///
  /// - Parameters:
  ///   - parameters: those of each call.
  ///   - maxConcurrent: how many calls are made at once; less than one counts as one.
  /// - Throws: the first failure; `CancellationError` when the task was cancelled;
  ///   ``/FieldstoneCore/CallCancelled`` when something else cancelled one of the calls.
  public func batch(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Value] {
    try await asProvider().batched(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }

  /// Makes many calls, never more than a number of them at once, and collects how each one ended.
  ///
  /// The outcomes are in the order of the parameters; a failure disturbs none of the others.
  ///
  /// - Parameters:
  ///   - parameters: those of each call.
  ///   - maxConcurrent: how many calls are made at once; less than one counts as one.
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
  public func batchCollecting(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Outcome<Value>] {
    try await asProvider().batchedCollecting(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }
}
