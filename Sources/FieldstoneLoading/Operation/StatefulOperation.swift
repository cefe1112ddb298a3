import Dispatch
public import FieldstoneCore
public import Foundation

/// An operation for queues and dependencies, with a typed outcome and handlers for its events.
///
/// Override one method: `run()`, which may be asynchronous and may throw, or `main()` for a
/// callback API that then calls ``finish(_:)``. A subclass restates `@unchecked Sendable`, as
/// Foundation requires.
///
/// ```swift
/// final class ValidateLogin: StatefulOperation<Session>, @unchecked Sendable {
///   let email: String
///   init(email: String) { self.email = email }
///
///   override func run() throws -> Session {
///     guard email.contains("@") else { throw InputError.invalidEmail }
///     return Session(email)
///   }
/// }
///
/// queue.addOperation(
///   ValidateLogin(email: email)
///     .onStart { spinner.start() }
///     .onReturn { spinner.stop() }
///     .onSuccess { welcome($0) }
///     .onFail { banner.show($0) })
/// ```
///
/// It ends exactly once. A cancelled operation ends at once, even if its work ignores the
/// cancellation; a late result is dropped. For its queue it is finished once its handlers have
/// returned. Cancelled synchronous work occupies the queue until it returns. An operation that was
/// cancelled before its start stays in the queue until its turn.
///
/// Handlers run on the main actor unless given another executor. They can't run while the main
/// thread blocks on the operation or its queue (`waitUntilFinished` and similar), which is a
/// deadlock: await ``outcome`` instead. Without handlers nothing hops to the main actor.
///
/// It releases its dependencies when it ends. `queue.progress` does not count it on Linux. (Seeds:
/// Mold's `MDOperation`, ModelBlocks' `SimpleAsynchronousOperation`.)
open class StatefulOperation<Output: Sendable>: Operation, @unchecked Sendable {
  let state = Locked(OperationState())

  /// Makes an operation.
  public override init() {
    super.init()
  }

  deinit {
    // On Linux a dependency keeps unretained pointers to its dependents.
    let (hasDependencies, isUnderWay) = state.withLock {
      ($0.hasDependencies, !$0.isFinished && $0.life.isUnderWay)
    }
    if hasDependencies { forgetDependencies() }
    if isUnderWay { abandon() }
  }

  // MARK: Overriding

  /// The synchronous work; runs on the thread of the operation's queue.
  ///
  /// - Throws: the error of a failure; `CancellationError` ends the operation as cancelled.
  open func run() throws -> Output {
    throw RunsElsewhere()
  }

  /// The asynchronous work; runs off the main actor.
  ///
  /// Its task is cancelled with the operation.
  ///
  /// - Throws: the error of a failure; `CancellationError` ends the operation as cancelled.
  @concurrent
  open func run() async throws -> Output {
    throw StatefulOperationError.nothingToRun(operation: "\(type(of: self))")
  }

  /// Begins the work of a callback API.
  ///
  /// An override returns at once, and calls ``finish(_:)`` later, from any thread. It does not call
  /// `super`.
  open override func main() {
    runTask()
  }

  /// Stops the work; called once if the operation is cancelled while its work is under way.
  ///
  /// It runs on the cancelling thread, possibly concurrently with `main()` or `run()`. It need not
  /// call ``finish(_:)``. The task of asynchronous work is cancelled automatically.
  open func onCancel() {}

  /// The handler of every failure of this class, called before the operation's own; nil by default.
  ///
  /// ```swift
  /// class AppOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  ///   override var defaultErrorHandler: (@MainActor (any Error) -> Void)? { { alert.show($0) } }
  /// }
  /// ```
  ///
  /// It is read when the operation has failed, on any thread. A subclass opts out by returning nil.
  open var defaultErrorHandler: (@MainActor (any Error) -> Void)? { nil }

  // MARK: Foundation's interface

  /// True: the operation may end on another thread.
  public final override var isAsynchronous: Bool { true }

  /// Whether it was started and has not finished for its queue.
  public final override var isExecuting: Bool { state.withLock { $0.isExecuting } }

