public import FieldstoneCore

/// An execution under way, which can be cancelled and awaited.
///
/// It ends exactly once. A cancelled execution ends at once, even if the current stage ignores the
/// cancellation; a late result is dropped. It need not be kept: releasing it cancels nothing.
public final class StageExecution<Completion: Sendable>: Sendable {
  private let promise = OutcomePromise<Completion>()
  private let work = WorkStop()
  private let listeners = Locked(Listeners())

  /// The observers of the end, besides the waiting tasks.
  private struct Listeners {
    var handler: (@Sendable (Outcome<Completion>) -> Void)?
    var trace: ActivityTrace?
  }

  package init() {}

  /// Cancels the execution; a no-op if it has ended.
  public func cancel() {
    cancel(.caller)
  }

  /// The completion, awaited until the execution ends.
  ///
  /// - Throws: the error of a stage; ``/FieldstoneCore/CallCancelled`` if the execution was
  ///   cancelled; `CancellationError` at once if the waiting task is cancelled, while the execution
  ///   continues.
  public var value: Completion {
    get async throws { try await promise.value }
  }

  /// The outcome, awaited until the execution ends, even if the waiting task is cancelled.
  public var outcome: Outcome<Completion> {
    get async { await promise.outcome }
  }

  /// The outcome, or nil while the execution is under way.
  public var currentOutcome: Outcome<Completion>? {
    promise.current
  }
}

extension StageExecution {
  /// Sets the handler of the end; call it before ``start(_:in:options:whenStopped:)``.
  func whenEnded(_ handler: @escaping @Sendable (Outcome<Completion>) -> Void) {
    listeners.withLock { $0.handler = handler }
  }

  /// Notifies observers of activities that the execution waits for its turn.
  func waitForTurn(of type: Any.Type) {
    trace(of: type)?.tell(.waiting)
  }

  /// Its trace, made on first use; nil without an observer, and after the end.
  private func trace(of type: Any.Type) -> ActivityTrace? {
    guard let new = ActivityTrace.make(.stageExecution, named: "\(type)") else { return nil }
    let trace = listeners.withLock { listeners in
      let trace = listeners.trace ?? new
      listeners.trace = trace
      return trace
    }
    // A later end finds the trace; an earlier end has notified no observer.
    return promise.current == nil ? trace : nil
  }

  /// Starts the work, unless the execution was cancelled.
  ///
  /// - Parameters:
  ///   - isDetached: whether the work begins without the current task's task-local values and
  ///     priority.
  ///   - whenStopped: called when the work has stopped, which may be after the end.
  package func start<Work: ContextualStage>(
    _ stage: Work, in context: Work.Context, options: ExecutionOptions<Work>,
    isDetached: Bool = false, whenStopped: (@Sendable () -> Void)? = nil
  ) where Work.Completion == Completion {
    trace(of: Work.self)?.tell(.began)
    let body: @Sendable @concurrent () async -> Void = {
      // It may have been cancelled before the task was kept.
      if self.work.phase == .underWay {
        self.end(
          with: await Outcome(running: {
            try await Work._run(from: stage, in: context, options: options)
          }))
      }
      // Releases the task, because an execution may be kept long after its end.
      self.work.end()
      whenStopped?()
    }
    work.keep(
      isDetached
        ? Task.detached(priority: options.priority, operation: body)
        : Task(priority: options.priority, operation: body))
  }

  func cancel(_ reason: CancellationReason) {
    // The promise ends first, so that the outcome of the cancelled work is dropped.
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
