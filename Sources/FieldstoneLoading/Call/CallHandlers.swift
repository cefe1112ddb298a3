public import FieldstoneCore

/// The handlers of a call's events.
///
/// Handlers run on the main actor, never under a lock, and only after `start()` or `cancel()` has
/// returned. For one call they run in this order: beginning; progress, early values and retries as
/// they occur; success or error; completion. Completion comes exactly once and last, even for a
/// call that was cancelled, rejected or superseded; such a call has neither success nor error.
/// Several handlers for one event run in the order in which they were added. (Seed: IDMCore's
/// handlers of an integration call.)
///
/// ```swift
/// airports.defaultHandlers = CallHandlers()
///   .onError(owner: self) { screen, error in screen.show(error) }
/// ```
public struct CallHandlers<Value: Sendable>: CallHandling {
  var list: [CallHandler] = []

  /// Makes an empty set of handlers.
  public init() {}

  /// The handlers themselves; for use by Fieldstone.
  public var _handlers: CallHandlers {
    get { self }
    set { self = newValue }
  }
}

/// An event of a call.
enum CallEvent: Sendable {
  case beginning
  case progress(LoadProgress)
  case earlyValue(any LoadedValue)
  case retry(UpcomingRetry)
  case ended(Outcome<any LoadedValue>)
}

/// A handler of one event of a call.
enum CallHandler: Sendable {
  case beginning(@MainActor () -> Void)
  case progress(@MainActor (LoadProgress) -> Void)
  case earlyValue(@MainActor (any LoadedValue) -> Void)
  case retry(@MainActor (UpcomingRetry) -> Void)
  case success(@MainActor (any LoadedValue) -> Void)
  case error(@MainActor (any Error) -> Void)
  case completion(@MainActor (Outcome<any LoadedValue>) -> Void)
}

extension Array where Element == CallHandler {
  var hearsBeginning: Bool {
    contains { if case .beginning = $0 { true } else { false } }
  }

  /// Calls the handlers of this event, except those of the completion.
  @MainActor
  func hear(_ event: CallEvent) {
    for handler in self {
      switch (handler, event) {
      case (.beginning(let body), .beginning): body()
      case (.progress(let body), .progress(let progress)): body(progress)
      case (.earlyValue(let body), .earlyValue(let value)): body(value)
      case (.retry(let body), .retry(let retry)): body(retry)
      case (.success(let body), .ended(.success(let value))): body(value)
      case (.error(let body), .ended(.failure(let error))): body(error)
      default: break
      }
    }
  }

  /// Calls the handlers of the completion.
  @MainActor
  func hearCompletion(_ outcome: Outcome<any LoadedValue>) {
    for case .completion(let body) in self { body(outcome) }
  }
}

/// A set of handlers to add to: those of a call in preparation, or an integrator's defaults.
///
/// A handler with an `owner:` holds it weakly, and is not called once the owner is deallocated.
public protocol CallHandling<Value>: Sendable {
  /// The value of a successful call.
  associatedtype Value: Sendable

  /// The handlers added so far; for use by Fieldstone.
  var _handlers: CallHandlers<Value> { get set }
}

extension CallHandling {
  consuming func adding(_ handler: CallHandler) -> Self {
    _handlers.list.append(handler)
    return self
  }

  /// Runs when the work begins, after the call has waited for its delay or its turn.
  public consuming func onBeginning(_ body: @escaping @MainActor () -> Void) -> Self {
    adding(.beginning(body))
  }

  /// Runs when the provider reports its progress.
  ///
  /// Up to 64 events wait for a busy main actor. Beyond that, a new report replaces the newest
  /// waiting one.
  public consuming func onProgress(
    _ body: @escaping @MainActor (LoadProgress) -> Void
  ) -> Self {
    adding(.progress(body))
  }

