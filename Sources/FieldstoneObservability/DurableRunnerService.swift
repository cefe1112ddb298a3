#if Observability
  public import FieldstoneDurable
  public import ServiceLifecycle

  /// A durable runner for a group of services, whose graceful shutdown ends it gracefully.
  ///
  /// It is a type of its own because the runner's `run()`, which knows nothing of services, would be
  /// taken for the protocol's.
  public struct DurableRunnerService: Service {
    /// What it runs.
    public let runner: DurableRunner

    /// Makes a service of a runner.
    public init(_ runner: DurableRunner) {
      self.runner = runner
    }

    /// Works until the task is cancelled, or the group of services shuts down.
    ///
    /// A graceful shutdown ends the work as `DurableRunner.shutdown()` does, also one that was asked
    /// for before the work began. A limit that the group has (`maximumGracefulShutdownDuration`)
    /// should leave more time than the runner's `shutdownGrace`.
    ///
    /// - Throws: what `DurableRunner.run()` throws; after a graceful shutdown, no
    ///   `CancellationError`.
    public func run() async throws {
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
    public var service: DurableRunnerService { DurableRunnerService(self) }
  }
#endif
