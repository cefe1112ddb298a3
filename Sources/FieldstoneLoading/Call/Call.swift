public import FieldstoneCore
public import Observation

/// A call that was started: something to cancel and to await.
///
/// It ends exactly once. When it is cancelled it ends at once, also when the provider does not
/// heed the cancellation; what comes late is dropped. It need not be kept: releasing it cancels
/// nothing. Reads of ``currentOutcome`` are tracked.
@MainActor
public final class Call<Value: Sendable>: Observable {
  private var life = CallLife<Value>()
  private var promise: OutcomePromise<Value>?
  private var tracker: StateTracker?

  private(set) var handlers: CallHandlers<Value>
  private(set) var options: CallOptions<Value>?
  private(set) var flight: CallFlight<Value>?

  init(handlers: CallHandlers<Value>, options: CallOptions<Value>?) {
    self.handlers = handlers
    self.options = options
  }

  /// Cancels the call; a no-op when it has ended.
  ///
  /// The outcome is there when this returns; handlers are called afterwards.
  public func cancel() {
    flight?.center.cancel(self, .caller)
  }

  /// How the call ended, or nil while it has not.
  public var currentOutcome: Outcome<Value>? {
    if life.isUnderWay {
      let tracker = tracker ?? StateTracker()
      self.tracker = tracker
      tracker.noteAccess()
    }
    return life.outcome
  }

  /// How the call ended, once it has; waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<Value> {
    get async {
      if let outcome = life.outcome { return outcome }
      return await ensuredPromise.outcome
    }
  }

  /// The value, once it is there.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` when the call was
  ///   cancelled; `CancellationError` at once when the task that waits is cancelled, while the call
  ///   goes on.
  public var value: Value {
    get async throws {
      if let outcome = life.outcome { return try outcome.get() }
      return try await ensuredPromise.value
    }
  }

  private var ensuredPromise: OutcomePromise<Value> {
    if let promise { return promise }
    let promise = OutcomePromise<Value>()
    self.promise = promise
    return promise
  }
}

extension Call {
  var isUnderWay: Bool { life.isUnderWay }

  /// Whether an error shall be as if it had not happened to anybody but the caller.
  func ignores(_ error: any Error) -> Bool {
    options?.values.ignored.contains { $0(error) } ?? false
  }

  func start(in flight: CallFlight<Value>, waiting: Bool) {
    self.flight = flight
    _ = life.start(waiting: waiting)
  }

  /// Goes on to run.
  ///
  /// - Returns: whether the call was waiting.
  func proceed() -> Bool {
    if case .run = life.proceed() { true } else { false }
  }

  /// Ends the call with what its work came to, or without it.
  ///
  /// - Returns: whether this is what ended it.
  func end(with outcome: Outcome<Value>) -> Bool {
    let action: CallLife<Value>.Action
    if case .cancelled(let reason) = outcome {
      action = life.cancel(reason)
    } else {
      action = life.finish(with: outcome)
    }
    guard case .end = action else { return false }
    flight = nil
    promise?.end(with: outcome)
    return true
  }

  /// Tells those who follow the state.
  func noteEnd() {
    tracker?.changed()
  }

  /// Lets go of the handlers; nothing more will be heard.
  func forget() {
    handlers = CallHandlers()
    options = nil
  }
}