  /// Whether it has finished for its queue.
  public final override var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Whether it ended as cancelled; false if it was cancelled after its end.
  public final override var isCancelled: Bool {
    state.withLock { $0.life.outcome?.isCancellation ?? false }
  }

  /// Starts it; if it was added to a queue, only the queue may call this.
  ///
  /// An operation that is started by hand does not wait for its dependencies. A second start does
  /// nothing.
  public final override func start() {
    guard ActivityTrace.isObserved else { return go(on: state.withLock { $0.start() }) }
    let trace = ActivityTrace.make(
      .operation, named: "\(type(of: self))", owner: ObjectIdentifier(self))
    let next = state.withLock { $0.start(trace) }
    ActivityTrace.deliver()
    go(on: next)
  }

  /// Cancels it; a no-op if it has ended.
  ///
  /// The outcome is set when this returns; handlers on the main actor are called afterwards.
  public final override func cancel() {
    end(with: .cancelled(.caller), byWork: false, beginsHere: false)
  }

  /// Makes it wait in its queue for another operation; a dependency on itself is ignored.
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else { return }
    state.withLock {
      $0.hasDependencies = true
      $0.beginDependencyChange()
    }
    super.addDependency(operation)
    if hasMiscount { watchDependencies() }
    endDependencyChange()
  }

  /// Removes a dependency, so that it no longer waits for that operation.
  open override func removeDependency(_ operation: Operation) {
    noteMiscount(removing: operation)
    state.withLock { $0.beginDependencyChange() }
    super.removeDependency(operation)
    if hasMiscount { watchDependencies() }
    endDependencyChange()
  }

  private func endDependencyChange() {
    let isReady = isReady
    state.withLock { $0.endDependencyChange(isReady: isReady) }
  }

  /// Whether its dependencies have finished, or it has ended as cancelled.
  ///
  /// Leave it to the queue: a chain does not start an operation after something has read this.
  open override var isReady: Bool {
    let isReady = super.isReady || isReadyDespiteMiscount
    if !isAskedForDependency { state.withLock { $0.wasAsked(whetherReady: isReady) } }
    return isReady
  }

  func cancelForQueue() {
    super.cancel()
  }

  /// Releases what only the work needed; called once after the end.
  func didEnd() {}

  func removeForGood(_ dependency: Operation) {
    super.removeDependency(dependency)
  }
}

// MARK: Ending

extension StatefulOperation {
  /// Ends the operation with the result of a callback API.
  ///
  /// - Returns: whether this ended the operation; false if it had ended, for example as cancelled.
  @discardableResult
  public final func finish(_ result: Result<Output, any Error>) -> Bool {
    end(with: ErasedOutcome(result.map { $0 }), byWork: true, beginsHere: false)
  }

  /// The outcome, or nil before the end.
  public final var currentOutcome: Outcome<Output>? {
    state.withLock { $0.life.outcome }?.typed()
  }

  /// The outcome, awaited until the handlers have returned and the queue is notified.
  ///
  /// It waits even if the waiting task is cancelled. After a cancellation of the operation it waits
  /// only for the handlers.
  public final var outcome: Outcome<Output> {
    get async {
      switch state.withLock({ $0.waiting() }) {
      case (_, let promise?): await promise.outcome.typed()
      case (let outcome?, nil): outcome.typed()
      case (nil, nil): .cancelled(.released)
      }
    }
  }

  /// The output, awaited until the operation is finished.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` if the operation was
  ///   cancelled; `CancellationError` at once if the waiting task is cancelled, while the operation
  ///   continues.
  public final var value: Output {
    get async throws {
      let value =
        switch state.withLock({ $0.waiting() }) {
        case (_, let promise?): try await promise.value
        case (let outcome?, nil): try outcome.get()
        case (nil, nil): throw CallCancelled(.released)
        }
      return try ErasedOutcome.success(value).typed().get()
    }
  }
}

extension StatefulOperation where Output == Void {
  /// Ends the operation successfully.
  ///
  /// - Returns: the same as ``finish(_:)``.
  @discardableResult
  public final func finish() -> Bool {
    finish(.success(()))
  }
}
