/// The caller's view of one call on the main actor: started, ended once, awaited and observed.
///
/// Keep it in the class that the caller holds. The first `await` makes its promise; the first
/// tracked read makes its tracker.
@MainActor
package struct CallHandle<Success: Sendable> {
  private var machine = CallStateMachine<Success>()
  private var promise: OutcomePromise<Success>?
  private var tracker: StateTracker?

  /// The trace for observers of activities, in which each transition is noted; nil without one.
  private var trace: ActivityTrace?

  package init() {}

  /// Whether the call was started and has not ended.
  package var isUnderWay: Bool { machine.isUnderWay }

  /// Gives the call a trace, before it starts or ends; deliver its notes once the state is
  /// consistent.
  package mutating func follow(_ trace: ActivityTrace?) {
    if let trace { self.trace = trace }
  }

  /// The number of the call for observers of activities; nil without one.
  package var activity: Int? { trace?.activity }

  /// Starts the call; its work begins at once, or after it has waited.
  package mutating func start(waiting: Bool) {
    if case .none = machine.start(waiting: waiting) { return }
    trace?.note(waiting ? .waiting : .began)
  }

  /// Notes that an attempt failed and another follows.
  package func noteRetry(attempt: Int, after error: any Error, delay: Duration) {
    trace?.note(.retrying(attempt: attempt, error: error, delay: delay))
  }

  /// Ends the wait.
  ///
  /// - Returns: whether the work begins now.
  package mutating func proceed() -> Bool {
    guard case .run = machine.proceed() else { return false }
    trace?.note(.began)
    return true
  }

  /// Ends the call, and resumes the tasks that await it.
  ///
  /// - Returns: whether this call of `end` ended it; false if it had ended before.
  package mutating func end(with outcome: Outcome<Success>) -> Bool {
    guard case .end = machine.end(with: outcome) else { return false }
    trace?.note(.ended(outcome.withoutValue))
    promise?.end(with: outcome)
    return true
  }

  /// Notifies observers of the call's state; call it once the state is consistent.
  package func notifyObservers() {
    tracker?.changed()
  }

  /// The outcome of the call, or nil; a read before the end is tracked.
  package mutating func trackedOutcome() -> Outcome<Success>? {
    if machine.isUnderWay {
      let tracker = tracker ?? StateTracker()
      self.tracker = tracker
      tracker.noteAccess()
    }
    return machine.outcome
  }

  /// The end of the call, for awaiting.
  package mutating func ending() -> CallEnding<Success> {
    if let outcome = machine.outcome { return .known(outcome) }
    let promise = promise ?? OutcomePromise()
    self.promise = promise
    return .promised(promise)
  }
}

/// The end of a call, known or still to come.
package enum CallEnding<Success: Sendable>: Sendable {
  case known(Outcome<Success>)
  case promised(OutcomePromise<Success>)

  /// The outcome of the call; a cancelled waiting task still waits for it.
  package var outcome: Outcome<Success> {
    get async {
      switch self {
      case .known(let outcome): outcome
      case .promised(let promise): await promise.outcome
      }
    }
  }

  /// The value of a success.
  ///
  /// - Throws: its error, `CallCancelled`, or `CancellationError` when the waiting task is cancelled.
  package var value: Success {
    get async throws {
      switch self {
      case .known(let outcome): try outcome.get()
      case .promised(let promise): try await promise.value
      }
    }
  }
}
