public import FieldstoneCore

/// Loads many at once, never more than a number of them, and collects how each one ended.
///
/// The output is in the order of the parameters; a failure disturbs none of the others. Cancelling
/// the load cancels every one and waits for none. Its progress is the part that has ended; early
/// values of single loads are dropped.
public struct CollectingBatchProvider<Base: DataProvider>: DataProvider {
  private let base: Base
  private let maxConcurrent: Int

  init(_ base: Base, maxConcurrent: Int) {
    self.base = base
    self.maxConcurrent = maxConcurrent
  }

  /// Loads what each of the parameters asks for, and tells how that went.
  ///
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
  @concurrent
  public func load(
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
  public func batchedCollecting(maxConcurrent: Int = 4) -> CollectingBatchProvider<Self> {
    CollectingBatchProvider(self, maxConcurrent: maxConcurrent)
  }
}
