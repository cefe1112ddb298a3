public import FieldstoneCore

/// Executes many stages, at most a number of them at once.
///
/// ```swift
/// let line = ProductionLine<FileOpen>(maxConcurrent: 3)
/// let results = line.results(order: .input)
/// line.add(contentsOf: urls.map(FileOpen.read))
/// line.finish()
/// for await outcome in results { show(outcome) }
/// ```
///
/// Stages start in the order in which they were added. A cancelled stage occupies its place until
/// its work has stopped, so the bound also holds for work that ignores its cancellation. Stages run
/// without the task-local values of the task that adds them, with the priority of the options: pass
/// what they need in the context. The stages of a deallocated line continue; if it was suspended,
/// its waiting stages end as released. Each operation is O(1) for each affected stage. (Seed:
/// Grain's `ProductionLine`, which does not keep its bound.)
public final class ProductionLine<Work: ContextualStage>: Sendable {
  private let dispatcher: ProductionLineDispatcher<Work>

  /// Makes a line that is running.
  ///
  /// - Parameters:
  ///   - maxConcurrent: the number of concurrent stages; less than one counts as one.
  ///   - context: the services of the stages.
  ///   - options: the options of each execution.
  public init(
    maxConcurrent: Int, in context: Work.Context,
    options: ExecutionOptions<Work> = ExecutionOptions()
  ) {
    dispatcher = ProductionLineDispatcher(
      bound: max(1, maxConcurrent), context: context, options: options)
  }

  deinit {
    dispatcher.ownerWasReleased()
  }

  /// The number of stages that wait for their turn.
  public var pendingCount: Int { dispatcher.pendingCount }

  /// The number of running stages, including cancelled ones that have not stopped yet.
  public var runningCount: Int { dispatcher.runningCount }

  /// Whether no more stages start until the line is resumed.
  public var isSuspended: Bool { dispatcher.isSuspended }

  /// Adds a stage at the end of the line.
  ///
  /// - Returns: its execution, to await or to cancel. After ``finish()`` nothing can be added: the
  ///   execution has then been cancelled as released.
  @discardableResult
  public func add(_ stage: Work) -> StageExecution<Work.Completion> {
    dispatcher.add(stage)
  }

  /// Adds stages at the end of the line, in order.
  ///
  /// - Returns: their executions, in the same order.
  @discardableResult
  public func add(contentsOf stages: some Sequence<Work>) -> [StageExecution<Work.Completion>] {
    stages.map { dispatcher.add($0) }
  }

  /// Finishes the line, so that the results end with the last execution.
  public func finish() {
    dispatcher.finish()
  }

  /// Starts no more stages until ``resume()``; running stages continue.
  public func suspend() {
    dispatcher.suspend()
  }

  /// Starts stages again.
  public func resume() {
    dispatcher.resume()
  }

  /// Cancels all waiting stages; running stages continue.
  public func clearPending() {
    dispatcher.cancelPending(.caller)
  }

  /// Cancels all waiting and running stages; the line can be used again.
  public func cancelAll() {
    dispatcher.cancelAll()
  }

  /// The outcomes of all stages that are added from now on.
  ///
  /// Outcomes are buffered until they are consumed, so consume them or release the sequence. It
  /// ends after ``finish()``, or the deallocation of the line, once all executions have ended.
  public func results(
    order: ProductionLineOrder
  ) -> some AsyncSequence<Outcome<Work.Completion>, Never> & Sendable {
    dispatcher.results(order: order)
  }
}

extension ProductionLine where Work.Context == Void {
  /// Makes a line of stages without services.
  ///
  /// - Parameters:
  ///   - maxConcurrent: the number of concurrent stages; less than one counts as one.
  ///   - options: the options of each execution.
  public convenience init(
    maxConcurrent: Int, options: ExecutionOptions<Work> = ExecutionOptions()
  ) {
    self.init(maxConcurrent: maxConcurrent, in: (), options: options)
  }
}

/// The order of a production line's results.
public enum ProductionLineOrder: Sendable, Hashable, CaseIterable {
  /// The order in which the stages were added; a slow stage delays the results after it.
  case input
  /// The order in which the executions end.
  case completion
}

/// The outcomes of a production line, as an asynchronous sequence for one consumer.
struct ProductionLineResults<Completion: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  let mailbox: Mailbox<Outcome<Completion>>

  /// Iterates over the outcomes that have not been consumed yet.
  func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox)
  }

  /// Consumes outcomes.
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Outcome<Completion>>

    /// The next outcome; nil at the end and if the waiting task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Outcome<Completion>? {
      await mailbox.next()
    }
  }
}
