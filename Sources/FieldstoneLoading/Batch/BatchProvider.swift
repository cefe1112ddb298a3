import FieldstoneCore

/// Loads many at once, never more than a number of them, and fails with the first that fails.
///
/// The output is in the order of the parameters. The first failure cancels the others and waits
/// for none of them, and so does cancelling the load. Its progress is the part that has ended;
/// early values of single loads are dropped. An empty list of parameters gives an empty output.
public struct BatchProvider<Base: DataProvider>: DataProvider {
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
  public func load(
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
  public func batched(maxConcurrent: Int = 4) -> BatchProvider<Self> {
    BatchProvider(self, maxConcurrent: maxConcurrent)
  }
}
