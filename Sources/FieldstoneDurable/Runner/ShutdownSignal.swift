import FieldstoneCore
import Foundation

/// A signal of the system that asks a process to end.
public enum ShutdownSignal: Sendable, Hashable, CaseIterable {
  /// `SIGTERM`: what service managers and containers send first.
  case terminate
  /// `SIGINT`: what Control-C sends.
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

/// Hears of signals instead of the process ending by them, until it is ended.
final class SignalWatch: Sendable {
  private let sources = Locked<[any DispatchSourceSignal]>([])
  private let signals: [ShutdownSignal]

  private static let queue = DispatchQueue(label: "fieldstone.signals")

  init(_ signals: [ShutdownSignal], _ body: @escaping @Sendable () -> Void) {
    self.signals = signals
    for signal in signals {
      #if canImport(Darwin)
        // Otherwise the process ends before the source hears of it.
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

  func end() {
    sources.withLock { sources in
      for source in sources { source.cancel() }
      sources = []
    }
    // A signal ends the process again.
    for signal in signals { Foundation.signal(signal.number, SIG_DFL) }
  }
}

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
