import FieldstoneCore

/// What is done when something happens to a call.
///
/// Handlers run on the main actor, never under a lock, and never within `start()` or `cancel()`:
/// those have returned by then. For one call they are heard in this order: beginning; progress,
/// early values and retries as they come; success or error; completion. Completion comes exactly
/// once and last, also for a call that was cancelled, turned away or superseded; such a call has
/// neither success nor error. Several handlers for one thing run in the order in which they were
/// given. (Seed: IDMCore's handlers of an integration call.)
///
/// ```swift
/// airports.defaultHandlers = CallHandlers()
///   .onError(owner: self) { screen, error in screen.show(error) }
/// ```
public struct CallHandlers<Value: Sendable>: CallHandling {
  var list: [CallHandler] = []

  /// Makes an empty set of handlers.
  public init() {}

  /// The handlers themselves.
  public var handlers: CallHandlers {
    get { self }
    set { self = newValue }
  }
}

/// What a call tells its handlers.
enum CallEvent: Sendable {
  case beginning
  case progress(LoadProgress)
  case earlyValue(any LoadedValue)
  case retry(UpcomingRetry)
  case ended(Outcome<any LoadedValue>)
}

/// One thing that is done when something happens to a call.
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

  /// Calls the handlers of this event; an end is delivered in two parts.
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
