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
