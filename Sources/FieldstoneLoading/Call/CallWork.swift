import FieldstoneCore

/// The work of a call: its load, with the retries and the recovery that were asked for.
struct CallWork<Value: Sendable>: Sendable {
  typealias Load = @Sendable (LoadEvents<Value>) async throws -> Value

  let load: Load
  let options: CallOptions<Value>?
  let time: TimeSource

  var delay: Duration { options?.values.delay ?? .zero }

  /// Runs the work on the caller's isolation; the load leaves it by itself.
  func run(
    reporting events: LoadEvents<Value>, onRetry: @escaping (UpcomingRetry) -> Void
  ) async throws -> Value {
    guard let options else { return try await load(events) }
    var recoveries = 0
    while true {
      do {
        guard let retry = options.values.retry else { return try await attempt(events) }
        return try await retry.run(time: time, onRetry: onRetry) { _ in
          try await attempt(events)
        }
      } catch {
        if case .cancelled = Outcome<Void>(throwing: error) { throw error }
        try Task.checkCancellation()
        guard let recovery = options.values.recovery, recoveries < recovery.limit else {
          throw error
        }
        recoveries += 1
        switch try await recovery.body(error) {
        case .again: try Task.checkCancellation()
        case .value(let value): return value
        case .fail: throw error
        }
      }
    }
  }

  private func attempt(_ events: LoadEvents<Value>) async throws -> Value {
    let reports = AttemptReports(events)
    defer { reports.end() }
    return try await load(reports.attemptEvents)
  }
}
