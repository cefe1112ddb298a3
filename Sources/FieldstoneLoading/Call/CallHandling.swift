public import FieldstoneCore

/// What takes handlers of calls: a call that is being prepared, or the defaults of an integrator.
///
/// A handler with an `owner:` holds it weakly: when the owner is gone, nothing is called.
public protocol CallHandling<Value>: Sendable {
  /// What a successful call gives.
  associatedtype Value: Sendable

  /// The handlers given so far.
  var handlers: CallHandlers<Value> { get set }
}

extension CallHandling {
  consuming func adding(_ handler: CallHandler) -> Self {
    handlers.list.append(handler)
    return self
  }

  /// Runs when the work begins: after the call has waited for its delay or its turn.
  public consuming func onBeginning(_ body: @escaping @MainActor () -> Void) -> Self {
    adding(.beginning(body))
  }

  /// Runs when the provider reports how far it has come.
  ///
  /// Every report is heard, unless so many come while the main actor is busy that more than 64
  /// wait: then a newer one takes the place of the newest that waits.
  public consuming func onProgress(
    _ body: @escaping @MainActor (LoadProgress) -> Void
  ) -> Self {
    adding(.progress(body))
  }

  /// Runs when there is a value to show until the final one is there, such as a cached one.
  public consuming func onEarlyValue(_ body: @escaping @MainActor (Value) -> Void) -> Self {
    adding(.earlyValue { body($0.value(as: Value.self)) })
  }

  /// Runs when an attempt has failed and another one will follow.
  public consuming func onRetry(_ body: @escaping @MainActor (UpcomingRetry) -> Void) -> Self {
    adding(.retry(body))
  }

  /// Runs when the call has given its value.
  public consuming func onSuccess(_ body: @escaping @MainActor (Value) -> Void) -> Self {
    adding(.success { body($0.value(as: Value.self)) })
  }

  /// Runs when the call has failed; never for a call that was cancelled.
  public consuming func onError(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    adding(.error(body))
  }

  /// Runs exactly once, last, with how the call ended.
  public consuming func onCompletion(
    _ body: @escaping @MainActor (Outcome<Value>) -> Void
  ) -> Self {
    adding(.completion { body($0.typed()) })
  }
}

@MainActor
extension CallHandling {
  /// Runs when the work begins, for an owner that is held weakly.
  public consuming func onBeginning<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner) -> Void
  ) -> Self {
    onBeginning { [weak owner] in owner.map { body($0) } }
  }

  /// Runs when the provider reports how far it has come, for an owner that is held weakly.
  public consuming func onProgress<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, LoadProgress) -> Void
  ) -> Self {
    onProgress { [weak owner] progress in owner.map { body($0, progress) } }
  }

  /// Runs when there is a value to show until the final one, for an owner that is held weakly.
  public consuming func onEarlyValue<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
  ) -> Self {
    onEarlyValue { [weak owner] value in owner.map { body($0, value) } }
  }

  /// Runs when another attempt will follow, for an owner that is held weakly.
  public consuming func onRetry<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, UpcomingRetry) -> Void
  ) -> Self {
    onRetry { [weak owner] retry in owner.map { body($0, retry) } }
  }

  /// Runs when the call has given its value, for an owner that is held weakly.
  public consuming func onSuccess<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
  ) -> Self {
    onSuccess { [weak owner] value in owner.map { body($0, value) } }
  }

  /// Runs when the call has failed, for an owner that is held weakly.
  public consuming func onError<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, any Error) -> Void
  ) -> Self {
    onError { [weak owner] error in owner.map { body($0, error) } }
  }

  /// Runs exactly once, last, for an owner that is held weakly.
  public consuming func onCompletion<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Outcome<Value>) -> Void
  ) -> Self {
    onCompletion { [weak owner] outcome in owner.map { body($0, outcome) } }
  }
}

@MainActor
extension CallHandling {
  /// Hands the value of a success to a receiver, which is held weakly.
  public consuming func forwardSuccess<Receiver: ValueReceiver>(to receiver: Receiver) -> Self
  where Receiver.Received == Value {
    onSuccess(owner: receiver) { $0.receive($1) }
  }

  /// Hands the error of a failure to a receiver, which is held weakly.
  public consuming func forwardError(to receiver: some ErrorReceiver) -> Self {
    onError(owner: receiver) { $0.receive(error: $1) }
  }
}
