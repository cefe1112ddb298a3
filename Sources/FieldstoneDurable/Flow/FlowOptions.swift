public import Foundation

/// How the runs of a flow are treated.
public struct FlowOptions<Work: Sendable>: Sendable {
  /// How many runs of the flow a runner works on at the same time; less than one counts as one.
  public var maxConcurrent: Int

  /// What all workers on the journal keep together; nil for no limits.
  ///
  /// The journal keeps them: the first runner that declares some for the flow sets them. A runner that
  /// declares others tells so by ``RunnerEvent/Kind/limitsDiffer(declared:kept:)``, and those of the
  /// journal hold until ``DurableRunner/replaceLimits()``.
  public var limits: FlowLimits?

  /// How often each stage is attempted, and how long it waits in between.
  public var retryPolicy: @Sendable (Work) -> StageRetryPolicy

  /// How long an attempt at each stage may take; nil for any time.
  ///
  /// Then its task is cancelled, and once its work has returned the attempt has failed with
  /// ``DurableRunnerError/timeLimitExceeded(_:)``, whatever it has come to. Until then the run keeps its
  /// place and its lease, as work that ignores the cancellation is still under way. The time runs from
  /// the beginning of the attempt, without waits for a time or a signal.
  public var timeLimit: @Sendable (Work) -> Duration?

  /// How often a worker may die at one stage of a run that it tries alone; then the run is dead.
  ///
  /// What ends the worker may be the work, or an `init(from:)` or a migration that traps: then the
  /// run is dead without being read again. Crashes in company never make a run dead, and a crash is no
  /// attempt of a ``StageRetryPolicy``. Less than one counts as one.
  public var maximumLoneCrashes: Int

  /// Reads a stage that an older version of the flow wrote: its version, the name of its case and
  /// its JSON.
  ///
  /// ``StageJSON`` helps. A run whose migration throws is *blocked*: it consumes nothing, and waits
  /// until a runner is started that can read it, or an operator retries it. Without a migration the
  /// stage is decoded as it is, which is right for changes that old JSON survives.
  public var migration:
    (@Sendable (_ version: Int, _ caseName: String?, _ json: Data) throws -> Work)?

  /// Makes options; what is not named stays as it is by default.
  public init(
    maxConcurrent: Int = 8, limits: FlowLimits? = nil,
    retryPolicy: @escaping @Sendable (Work) -> StageRetryPolicy = { _ in StageRetryPolicy() },
    timeLimit: @escaping @Sendable (Work) -> Duration? = { _ in nil },
    maximumLoneCrashes: Int = 5,
    migration: (
      @Sendable (_ version: Int, _ caseName: String?, _ json: Data) throws -> Work
    )? = nil
  ) {
    self.maxConcurrent = maxConcurrent
    self.limits = limits
    self.retryPolicy = retryPolicy
    self.timeLimit = timeLimit
    self.maximumLoneCrashes = maximumLoneCrashes
    self.migration = migration
  }
}
