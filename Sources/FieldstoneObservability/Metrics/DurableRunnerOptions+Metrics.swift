#if Observability
  public import FieldstoneDurable
  public import Metrics

  extension DurableRunnerOptions {
    /// Counts and times what happens in the runner, too; what was told of events before still is.
    ///
    /// | metric | kind | dimensions |
    /// | --- | --- | --- |
    /// | `fieldstone.runs.started` | counter | `flow` |
    /// | `fieldstone.runs.completed` | counter | `flow` |
    /// | `fieldstone.runs.dead` | counter | `flow` |
    /// | `fieldstone.runs.blocked` | counter | `flow` |
    /// | `fieldstone.runs.parked` | counter | `flow` |
    /// | `fieldstone.runs.lost` | counter | `flow`, `loss` (`claimLost`, `leaseEnded`) |
    /// | `fieldstone.stage.retries` | counter | `flow` |
    /// | `fieldstone.stage.duration` | timer | `flow` |
    /// | `fieldstone.journal.unavailable` | counter | none |
    ///
    /// The duration is of stages that came to their checkpoint, the checkpoint included. All metrics
    /// of a flow are there, at zero, from its first event on. Dimensions have as many values as there
    /// are flows: runs are in logs and traces, never in metrics.
    ///
    /// - Parameter factory: makes the metrics; what `MetricsSystem` was bootstrapped with unless
    ///   given. A `MappingMetricsFactory` gives them other names.
    public mutating func measure(with factory: any MetricsFactory = MetricsSystem.factory) {
      let metrics = RunnerMetrics(factory: factory)
      observe { metrics.record($0) }
    }
  }
#endif
