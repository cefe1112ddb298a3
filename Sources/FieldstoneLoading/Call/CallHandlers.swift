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
  enum Handler: Sendable {
    case beginning(@MainActor () -> Void)
    case progress(@MainActor (LoadProgress) -> Void)
    case earlyValue(@MainActor (Value) -> Void)
    case retry(@MainActor (UpcomingRetry) -> Void)
    case success(@MainActor (Value) -> Void)
    case error(@MainActor (any Error) -> Void)
    case completion(@MainActor (Outcome<Value>) -> Void)
  }

  private(set) var list: [Handler] = []
  private(set) var hearsBeginning = false

  /// Makes an empty set of handlers.
  public init() {}

  /// The handlers themselves.
  public var handlers: CallHandlers {
    get { self }
    set { self = newValue }
  }

  mutating func append(_ handler: Handler) {
    if case .beginning = handler { hearsBeginning = true }
    list.append(handler)
  }

  /// Tells those who hear this event; an end is told in two parts.
  @MainActor
  func hear(_ event: CallEvent<Value>) {
    for handler in list {
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

  /// Tells those who hear the completion.
  @MainActor
  func hearCompletion(_ outcome: Outcome<Value>) {
    for case .completion(let body) in list { body(outcome) }
  }
}
