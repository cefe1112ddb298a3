import Dispatch
import Foundation
import Synchronization

/// A signal that asks a process to end.
enum StopSignal: CaseIterable {
  case interrupt, terminate

  var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    }
  }

  /// The status with which a process ends that this signal ended.
  var status: Int32 { 128 + number }

  /// Runs `body` in a task that the first such signal cancels, and tells which it was.
  ///
  /// A second signal ends the process as it would have done without us. To be used once in a
  /// process: on Linux, signals do not reach sources that are made when earlier ones are gone.
  static func cancelling<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async -> (result: Result<Value, any Error>, signal: StopSignal?) {
    let task = Task { try await body() }
    let received = Mutex<StopSignal?>(nil)
    let sources = allCases.map { stop in
      signal(stop.number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: stop.number)
      source.setEventHandler {
        received.withLock { $0 = $0 ?? stop }
        signal(stop.number, SIG_DFL)
        task.cancel()
      }
      source.resume()
      return source
    }
    let result = await task.result
    for source in sources { source.cancel() }
    return (result, received.withLock { $0 })
  }
}