  /// Runs when there is a provisional value to show, such as a cached one.
  public consuming func onEarlyValue(_ body: @escaping @MainActor (Value) -> Void) -> Self {
    adding(.earlyValue { body($0.value(as: Value.self)) })
  }

  /// Runs when an attempt has failed and another one follows.
  public consuming func onRetry(_ body: @escaping @MainActor (UpcomingRetry) -> Void) -> Self {
    adding(.retry(body))
  }

  /// Runs when the call has succeeded.
  public consuming func onSuccess(_ body: @escaping @MainActor (Value) -> Void) -> Self {
    adding(.success { body($0.value(as: Value.self)) })
  }

  /// Runs when the call has failed; never for a cancelled call.
  public consuming func onError(_ body: @escaping @MainActor (any Error) -> Void) -> Self {
    adding(.error(body))
  }

  /// Runs exactly once, last, with the outcome of the call.
  public consuming func onCompletion(
    _ body: @escaping @MainActor (Outcome<Value>) -> Void
  ) -> Self {
    adding(.completion { body($0.typed()) })
  }
}

@MainActor
extension CallHandling {
  /// Runs when the work begins, for a weakly held owner.
  public consuming func onBeginning<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner) -> Void
  ) -> Self {
    onBeginning { [weak owner] in owner.map { body($0) } }
  }

  /// Runs when the provider reports its progress, for a weakly held owner.
  public consuming func onProgress<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, LoadProgress) -> Void
  ) -> Self {
    onProgress { [weak owner] progress in owner.map { body($0, progress) } }
  }

  /// Runs when there is a provisional value to show, for a weakly held owner.
  public consuming func onEarlyValue<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
  ) -> Self {
    onEarlyValue { [weak owner] value in owner.map { body($0, value) } }
  }

  /// Runs when another attempt follows, for a weakly held owner.
  public consuming func onRetry<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, UpcomingRetry) -> Void
  ) -> Self {
    onRetry { [weak owner] retry in owner.map { body($0, retry) } }
  }

  /// Runs when the call has succeeded, for a weakly held owner.
  public consuming func onSuccess<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
  ) -> Self {
    onSuccess { [weak owner] value in owner.map { body($0, value) } }
  }

  /// Runs when the call has failed, for a weakly held owner.
  public consuming func onError<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, any Error) -> Void
  ) -> Self {
    onError { [weak owner] error in owner.map { body($0, error) } }
  }

  /// Runs exactly once, last, for a weakly held owner.
  public consuming func onCompletion<Owner: AnyObject>(
    owner: Owner, _ body: @escaping @MainActor (Owner, Outcome<Value>) -> Void
  ) -> Self {
    onCompletion { [weak owner] outcome in owner.map { body($0, outcome) } }
  }
}

@MainActor
extension CallHandling {
  /// Passes the value of a success to a weakly held receiver.
  public consuming func forwardSuccess<Receiver: ValueReceiver>(to receiver: Receiver) -> Self
  where Receiver.Received == Value {
    onSuccess(owner: receiver) { $0.receive($1) }
  }

  /// Passes the error of a failure to a weakly held receiver.
  public consuming func forwardError(to receiver: some ErrorReceiver) -> Self {
    onError(owner: receiver) { $0.receive(error: $1) }
  }
}

/// A receiver of the values of successful calls: a presenter, or another integrator.
///
/// ```swift
/// extension AirportScreen: ValueReceiver {
///   func receive(_ airport: Airport) { title.text = airport.name }
/// }
/// airports.call("BER").forwardSuccess(to: screen).start()
/// ```
@MainActor
public protocol ValueReceiver<Received>: AnyObject, Sendable {
  /// The type of the values.
  associatedtype Received

  /// Receives a value.
  func receive(_ value: Received)
}

/// A receiver of the errors of failed calls: a presenter, or ``ErrorHandlers``.
@MainActor
public protocol ErrorReceiver: AnyObject, Sendable {
  /// Receives an error; never a cancellation.
  func receive(error: any Error)
}
