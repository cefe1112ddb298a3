import FieldstoneCore

extension DurableRunner {
  /// Works until the process is sent one of these signals, then ends as ``shutdown()`` does.
  ///
  /// ```swift
  /// try await runner.run(untilSignal: .terminate, .interrupt)
  /// ```
  ///
  /// Work has ``DurableRunnerOptions/shutdownGrace`` to come to its next checkpoint; a second signal
  /// ends the grace. Let the service manager wait for longer than that before it kills the process.
  /// Meanwhile these signals do nothing else to the process, and afterwards they end it again. Await
  /// it once in a process; several runners share a signal by ``shutdown()`` or by a `ServiceGroup`
  /// (the trait `Observability`).
  ///
  /// - Throws: what ``run()`` throws; after a signal, no `CancellationError`.
  @concurrent
  public func run(untilSignal signals: ShutdownSignal...) async throws {
    let work = Task(executorPreference: options.executor) { try await self.run() }
    let count = Locked(0)
    let watch = SignalWatch(signals) {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      // Cancelling sticks, also before the work has begun.
      if isFirst { work.cancel() } else { self.endGrace() }
    }
    defer { watch.end() }
    do {
      try await withTaskCancellationHandler {
        try await work.value
      } onCancel: {
        work.cancel()
      }
    } catch is CancellationError where count.withLock({ $0 > 0 }) && !Task.isCancelled {
      return
    }
  }
}
