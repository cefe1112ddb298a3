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
