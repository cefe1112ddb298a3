import Dispatch
public import FieldstoneCore
public import Foundation

/// An operation for queues and dependencies, with a typed end and handlers for each of its states.
///
/// Override one method: `run()`, throwing or also asynchronous, or `main()` for an API that calls
/// back, and then call ``finish(_:)``. A subclass restates `@unchecked Sendable`; Foundation forces
/// that.
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
/// It ends exactly once. When it is cancelled it ends at once, also when its work ignores that; a
/// late result is dropped. For its queue it is finished when its handlers have returned. Cancelled
/// synchronous work keeps its place in the queue until it has returned. An operation that was
/// cancelled before its start keeps its place until it is its turn.
///
/// Handlers run on the main actor unless given another executor. While the main thread itself
/// blocks on the operation or its queue (`waitUntilFinished` and the like), they can't run, and
/// neither side goes on: await ``outcome`` there. Without handlers nothing hops to the main actor.
///
/// When it has ended it lets go of its dependencies. `queue.progress` does not count it on Linux.
/// (Seeds: Mold's `MDOperation`, ModelBlocks' `SimpleAsynchronousOperation`.)
open class StatefulOperation<Output: Sendable>: Operation, @unchecked Sendable {
  let state = Locked(OperationState())

  /// Prepares an operation.
  public override init() {
    super.init()
  }

  deinit {
    // A dependency keeps pointers on Linux to what depends on it, and retains none.
    let (hasDependencies, isUnderWay) = state.withLock {
      ($0.hasDependencies, !$0.isFinished && $0.life.isUnderWay)
    }
    if hasDependencies { forgetDependencies() }
    if isUnderWay { abandon() }
  }

  // MARK: To override

  /// The work, where it is synchronous; runs on the thread of the operation's queue.
  ///
  /// - Throws: why there is no output; `CancellationError` ends the operation as cancelled.
  open func run() throws -> Output {
    throw RunsElsewhere()
  }

  /// The work, where it is asynchronous; runs off the main actor, in a task that is cancelled with
  /// the operation.
  ///
  /// - Throws: why there is no output; `CancellationError` ends the operation as cancelled.
  @concurrent
  open func run() async throws -> Output {
    throw StatefulOperationError.nothingToRun(operation: "\(type(of: self))")
  }

  /// Begins the work where an API calls back.
  ///
  /// An override returns at once, and ``finish(_:)`` is called later, from anywhere. It does not
  /// call `super`.
  open override func main() {
    runTask()
  }

  /// Stops the work; called once, when the operation is cancelled while its work is under way.
  ///
  /// It runs on the thread that cancels, perhaps beside `main()` or `run()`. Nothing needs to be
  /// finished. The task of asynchronous work is cancelled without it.
  open func onCancel() {}

  /// The handler of every failure of this class, called before the operation's own; none unless
  /// overridden.
  ///
  /// ```swift
  /// class AppOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  ///   override var defaultErrorHandler: (@MainActor (any Error) -> Void)? { { alert.show($0) } }
  /// }
  /// ```
  ///
  /// It is asked for when the operation has failed, on any thread. A class below that answers nil
  /// is left out.
  open var defaultErrorHandler: (@MainActor (any Error) -> Void)? { nil }

  // MARK: Foundation's side

  /// True: what its end waits for may be elsewhere.
  public final override var isAsynchronous: Bool { true }

  /// Whether it was started and has not finished for its queue.
  public final override var isExecuting: Bool { state.withLock { $0.isExecuting } }

  /// Whether it has finished for its queue.
  public final override var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Whether it ended as cancelled; false for one that was cancelled when it had ended.
  public final override var isCancelled: Bool {
    state.withLock { $0.life.outcome?.isCancellation ?? false }
  }

  /// Starts it; a queue does that, and a queue only where the operation was added to one.
  ///
  /// Started by hand it does not wait for its dependencies. Started again it does nothing.
  public final override func start() {
    guard ActivityTrace.isObserved else { return go(on: state.withLock { $0.start() }) }
    let trace = ActivityTrace.make(
      .operation, named: "\(type(of: self))", owner: ObjectIdentifier(self))
    let next = state.withLock { $0.start(trace) }
    ActivityTrace.deliver()
    go(on: next)
  }

  /// Cancels it; a no-op when it has ended.
  ///
  /// The outcome is there when this returns; handlers on the main actor are called afterwards.
  public final override func cancel() {
    end(with: .cancelled(.caller), byWork: false, beginsHere: false)
  }

  /// Makes it wait in its queue for another operation; itself is ignored.
  open override func addDependency(_ operation: Operation) {
    guard operation !== self else { return }
    state.withLock { $0.hasDependencies = true }
    super.addDependency(operation)
    if hasMiscount { watchDependencies() }
  }

  /// Makes it wait no longer for another operation.
  open override func removeDependency(_ operation: Operation) {
    noteMiscount(removing: operation)
    super.removeDependency(operation)
    if hasMiscount { watchDependencies() }
  }

  /// Whether its dependencies have finished, or it has ended as cancelled.
  open override var isReady: Bool { super.isReady || isReadyDespiteMiscount }

  func cancelForQueue() {
    super.cancel()
  }

  func removeForGood(_ dependency: Operation) {
    super.removeDependency(dependency)
  }
}

// MARK: Ends

extension StatefulOperation {
  /// Ends the operation with what the callback API answered.
  ///
  /// - Returns: whether this is what ended it: false when it had ended before, cancelled perhaps.
  @discardableResult
  public final func finish(_ result: Result<Output, any Error>) -> Bool {
    end(with: ErasedOutcome(result.map { $0 }), byWork: true, beginsHere: false)
  }

  /// How it ended, or nil while it has not.
  public final var currentOutcome: Outcome<Output>? {
    state.withLock { $0.life.outcome }?.typed()
  }

  /// How it ended, once its handlers have returned and it is finished for its queue; waits for that
  /// also when the waiting task is cancelled.
  ///
  /// After a cancellation it waits for the handlers only.
  public final var outcome: Outcome<Output> {
    get async {
      switch state.withLock({ $0.waiting() }) {
      case (_, let promise?): await promise.outcome.typed()
      case (let outcome?, nil): outcome.typed()
      case (nil, nil): .cancelled(.released)
      }
    }
  }

  /// The output, once it is there and the operation is finished.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` when the operation was
  ///   cancelled; `CancellationError` at once when the task that waits is cancelled, while the
  ///   operation goes on.
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
  /// Ends the operation as done.
  ///
  /// - Returns: as ``finish(_:)``.
  @discardableResult
  public final func finish() -> Bool {
    finish(.success(()))
  }
}
