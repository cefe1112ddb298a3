#if Observability
  public import FieldstoneDurable
  public import ServiceLifecycle

  extension DurableRunner: Service {
    /// Works as a service: until the task is cancelled, or the group of services shuts down.
    ///
    /// This is what a `ServiceGroup` calls for the runner's `run()`. A graceful shutdown ends the work
    /// as ``FieldstoneDurable/DurableRunner/shutdown()`` does, also one that was asked for before the
    /// work began. Give the group more time (`maximumGracefulShutdownDuration`) than the runner's
    /// ``FieldstoneDurable/DurableRunnerOptions/shutdownGrace``.
    ///
    /// - Throws: what ``FieldstoneDurable/DurableRunner/run()`` throws; after a graceful shutdown, no
    ///   `CancellationError`.
    // Named apart from the runner's own `run()`, which knows of no services and would be taken for it.
    @_implements(Service,run())
    public func serve() async throws {
      do {
        // Not `shutdown()`, which does nothing to a runner that is yet to begin: cancelling sticks.
        try await cancelWhenGracefulShutdown { try await self.run() }
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }
#endif
