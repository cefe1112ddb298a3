public import FieldstoneCore

/// A call that is being prepared: add handlers and options, then start or run it.
///
/// ```swift
/// users.call("apple")
///   .onBeginning { spinner.start() }
///   .onSuccess { table.show($0) }
///   .onError { banner.show($0) }
///   .onCompletion { _ in spinner.stop() }
///   .start()
/// ```
///
/// It is a value: each method gives another one, and each start is a call of its own. (Seed:
/// IDMCore's integration call.)
public struct CallBuilder<Value: Sendable>: CallHandling {
  /// The handlers given so far; for Fieldstone.
  public var _handlers = CallHandlers<Value>()

  private(set) var options: CallOptions?
  let center: CallCoordinator
  let key: (any Hashable & Sendable)?
  let load: CallWork.Load

  init(
    center: CallCoordinator, key: (any Hashable & Sendable)?, load: @escaping CallWork.Load
  ) {
    self.center = center
    self.key = key
    self.load = load
  }

  /// Starts the call; no handler runs before this has returned.
  @discardableResult
  @MainActor
  public func start() -> Call<Value> {
    startCall(isCancelled: false)
  }

  /// Starts the call and waits for its value; cancelling the task cancels the call.
  ///
  /// - Throws: the error of a failure; `CancellationError` when the task was cancelled, the call
  ///   having ended then; ``/FieldstoneCore/CallCancelled`` when something else ended it.
  @MainActor
  public func run() async throws -> Value {
    let call = startCall(isCancelled: Task.isCancelled)
    do {
      return try await call.value
    } catch {
      // The waiting leaves at once; the call does when the main actor is there.
      if Task.isCancelled { call.cancel() }
      throw error
    }
  }

  @MainActor
  private func startCall(isCancelled: Bool) -> Call<Value> {
    let call = Call<Value>(handlers: _handlers.list, options: options)
    let work = CallWork(
      load: load, options: options, defaults: center.defaults, time: center.time)
    center.start(call, work, key: key, isCancelled: isCancelled)
    return call
  }
}

extension CallBuilder {
  private consuming func with(
    _ change: (inout CallOptions.Values) -> Void
  ) -> CallBuilder {
    var values = options?.values ?? CallOptions.Values()
    change(&values)
    options = CallOptions(values)
    return self
  }

  /// Attempts the load again when it fails, as the policy says; the budget is fresh for each call.
  ///
  /// It takes the place of ``Integrator/retry``. With `.only(.join)` it follows a shared load that
  /// has failed, which counts as the first attempt, and is made for this call alone.
  public consuming func retry(_ policy: RetryPolicy) -> CallBuilder {
    with { $0.retry = policy }
  }

  /// Waits before the work, once it is the call's turn; zero or less waits for nothing.
  public consuming func delay(_ duration: Duration) -> CallBuilder {
    with { $0.delay = max(.zero, duration) }
  }

  /// Mends a failure: loads again, gives a value instead, or lets the failure stand.
  ///
  /// ```swift
  /// account.call(id).recover { error in
  ///   guard error is TokenExpired else { return .fail }
  ///   try await session.refreshToken()
  ///   return .again
  /// }
  /// ```
  ///
  /// The body runs off the main actor, after the last retry, and never for a cancellation. Its
  /// error becomes the call's failure.
  ///
  /// - Parameters:
  ///   - limit: how many times the body runs in one call at most.
  ///   - body: mends the failure, off the main actor.
  public consuming func recover(
    limit: Int = 1,
    _ body: @escaping @Sendable (any Error) async throws -> CallRecovery<Value>
  ) -> CallBuilder {
    with { values in
      values.recovery = .init(limit: limit) { error in
        switch try await body(error) {
        case .again: nil
        case .value(let value): Loaded(value)
        case .fail: throw error
        }
      }
    }
  }

  /// Keeps errors of a type away from the error handlers and from the phase.
  ///
  /// The outcome still has them.
  public consuming func ignoring<Failure: Error>(_ type: Failure.Type) -> CallBuilder {
    ignoring { $0 is Failure }
  }

  /// Keeps chosen errors away from the error handlers and from the phase.
  ///
  /// The outcome still has them.
  public consuming func ignoring(
    _ isIgnored: @escaping @Sendable (any Error) -> Bool
  ) -> CallBuilder {
    with { $0.ignored.append(isIgnored) }
  }

  /// Keeps this call's errors away from the error handlers that the integrator shares with others.
  public consuming func withoutSharedErrorHandlers() -> CallBuilder {
    with { $0.sharesErrors = false }
  }

  /// Starts another call after a success, with its value.
  ///
  /// - Parameter call: prepares the call; nil makes none.
  public consuming func next<Other>(
    _ call: @escaping @MainActor (Value) -> CallBuilder<Other>?
  ) -> CallBuilder {
    next(on: .success, call)
  }

  /// Starts another call after this one, once its completion handlers have returned.
  ///
  /// ```swift
  /// login.call(credentials).next(on: .success) { account.call($0.userID) }.start()
  /// ```
  ///
  /// Cancelling this call afterwards does not cancel the other.
  ///
  /// - Parameters:
  ///   - end: after which end; `.success`, `.error` or `.completion`.
  ///   - call: prepares the call; nil makes none.
  public consuming func next<Payload, Other>(
    on end: CallEnd<Value, Payload>,
    _ call: @escaping @MainActor (Payload) -> CallBuilder<Other>?
  ) -> CallBuilder {
    with { values in
      values.nexts.append { outcome in
        if let payload = end.payload(outcome.typed()) { call(payload)?.start() }
      }
    }
  }
}

/// After which end of a call the next one is made.
public struct CallEnd<Value: Sendable, Payload>: Sendable {
  let payload: @Sendable (Outcome<Value>) -> Payload?
}

extension CallEnd where Payload == Value {
  /// After a success, with its value.
  public static var success: Self { Self { $0.value } }
}

extension CallEnd where Payload == any Error {
  /// After a failure, with its error; not after a cancellation.
  public static var error: Self { Self { $0.error } }
}

extension CallEnd where Payload == Outcome<Value> {
  /// After any end, with the outcome.
  public static var completion: Self { Self { $0 } }
}

/// The answer to a failure that can be mended, such as an expired token.
public indirect enum CallRecovery<Value: Sendable>: Sendable {
  // Indirect, so that it has one size for all values: its code is then not generic, and small.

  /// The load is made again, with a fresh budget of retries.
  case again
  /// The call succeeds with this value instead.
  case value(Value)
  /// The failure stands.
  case fail
}
