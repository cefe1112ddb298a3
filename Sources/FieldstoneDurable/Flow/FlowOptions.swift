public import Foundation

/// The options of a flow's runs.
public struct FlowOptions<Work: Sendable>: Sendable {
  /// The number of the flow's runs that a runner works on at a time; values below one count as one.
  public var maxConcurrent: Int

  /// The limits that all workers on the journal share; nil for none.
  ///
  /// The first runner that declares limits for the flow stores them in the journal. A runner that
  /// declares others emits ``RunnerEvent/Kind/limitsDiffer(declared:kept:)``; the journal's limits
  /// apply until ``DurableRunner/replaceLimits()``.
  public var limits: FlowLimits?

  /// The retry policy of each stage: the number of attempts, and the waits in between.
  public var retryPolicy: @Sendable (Work) -> StageRetryPolicy

  /// How long an attempt at each stage may take; nil for no limit.
  ///
  /// Then its task is cancelled. When its work has returned, the attempt fails with
  /// ``DurableRunnerError/timeLimitExceeded(_:)``, whatever the work's result is. Until then the
  /// run keeps its place and its lease, because work that ignores the cancellation is still in
  /// progress. The time counts from the beginning of the attempt, without waits for a time or a
  /// signal.
  public var timeLimit: @Sendable (Work) -> Duration?

  /// The number of worker deaths, at one stage of a run tried alone, after which the run is dead.
  ///
  /// The cause may be the work, or an `init(from:)` or a migration that traps: the run becomes dead
  /// without being decoded again. Crashes in a group never make a run dead, and a crash is no
  /// attempt of a ``StageRetryPolicy``. Values below one count as one.
  public var maximumLoneCrashes: Int

  /// Migrates a stage that an older version of the flow wrote, from its version, case name and
  /// JSON.
  ///
  /// ``StageJSON`` helps. A run whose migration throws is *blocked*: it consumes nothing, and waits
  /// until a runner starts that can read it, or an operator retries it. Without a migration the
  /// stage is decoded unchanged, which suits changes that keep old JSON readable.
  public var migration:
    (@Sendable (_ version: Int, _ caseName: String?, _ json: Data) throws -> Work)?

  /// Makes options; parameters that are omitted have their defaults.
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
