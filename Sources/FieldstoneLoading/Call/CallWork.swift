import FieldstoneCore

/// The work of a call: its load, with retries and recovery.
struct CallWork: Sendable {
  typealias Report = @Sendable (CallEvent) -> Void
  typealias Load = @Sendable (@escaping Report) async throws -> any LoadedValue

  let load: Load
  /// The options of this call alone.
  let options: CallOptions?
  /// The options of all calls of the integrator.
  let defaults: CallOptions?
  let time: TimeSource

  /// The failure of a shared load, which counts as the first attempt.
  private var failure: (any Error)?

  init(load: @escaping Load, options: CallOptions?, defaults: CallOptions?, time: TimeSource) {
    self.load = load
    self.options = options
    self.defaults = defaults
    self.time = time
  }

  var delay: Duration { options?.values.delay ?? .zero }

  /// Whether this call may continue alone after the shared load failed.
  var canGoOnAlone: Bool {
    guard let values = options?.values else { return false }
    return values.recovery != nil || values.retry.map { $0.maximumAttempts > 1 } ?? false
  }

  /// The part that calls can share, without the options of a single call.
  var shared: CallWork {
    CallWork(load: load, options: nil, defaults: defaults, time: time)
  }

  /// The work that follows a failed shared load.
  func following(_ failure: any Error) -> CallWork {
    var work = self
    work.failure = failure
    return work
  }

  /// Runs the work in the caller's isolation, which the load leaves by itself.
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

  /// Loads until it succeeds or the retry budget is spent.
  private func attempts(
    after failure: (any Error)?, _ report: @escaping Report
  ) async throws -> any LoadedValue {
    // A shared load has already spent the integrator's budget.
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
    // The call continues after a failed attempt, whose later reports are dropped.
    let isOver = Locked(false)
    defer { isOver.withLock { $0 = true } }
    return try await load { event in
      if !isOver.withLock({ $0 }) { report(event) }
    }
  }
}

/// The options of a call besides its handlers; most calls have none.
final class CallOptions: Sendable {
  struct Values: Sendable {
    var delay = Duration.zero
    var retry: RetryPolicy?
    var recovery: Recovery?
    var ignored: [@Sendable (any Error) -> Bool] = []
    var nexts: NextCalls?
    var sharesErrors = true
  }

  struct Recovery: Sendable {
    let limit: Int
    /// Returns a value, or nil to load again; throws if the call should fail.
    let body: @Sendable (any Error) async throws -> (any LoadedValue)?
  }

  let values: Values

  /// The calls that follow.
  ///
  /// A chain of any length is released on a stack of any size.
  final class NextCalls: Sendable {
    typealias Start = @MainActor (Outcome<any LoadedValue>) -> Void

    private let starts: Locked<[Start]>

    init(_ starts: [Start]) {
      self.starts = Locked(starts)
    }

    deinit {
      Trampoline.run { [starts] in
        _ = starts.withLock { starts in
          defer { starts = [] }
          return starts
        }
      }
    }

    func adding(_ start: @escaping Start) -> NextCalls {
      NextCalls(starts.withLock { $0 } + [start])
    }

    @MainActor func start(after outcome: Outcome<any LoadedValue>) {
      for start in starts.withLock({ $0 }) { start(outcome) }
    }
  }

  init(_ values: Values) {
    self.values = values
  }

  func ignores(_ error: any Error) -> Bool {
    values.ignored.contains { $0(error) }
  }
}
