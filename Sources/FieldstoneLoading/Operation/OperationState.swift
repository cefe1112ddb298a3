import FieldstoneCore
import Foundation

/// The state of a stateful operation: the life of a call, and the state that its queue needs.
///
/// Every transition is pure and returns the shell's next action; it runs no user's code. An ended
/// operation is not finished for its queue while handlers run, or while a thread is inside its
/// work.
///
/// It is independent of the output's type: type lookups for a generic state would cost a
/// microsecond for every operation.
struct OperationState: Sendable {
  /// The next action after the start, or after the start handlers.
  enum Next: Sendable {
    /// Nothing: it was started before.
    case nothing
    /// It has ended; notify the queue if nothing else is left to do.
    case over(Finishing?)
    /// Check the dependencies, and then call ``OperationState/proceed()``.
    case check
    /// Call the start handlers, and then call ``OperationState/startTold()``.
    case tell([OperationHandler])
    /// Do the work, and then call ``OperationState/workReturned(with:)`` or
    /// ``OperationState/workGoesOnElsewhere()``.
    case work
    /// It ended during the start handlers: call the end handlers.
    case end(Ending)
  }

  /// The shell's actions after the end.
  struct Ending: Sendable {
    let outcome: ErasedOutcome
    /// Whether the work had begun.
    let didWork: Bool
    /// Whether the work must be stopped; false if the work itself ended.
    var stopsWork = false
    var task: Task<Void, Never>?
    /// The handlers to call; nil if the call of the start handlers continues with them.
    var handlers: [OperationHandler]?
    /// The remaining actions if there is no handler to call.
    var settling: Settling?
  }

  /// The shell's actions once all handlers have returned.
  struct Settling: Sendable {
    let finishing: Finishing?
    let promise: OutcomePromise<any Sendable>?
  }

  /// The notification of the queue that the operation has finished.
  struct Finishing: Sendable {
    let hasDependencies: Bool
    /// Whether the shell must still call ``OperationState/finish()``, between the notifications.
    let isAnnounced: Bool
    let waiting: Waiting?
  }

  /// The waiting promise, and its outcome.
  struct Waiting: Sendable {
    let promise: OutcomePromise<any Sendable>
    let outcome: ErasedOutcome
  }

  /// The shell's action when synchronous work has returned.
  enum Return: Sendable {
    case ended(Ending)
    /// It had ended before.
    case late(Finishing?)
  }

  private(set) var life = CallStateMachine<any Sendable>()
  private(set) var isExecuting = false
  private(set) var isFinished = false

  var stopsWhenDependencyFails = false
  var hasDependencies = false
  /// Whether Foundation's count of unfinished dependencies may be wrong.
  var hasMiscount = false
  var watch: Operation?

  /// The trace for observers of activities; nil without one.
  private var trace: ActivityTrace?

  /// Whether a queue may have it; set also by a chain that is about to enqueue it.
  private var isEnqueued = false
  /// The number of threads that change the dependencies, for which Foundation asks for readiness.
  private var dependencyChanges = 0
  /// Whether Foundation will ask for readiness once more, when the last dependency has finished.
  private var isReadinessDue = false

  private var isStarted = false
  private var isWorking = false
  /// Whether a thread is inside synchronous work; it occupies the queue until the work returns.
  private var isHeld = false
  private var isTelling = false
  private var isTold = false
  private var isFinishing = false

  private var handlers: [OperationHandler] = []
  private var task: Task<Void, Never>?
  private var promise: OutcomePromise<any Sendable>?
}

// MARK: Queue

// Foundation stops the program if an operation is enqueued twice, and does not tell which are in a
// queue. But a queue asks an operation whether it is ready when it takes it. Foundation also asks
// when the dependencies change, and once when the last of them has finished.
extension OperationState {
  /// Claims it for a queue.
  ///
  /// - Returns: whether the caller must enqueue it; false if it was started or cancelled, or if a
  ///   queue may have it. An operation that ended otherwise needs its start to be finished.
  mutating func claimForQueue() -> Bool {
    guard !isEnqueued, !isStarted, life.outcome?.isCancellation != true else { return false }
    isEnqueued = true
    return true
  }

  /// Whether the next question for readiness may be that of a queue.
  var isQuestionDue: Bool { !isEnqueued && dependencyChanges == 0 }

  /// Notes that Foundation or a user has asked whether the operation is ready.
  mutating func wasAsked(whetherReady isReady: Bool) {
    guard isQuestionDue else { return }
    if isReady, isReadinessDue { isReadinessDue = false } else { isEnqueued = true }
  }

  /// Ignores the questions for readiness that a change of the dependencies causes.
  mutating func beginDependencyChange() {
    dependencyChanges += 1
  }

  /// Ends such a change.
  ///
  /// - Parameter isReady: whether no unfinished dependency is left.
  mutating func endDependencyChange(isReady: Bool) {
    dependencyChanges -= 1
    isReadinessDue = !isReady
  }
}

// MARK: Start

extension OperationState {
  /// Whether it has not ended.
  var isPending: Bool { life.outcome == nil }

