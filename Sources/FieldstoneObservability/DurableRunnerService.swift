#if Observability
  public import FieldstoneDurable
  public import ServiceLifecycle

  /// A durable runner as a service, which a graceful shutdown of its group ends gracefully.
  ///
  /// It is a separate type because the runner's own `run()`, which ignores graceful shutdowns,
  /// would satisfy the protocol's requirement.
  private struct DurableRunnerService: Service {
    /// The runner.
    let runner: DurableRunner

    /// Runs until the task is cancelled or the group of services shuts down.
    ///
    /// - Throws: errors of `DurableRunner.run()`; after a graceful shutdown, no `CancellationError`.
    func run() async throws {
      // Otherwise the runner might begin a run before the cancellation arrives.
      if Task.isShuttingDownGracefully { return }
      do {
        // Not `shutdown()`, which has no effect before the runner begins; a cancellation has.
        try await cancelWhenGracefulShutdown { try await runner.run() }
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }

  extension DurableRunner {
    /// The runner as a service, for a `ServiceGroup`.
    ///
    /// A graceful shutdown ends it as `DurableRunner.shutdown()` does, even before it runs. The
    /// group's `maximumGracefulShutdownDuration` should be longer than the runner's
    /// `shutdownGrace`.
    public var service: some Service { DurableRunnerService(runner: self) }
  }
#endif
