import FieldstoneCore
import Foundation

// Performs the actions of the state's transitions.
extension StatefulOperation {
  func go(on next: OperationState.Next) {
    switch next {
    case .nothing:
      break
    case .over(let finishing):
      finishForQueue(finishing)
    case .check:
      noteExecuting()
      if let outcome = outcomeOfDependencies() {
        end(with: outcome, byWork: true, beginsHere: true)
        finishForQueue(state.withLock { $0.release() })
      } else {
        proceed(to: state.withLock { $0.proceed() })
      }
    case .tell, .work, .end:
      noteExecuting()
      proceed(to: next)
    }
  }

  private func proceed(to next: OperationState.Next) {
    switch next {
    case .nothing, .check:
      break
    case .over(let finishing):
      finishForQueue(finishing)
    case .tell(let handlers):
      let errands = handlers.map { handler in
        OperationHandler.Errand(executor: handler.executor) { handler.body(nil) }
      }
      errands.wait { self.state.withLock { $0.life.isUnderWay } }
      proceed(to: state.withLock { $0.startTold() })
    case .work:
      work()
    case .end(let ending):
      tell(ending, beginsHere: true)
      finishForQueue(state.withLock { $0.release() })
    }
  }

  private func work() {
    let result = Result<any Sendable, any Error> { try run() }
    if case .failure(is RunsElsewhere) = result {
      switch state.withLock({ $0.workGoesOnElsewhere() }) {
      case .over(let finishing): finishForQueue(finishing)
      default: main()
      }
      return
    }
    // The current task is not consulted: a cancelled operation has ended already.
    let outcome = ErasedOutcome(result)
    let returned = state.withLock { $0.workReturned(with: outcome) }
    ActivityTrace.deliver()
    switch returned {
    case .ended(let ending): follow(ending, beginsHere: true)
    case .late(let finishing): finishForQueue(finishing)
    }
  }

  /// Ends the operation; ignored if it has ended.
  ///
  /// - Parameters:
  ///   - byWork: whether the outcome is that of the work, which then need not be stopped.
  ///   - beginsHere: whether handlers on the current executor are called before this returns.
  /// - Returns: whether this ended the operation.
  @discardableResult
  func end(with outcome: ErasedOutcome, byWork: Bool, beginsHere: Bool) -> Bool {
    guard let ending = state.withLock({ $0.end(with: outcome, byWork: byWork) }) else {
      return false
    }
    ActivityTrace.deliver()
    if ending.stopsWork {
      ending.task?.cancel()
      onCancel()
    }
    if !byWork { cancelForQueue() }
    follow(ending, beginsHere: beginsHere)
    return true
  }

  private func follow(_ ending: OperationState.Ending, beginsHere: Bool) {
    didEnd()
    if let settling = ending.settling {
      settle(settling, ending.outcome)
    } else {
      tell(ending, beginsHere: beginsHere)
    }
  }

  private func tell(_ ending: OperationState.Ending, beginsHere: Bool) {
    guard var handlers = ending.handlers else { return }
    if let error = ending.outcome.failure, let handle = defaultErrorHandler {
      handlers.insert(.onMain(at: .failure) { _ in handle(error) }, at: 0)
    }
    let errands = [OperationHandler.Errand](
      handlers, ending: ending.outcome, didWork: ending.didWork)
    // No thread waits, because another operation's thread may wait for this thread's queue.
    errands.run(beginsHere: beginsHere) {
      self.settle(self.state.withLock { $0.handlersFinished() }, ending.outcome)
    }
  }

  private func settle(
    _ settling: OperationState.Settling, _ outcome: ErasedOutcome
  ) {
    settling.promise?.end(with: outcome)
    finishForQueue(settling.finishing)
  }

  func runTask() {
    let task = Task(priority: taskPriority) {
      let outcome = await ErasedOutcome(running: { try await run() })
      end(with: outcome, byWork: true, beginsHere: false)
    }
    if !state.withLock({ $0.keep(task) }) { task.cancel() }
  }

  private var taskPriority: TaskPriority? {
    switch qualityOfService {
    case .userInteractive, .userInitiated: .userInitiated
    case .utility: .utility
    case .background: .background
    default: nil
    }
  }

  /// Calls the handlers of an operation that was deallocated while its work was under way.
  func abandon() {
    guard state.withLock({ $0.life.isUnderWay }) else { return }
    let ending = state.withLock { $0.end(with: .cancelled(.released), byWork: true) }
    ActivityTrace.deliver()
    guard let handlers = ending?.handlers, let outcome = ending?.outcome else { return }
    [OperationHandler.Errand](handlers, ending: outcome, didWork: true).run(beginsHere: false) {}
  }
}

// MARK: The queue

extension StatefulOperation {
  private func noteExecuting() {
    willChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isExecuting")
  }

  private func finishForQueue(_ finishing: OperationState.Finishing?) {
    guard let finishing else { return }
    var waiting = finishing.waiting
    if finishing.hasDependencies { forgetDependencies { !$0.isFinished } }
    if finishing.isAnnounced {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      waiting = state.withLock { $0.finish() }
      didChangeValue(forKey: "isExecuting")
    }
    didChangeValue(forKey: "isFinished")
    if finishing.hasDependencies { forgetDependencies() }
    if let waiting { waiting.promise.end(with: waiting.outcome) }
  }
}
