import FieldstoneCore

/// The work of a call: its load, with the retries and the recovery that were asked for.
struct CallWork: Sendable {
  typealias Report = @Sendable (CallEvent) -> Void
  typealias Load = @Sendable (@escaping Report) async throws -> any LoadedValue

  let load: Load
  let options: CallOptions?
  let time: TimeSource

  var delay: Duration { options?.values.delay ?? .zero }

  /// Runs the work on the caller's isolation; the load leaves it by itself.
  func run(_ report: @escaping Report) async throws -> any LoadedValue {
    guard let options else { return try await load(report) }
    var recoveries = 0
    while true {
      do {
        guard let retry = options.values.retry else { return try await attempt(report) }
        return try await retry.run(time: time, onRetry: { report(.retry($0)) }) { _ in
          try await attempt(report)
        }
      } catch {
        if CancellationReason(thrown: error) != nil { throw CancellationError.inPlace(of: error) }
        guard let recovery = options.values.recovery, recoveries < recovery.limit else {
          throw error
        }
        recoveries += 1
        if let value = try await recovery.body(error) { return value }
        try Task.checkCancellation()
      }
    }
  }

  private func attempt(_ report: @escaping Report) async throws -> any LoadedValue {
    // The call goes on after a failed attempt: what that one still reports is late.
    let isOver = Locked(false)
    defer { isOver.withLock { $0 = true } }
    return try await load { event in
      if !isOver.withLock({ $0 }) { report(event) }
    }
  }
}
