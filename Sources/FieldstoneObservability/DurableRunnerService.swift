#if Observability
  public import FieldstoneDurable
  public import ServiceLifecycle

  /// A durable runner for a group of services, whose graceful shutdown ends it gracefully.
  ///
  /// It is its own type because the runner's `run()`, which knows no services, would witness the
  /// protocol's.
  private struct DurableRunnerService: Service {
    /// The runner.
    let runner: DurableRunner

    /// Runs until the task is cancelled or the group of services shuts down.
    ///
    /// - Throws: errors of `DurableRunner.run()`; after a graceful shutdown, no `CancellationError`.
    func run() async throws {
      // Otherwise something might be begun before the cancellation comes.
      if Task.isShuttingDownGracefully { return }
      do {
        // Not `shutdown()`, which does nothing to a runner that is yet to begin: cancelling sticks.
        try await cancelWhenGracefulShutdown { try await runner.run() }
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }

  extension DurableRunner {
    /// The runner as a service, for a `ServiceGroup`.
    ///
    /// A graceful shutdown ends it as `DurableRunner.shutdown()` does, also a shutdown before it runs.
    /// The group's `maximumGracefulShutdownDuration` should be longer than the runner's
    /// `shutdownGrace`.
    public var service: some Service { DurableRunnerService(runner: self) }
  }
#endif
