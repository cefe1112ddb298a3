import FieldstoneCore
import Foundation

/// The state of a stateful operation: the life of a call, and the state that its queue needs.
///
/// Every transition is pure and says what the shell has to do; no user's code runs in it. Two
/// things keep an ended operation from being finished for its queue: handlers that still run, and a
/// thread that is still inside its work.
///
/// It does not know the type of the output: a generic state costs a microsecond of looking types up
/// with every operation.
struct OperationState: Sendable {
  /// How it goes on after the start, or after the handlers of the start.
  enum Next: Sendable {
    /// It was started before.
    case nothing
    /// It is over; the queue is notified if nothing is left to do.
    case over(Finishing?)
    /// Look at the dependencies, and then call ``OperationState/proceed()``.
    case check
    /// Tell the handlers of the start, and then call ``OperationState/startTold()``.
    case tell([OperationHandler])
    /// Do the work, and then call ``OperationState/workReturned(with:)`` or
    /// ``OperationState/workGoesOnElsewhere()``.
    case work
    /// It ended while the handlers of the start were called: call those of the end.
    case end(Ending)
  }

  /// The shell's task after the end.
  struct Ending: Sendable {
    let outcome: ErasedOutcome
    /// Whether the work had begun.
    let didWork: Bool
    /// Whether the work has to be stopped, which it need not when it ended by itself.
    var stopsWork = false
    var task: Task<Void, Never>?
    /// The handlers to call; nil where the call of the start handlers goes on with the end.
    var handlers: [OperationHandler]?
    /// The rest of the end when there is no handler to call.
    var settling: Settling?
  }

  /// The shell's task once all handlers were called.
  struct Settling: Sendable {
    let finishing: Finishing?
    let promise: OutcomePromise<any Sendable>?
  }

  /// The queue is notified now.
  struct Finishing: Sendable {
    let hasDependencies: Bool
    /// Whether ``OperationState/finish()`` has to be called yet.
    let isAnnounced: Bool
    let waiting: Waiting?
  }

  /// The waiting promise, and its outcome.
  struct Waiting: Sendable {
    let promise: OutcomePromise<any Sendable>
    let outcome: ErasedOutcome
  }

  /// The shell's task when synchronous work has returned.
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
  /// Whether Foundation's count of unfinished dependencies can't be relied on any more.
  var hasMiscount = false
  var watch: Operation?

  /// The trace for observers of activities; nil without one.
  private var trace: ActivityTrace?

  private var isStarted = false
  private var isWorking = false
  /// Whether a thread is inside synchronous work: its place in the queue is taken until it returns.
  private var isHeld = false
  private var isTelling = false
  private var isTold = false
  private var isFinishing = false

  private var handlers: [OperationHandler] = []
  private var task: Task<Void, Never>?
  private var promise: OutcomePromise<any Sendable>?
}

// MARK: Beginning

extension OperationState {
  /// Whether it has neither been started nor ended.
  var isFresh: Bool { !isStarted && isPending }

  /// Whether it has not ended.
  var isPending: Bool { life.outcome == nil }

  /// Adds a handler, unless it is too late for it to hear anything.
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

  /// Keeps the task that does the work.
  ///
  /// - Returns: whether it is needed: false when the operation has ended meanwhile.
  mutating func keep(_ task: Task<Void, Never>) -> Bool {
    guard life.isUnderWay else { return false }
    self.task = task
    return true
  }
}

// MARK: End

extension OperationState {
  /// Ends it, unless it has ended before.
  ///
  /// - Parameter byWork: whether the work itself came to this.
  mutating func end(with outcome: ErasedOutcome, byWork: Bool) -> Ending? {
    guard case .end = life.end(with: outcome) else { return nil }
    trace?.note(.ended(outcome.withoutValue))
    var ending = Ending(outcome: outcome, didWork: isWorking)
    ending.stopsWork = isWorking && !byWork
    swap(&ending.task, &task)
    if isTelling { return ending }
    // A failure may have a default handler, of which only the shell knows.
    if handlers.isEmpty, outcome.failure == nil {
      isTold = true
      ending.settling = settle()
    } else {
      isTelling = true
      ending.handlers = takeHandlers()
    }
    return ending
  }

  /// Says that all handlers were called for the end.
  mutating func handlersFinished() -> Settling {
    isTelling = false
    isTold = true
    return settle()
  }

  /// Takes what synchronous work came to, and that its thread is done with it.
  mutating func workReturned(with outcome: ErasedOutcome) -> Return {
    isHeld = false
    if let ending = end(with: outcome, byWork: true) { return .ended(ending) }
    return .late(claimFinish())
  }

  /// Says that the work goes on elsewhere.
  ///
  /// - Returns: nothing when it has ended meanwhile, and that may be told to the queue.
  mutating func workGoesOnElsewhere() -> Next {
    isHeld = false
    return life.isUnderWay ? .work : .over(claimFinish())
  }

  /// Says that the thread of `start()` is done with it.
  mutating func release() -> Finishing? {
    isHeld = false
    return claimFinish()
  }

  /// Says that it is finished for its queue.
  mutating func finish() -> Waiting? {
    isExecuting = false
    isFinished = true
    guard let promise = takePromise(), let outcome = life.outcome else { return nil }
    return Waiting(promise: promise, outcome: outcome)
  }

  /// The promise of those that wait for the outcome, to be resumed now.
  mutating func takePromise() -> OutcomePromise<any Sendable>? {
    // Few are waited for, and the outcome is costly to copy.
    guard promise != nil, isSettled else { return nil }
    defer { promise = nil }
    return promise
  }

  /// The outcome for its waiters, or where to wait.
  mutating func waiting() -> (ErasedOutcome?, OutcomePromise<any Sendable>?) {
    if isSettled { return (life.outcome, nil) }
    let promise = promise ?? OutcomePromise()
    self.promise = promise
    return (nil, promise)
  }

  /// A task that waited finds everything done.
  ///
  /// A cancelled operation may still be left to its queue, or to a thread that ignores the
  /// cancellation.
  private var isSettled: Bool {
    isTold && (isFinished || life.outcome?.isCancellation == true)
  }

  private mutating func settle() -> Settling {
    Settling(finishing: claimFinish(), promise: takePromise())
  }

  private mutating func claimFinish() -> Finishing? {
    // A queue must not hear of the end of what it has not started.
    guard isStarted, isTold, !isHeld, !isFinishing else { return nil }
    isFinishing = true
    #if canImport(ObjectiveC)
      // Key-value observation wants to be told before the change.
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