  /// Adds a handler, unless the operation has ended.
  mutating func add(_ handler: OperationHandler) {
    if isPending { handlers.append(handler) }
  }

  mutating func start(_ trace: ActivityTrace? = nil) -> Next {
    guard !isStarted else { return .nothing }
    isStarted = true
    guard case .run = life.start(waiting: false) else {
      return .over(claimFinish())
    }
    if let trace {
      self.trace = trace
      trace.note(.began)
    }
    isExecuting = true
    isHeld = true
    return stopsWhenDependencyFails && hasDependencies ? .check : proceed()
  }

  mutating func proceed() -> Next {
    guard life.isUnderWay else { return .over(release()) }
    let hearing = handlers.filter { $0.moment == .start }
    guard hearing.isEmpty else {
      isTelling = true
      return .tell(hearing)
    }
    isWorking = true
    return .work
  }

  mutating func startTold() -> Next {
    guard let outcome = life.outcome else {
      isTelling = false
      isWorking = true
      return .work
    }
    return .end(Ending(outcome: outcome, didWork: false, handlers: takeHandlers()))
  }

  /// Keeps the task of the work.
  ///
  /// - Returns: whether the task is needed; false if the operation has ended meanwhile.
  mutating func keep(_ task: Task<Void, Never>) -> Bool {
    guard life.isUnderWay else { return false }
    self.task = task
    return true
  }
}

// MARK: End

extension OperationState {
  /// Ends the operation; ignored if it has ended.
  ///
  /// - Parameter byWork: whether the outcome is that of the work.
  mutating func end(with outcome: ErasedOutcome, byWork: Bool) -> Ending? {
    guard case .end = life.end(with: outcome) else { return nil }
    trace?.note(.ended(outcome.withoutValue))
    var ending = Ending(outcome: outcome, didWork: isWorking)
    ending.stopsWork = isWorking && !byWork
    swap(&ending.task, &task)
    if isTelling { return ending }
    // Only the shell knows whether there is a default handler for the failure.
    if handlers.isEmpty, outcome.failure == nil {
      isTold = true
      ending.settling = settle()
    } else {
      isTelling = true
      ending.handlers = takeHandlers()
    }
    return ending
  }

  /// Notes that all end handlers have returned.
  mutating func handlersFinished() -> Settling {
    isTelling = false
    isTold = true
    return settle()
  }

  /// Takes the outcome of synchronous work, whose thread is then released.
  mutating func workReturned(with outcome: ErasedOutcome) -> Return {
    isHeld = false
    if let ending = end(with: outcome, byWork: true) { return .ended(ending) }
    return .late(claimFinish())
  }

  /// Notes that the work is asynchronous or calls back, and releases the thread of `start()`.
  ///
  /// - Returns: `work`, or `over` if the operation has ended meanwhile.
  mutating func workGoesOnElsewhere() -> Next {
    isHeld = false
    return life.isUnderWay ? .work : .over(claimFinish())
  }

  /// Notes that the thread of `start()` is released.
  mutating func release() -> Finishing? {
    isHeld = false
    return claimFinish()
  }

  /// Marks the operation as finished for its queue.
  mutating func finish() -> Waiting? {
    isExecuting = false
    isFinished = true
    guard let promise = takePromise(), let outcome = life.outcome else { return nil }
    return Waiting(promise: promise, outcome: outcome)
  }

  /// The promise of the tasks that await the outcome, if they can be resumed now.
  mutating func takePromise() -> OutcomePromise<any Sendable>? {
    // The promise is checked first: few operations are awaited, and an outcome is costly to copy.
    guard promise != nil, isSettled else { return nil }
    defer { promise = nil }
    return promise
  }

  /// The outcome, or the promise to wait for.
  mutating func waiting() -> (ErasedOutcome?, OutcomePromise<any Sendable>?) {
    if isSettled { return (life.outcome, nil) }
    let promise = promise ?? OutcomePromise()
    self.promise = promise
    return (nil, promise)
  }

  /// Whether waiting tasks can be resumed, because all handlers have returned.
  ///
  /// A cancelled operation may not have finished yet: its queue has not started it, or a thread
  /// ignores the cancellation.
  private var isSettled: Bool {
    isTold && (isFinished || life.outcome?.isCancellation == true)
  }

  private mutating func settle() -> Settling {
    Settling(finishing: claimFinish(), promise: takePromise())
  }

  private mutating func claimFinish() -> Finishing? {
    // A queue must not be notified of the end of an operation that it has not started.
    guard isStarted, isTold, !isHeld, !isFinishing else { return nil }
    isFinishing = true
    #if canImport(ObjectiveC)
      // Key-value observation requires a notification before the change.
      return Finishing(hasDependencies: hasDependencies, isAnnounced: true, waiting: nil)
    #else
      if hasDependencies {
        return Finishing(hasDependencies: true, isAnnounced: true, waiting: nil)
      }
      return Finishing(hasDependencies: false, isAnnounced: false, waiting: finish())
    #endif
  }

  private mutating func takeHandlers() -> [OperationHandler] {
    var taken: [OperationHandler] = []
    swap(&taken, &handlers)
    return taken
  }
}
