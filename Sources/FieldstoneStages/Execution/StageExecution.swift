public import FieldstoneCore

/// An execution that is under way: something to cancel and to await.
///
/// It ends exactly once. When it is cancelled it ends at once, also when the stage under way does
/// not heed the cancellation; what comes late is dropped. It need not be kept: releasing it
/// cancels nothing.
public final class StageExecution<Completion: Sendable>: Sendable {
  private let promise = OutcomePromise<Completion>()
  private let work = WorkStop()
  private let listeners = Locked(Listeners())

  /// What hears of the end beside the waiting tasks.
  private struct Listeners {
    var handler: (@Sendable (Outcome<Completion>) -> Void)?
    var trace: ActivityTrace?
  }

  package init() {}

  /// Cancels it; a no-op when it has ended.
  public func cancel() {
    cancel(.caller)
  }

  /// The completion, once it is there.
  ///
  /// - Throws: the error of a stage; ``/FieldstoneCore/CallCancelled`` when the execution was
  ///   cancelled; `CancellationError` at once when the waiting task is cancelled, while the
  ///   execution goes on.
  public var value: Completion {
    get async throws { try await promise.value }
  }

  /// How it ended, once it has; waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<Completion> {
    get async { await promise.outcome }
  }

  /// How it ended, or nil while it is under way.
  public var currentOutcome: Outcome<Completion>? {
    promise.current
  }
}

extension StageExecution {
  /// Registers the handler of the end; before ``start(_:in:options:whenStopped:)``.
  func whenEnded(_ handler: @escaping @Sendable (Outcome<Completion>) -> Void) {
    listeners.withLock { $0.handler = handler }
  }

  /// Tells observers of activities that it waits for its turn.
  func waitForTurn(of type: Any.Type) {
    trace(of: type)?.tell(.waiting)
  }

  /// Its trace, made with the first need; nil without an observer, and after the end.
  private func trace(of type: Any.Type) -> ActivityTrace? {
    guard let new = ActivityTrace.make(.stageExecution, named: "\(type)") else { return nil }
    let trace = listeners.withLock { listeners in
      let trace = listeners.trace ?? new
      listeners.trace = trace
      return trace
    }
    // An end from now on finds the trace; one from before has told nobody.
    return promise.current == nil ? trace : nil
  }

  /// Starts the work, unless it was cancelled.
  ///
  /// - Parameter whenStopped: called when it no longer runs, which may be after the end.
  package func start<Work: ContextualStage>(
    _ stage: Work, in context: Work.Context, options: ExecutionOptions<Work>,
    whenStopped: (@Sendable () -> Void)? = nil
  ) where Work.Completion == Completion {
    trace(of: Work.self)?.tell(.began)
    let task = Task(priority: options.priority) { @concurrent in
      // It may have been cancelled when there was no task to cancel.
      if self.work.phase == .underWay {
        self.end(
          with: await Outcome(running: {
            try await Work._run(from: stage, in: context, options: options)
          }))
      }
      // The task is released; an execution may be kept long after its end.
      self.work.end()
      whenStopped?()
    }
    work.keep(task)
  }

  func cancel(_ reason: CancellationReason) {
    // First the end: what the cancelled work comes to is late.
    end(with: .cancelled(reason))
    work.stop()
  }

  private func end(with outcome: Outcome<Completion>) {
    let isEnd = promise.end(with: outcome) {
      guard ActivityTrace.isObserved else { return }
      listeners.withLock { $0.trace }?.tell(.ended(outcome.withoutValue))
    }
    guard isEnd else { return }
    let handler = listeners.withLock { $0.handler.take() }
    handler?(outcome)
  }
}
