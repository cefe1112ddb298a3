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
/// It is a value: each method returns a new one, and each start makes a separate call. (Seed:
/// IDMCore's integration call.)
public struct CallBuilder<Value: Sendable>: CallHandling {
  /// The handlers added so far; for use by Fieldstone.
  public var _handlers = CallHandlers<Value>()

  private(set) var options: CallOptions?
  let center: CallCoordinator
  let key: (any Hashable & Sendable)?
  let load: CallWork.Load
  /// The parameters, if the integrator notes them for observers.
  private let parameters: (any Sendable)?

  init(
    center: CallCoordinator, key: (any Hashable & Sendable)?, parameters: (any Sendable)?,
    load: @escaping CallWork.Load
  ) {
    self.center = center
    self.key = key
    self.parameters = parameters
    self.load = load
  }

  /// Starts the call; no handler runs before this returns.
  @discardableResult
  @MainActor
  public func start() -> Call<Value> {
    startCall(isCancelled: false)
  }

  /// Starts the call and waits for its value; cancelling the task cancels the call.
  ///
  /// A prepared call does not keep its integrator: hold it until this returns, or the call is
  /// cancelled as released. ``Integrator/callAsFunction(_:)`` keeps it.
  ///
  /// - Throws: the error of a failure; `CancellationError` if the task was cancelled, which also
  ///   ends the call; ``/FieldstoneCore/CallCancelled`` if the call was cancelled otherwise.
  @MainActor
  public func run() async throws -> Value {
    let call = startCall(isCancelled: Task.isCancelled)
    do {
      return try await call.value
    } catch {
      // The wait ends at once; the call ends as soon as the main actor is free.
      if Task.isCancelled { call.cancel() }
      throw error
    }
  }

  @MainActor
  private func startCall(isCancelled: Bool) -> Call<Value> {
    let call = Call<Value>(handlers: _handlers.list, options: options)
    let work = CallWork(
      load: load, options: options, defaults: center.defaults, time: center.time)
    center.start(call, work, key: key, parameters: parameters, isCancelled: isCancelled)
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

  /// Retries a failed load as the policy says; each call has a fresh budget.
  ///
  /// It overrides ``Integrator/retry``. With `.only(.join)`, the failed shared load counts as the
  /// first attempt, and the retries are made for this call alone.
  public consuming func retry(_ policy: RetryPolicy) -> CallBuilder {
    with { $0.retry = policy }
  }

  /// Delays the work once it is the call's turn; zero or less has no effect.
  ///
  /// With `.only(.join)`, the call joins or begins a shared load when its delay is over.
  public consuming func delay(_ duration: Duration) -> CallBuilder {
    with { $0.delay = max(.zero, duration) }
  }

  /// Recovers from a failure: loads again, returns a value instead, or lets the call fail.
  ///
  /// ```swift
  /// account.call(id).recover { error in
  ///   guard error is TokenExpired else { return .fail }
  ///   try await session.refreshToken()
  ///   return .again
  /// }
  /// ```
  ///
  /// The body runs off the main actor, after the last retry, and never for a cancellation. An error
  /// that it throws becomes the call's failure.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of times the body runs in one call.
  ///   - body: recovers from the failure, off the main actor.
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

  /// Hides errors of a type from the error handlers and from the phase.
  ///
  /// The outcome still has them.
  public consuming func ignoring<Failure: Error>(_ type: Failure.Type) -> CallBuilder {
    ignoring { $0 is Failure }
  }

  /// Hides selected errors from the error handlers and from the phase.
  ///
  /// The outcome still has them.
  public consuming func ignoring(
    _ isIgnored: @escaping @Sendable (any Error) -> Bool
  ) -> CallBuilder {
    with { $0.ignored.append(isIgnored) }
  }

  /// Hides this call's errors from the error handlers that integrators share.
  public consuming func withoutSharedErrorHandlers() -> CallBuilder {
    with { $0.sharesErrors = false }
  }

  /// Starts another call with the value of a success.
  ///
  /// - Parameter call: prepares the call; nil makes none.
  public consuming func next<Other>(
    _ call: @escaping @MainActor (Value) -> CallBuilder<Other>?
  ) -> CallBuilder {
    next(on: .success, call)
  }

  /// Starts another call after this one, once this call's completion handlers have returned.
  ///
  /// ```swift
  /// login.call(credentials).next(on: .success) { account.call($0.userID) }.start()
  /// ```
  ///
  /// Cancelling this call after its end does not cancel the other.
  ///
  /// - Parameters:
  ///   - end: the end that starts the other call: `.success`, `.error` or `.completion`.
  ///   - call: prepares the call; nil makes none.
  public consuming func next<Payload, Other>(
    on end: CallEnd<Value, Payload>,
    _ call: @escaping @MainActor (Payload) -> CallBuilder<Other>?
  ) -> CallBuilder {
    with { values in
      let start: CallOptions.NextCalls.Start = { outcome in
        if let payload = end.payload(outcome.typed()) { call(payload)?.start() }
      }
      values.nexts = values.nexts?.adding(start) ?? CallOptions.NextCalls([start])
    }
  }
}

/// The end of a call that starts the next one.
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

/// The answer to a recoverable failure, such as an expired token.
public indirect enum CallRecovery<Value: Sendable>: Sendable {
  // Indirect, so that all values have one size: the code is then small and not generic.

  /// The load is repeated, with a fresh budget of retries.
  case again
  /// The call succeeds with this value.
  case value(Value)
  /// The call fails.
  case fail
}
