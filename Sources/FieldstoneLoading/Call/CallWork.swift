import FieldstoneCore

/// The work of a call: its load, with the retries and the recovery that were asked for.
struct CallWork: Sendable {
  typealias Report = @Sendable (CallEvent) -> Void
  typealias Load = @Sendable (@escaping Report) async throws -> any LoadedValue

  let load: Load
  /// The options of this call alone.
  let options: CallOptions?
  /// The options of all calls of the integrator.
  let defaults: CallOptions?
  let time: TimeSource

  /// The failure of a load that was shared: it counts as the first attempt.
  private var failure: (any Error)?

  init(load: @escaping Load, options: CallOptions?, defaults: CallOptions?, time: TimeSource) {
    self.load = load
    self.options = options
    self.defaults = defaults
    self.time = time
  }

  var delay: Duration { options?.values.delay ?? .zero }

  /// Whether a failed load is not the end of this call, whatever becomes of others.
  var canGoOnAlone: Bool {
    guard let values = options?.values else { return false }
    return values.recovery != nil || values.retry.map { $0.maximumAttempts > 1 } ?? false
  }

  /// The part that calls can share: without what was asked of one of them alone.
  var shared: CallWork {
    CallWork(load: load, options: nil, defaults: defaults, time: time)
  }

  /// The part that follows a shared load which has failed.
  func following(_ failure: any Error) -> CallWork {
    var work = self
    work.failure = failure
    return work
  }

  /// Runs the work on the caller's isolation; the load leaves it by itself.
  func run(_ report: @escaping Report) async throws -> any LoadedValue {
    guard options != nil || defaults != nil else { return try await load(report) }
    var failure = failure
    var recoveries = 0
    while true {
      do {
        return try await attempts(after: failure, report)
      } catch {
        if CancellationReason(thrown: error) != nil { throw CancellationError.inPlace(of: error) }
        guard let recovery = options?.values.recovery, recoveries < recovery.limit else {
          throw error
        }
        recoveries += 1
        if let value = try await recovery.body(error) { return value }
        try Task.checkCancellation()
      }
      failure = nil
    }
  }

  /// Loads until it succeeds or the budget of one run is spent.
  private func attempts(
    after failure: (any Error)?, _ report: @escaping Report
  ) async throws -> any LoadedValue {
    // A load that was shared has spent the integrator's budget.
    let policy = options?.values.retry ?? (failure == nil ? defaults?.values.retry : nil)
    var failure = failure
    guard let policy else {
      if let failure { throw failure }
      return try await attempt(report)
    }
    return try await policy.run(time: time, onRetry: { report(.retry($0)) }) { _ in
      if let error = failure.take() { throw error }
      return try await attempt(report)
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

/// The options of a call beside its handlers; most calls have none.
final class CallOptions: Sendable {
  struct Values: Sendable {
    var delay = Duration.zero
    var retry: RetryPolicy?
    var recovery: Recovery?
    var ignored: [@Sendable (any Error) -> Bool] = []
    var nexts: [@MainActor (Outcome<any LoadedValue>) -> Void] = []
    var sharesErrors = true
  }

  struct Recovery: Sendable {
    let limit: Int
    /// Returns a value, or nil to load again; throws when the failure stands.
    let body: @Sendable (any Error) async throws -> (any LoadedValue)?
  }

  let values: Values

  init(_ values: Values) {
    self.values = values
  }

  func ignores(_ error: any Error) -> Bool {
    values.ignored.contains { $0(error) }
  }
}
