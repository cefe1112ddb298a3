import FieldstoneCore
import Foundation

/// A system signal that asks a process to end.
public enum ShutdownSignal: Sendable, Hashable, CaseIterable {
  /// `SIGTERM`: the first signal that service managers and containers send.
  case terminate
  /// `SIGINT`: sent by Control-C.
  case interrupt
  /// `SIGHUP`: the terminal was closed.
  case hangUp

  fileprivate var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    }
  }
}

/// Receives signals, which then do not end the process, until it is ended.
package final class SignalWatch: Sendable {
  private let sources = Locked<[any DispatchSourceSignal]>([])
  private let signals: [ShutdownSignal]

  private static let queue = DispatchQueue(label: "fieldstone.signals")

  package init(_ signals: [ShutdownSignal], _ body: @escaping @Sendable () -> Void) {
    self.signals = signals
    for signal in signals {
      #if canImport(Darwin)
        // Otherwise the signal ends the process before the source receives it.
        Foundation.signal(signal.number, SIG_IGN)
      #endif
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: signal.number, queue: Self.queue)
        source.setEventHandler(handler: body)
        source.activate()
        sources.append(source)
      }
    }
  }

  package func end() {
    sources.withLock { sources in
      for source in sources { source.cancel() }
      sources = []
    }
    // A signal ends the process again.
    for signal in signals { Foundation.signal(signal.number, SIG_DFL) }
  }
}

extension DurableRunner {
  /// Works until the process receives one of these signals, then ends as ``shutdown()`` does.
  ///
  /// ```swift
  /// try await runner.run(untilSignal: .terminate, .interrupt)
  /// ```
  ///
  /// Work has ``DurableRunnerOptions/shutdownGrace`` to reach its next checkpoint; a second signal
  /// ends the grace. Configure the service manager to wait longer than that before it kills the
  /// process. Until the call returns, these signals do nothing else; afterwards they end the
  /// process again. Await it once in a process. To share a signal between several runners, use
  /// ``shutdown()`` or a `ServiceGroup` (the trait `Observability`).
  ///
  /// - Throws: the errors of ``run()``; after a signal, no `CancellationError`.
  @concurrent
  public func run(untilSignal signals: ShutdownSignal...) async throws {
    let work = Task(executorPreference: options.executor) { try await self.run() }
    let count = Locked(0)
    let watch = SignalWatch(signals) {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      // Cancelling takes effect even before the work has begun. The second signal cancels, too: its
      // thread may come here before that of the first one, and a grace that ends before the shutdown
      // gives runs back that are claimed again.
      work.cancel()
      if !isFirst { self.endGrace() }
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
