public import FieldstoneCore

/// Executes many stages, never more than a number of them at once.
///
/// ```swift
/// let line = ProductionLine<FileOpen>(maxConcurrent: 3)
/// let results = line.results(order: .input)
/// line.add(contentsOf: urls.map(FileOpen.read))
/// line.finish()
/// for await outcome in results { show(outcome) }
/// ```
///
/// Stages start in the order in which they were added. A cancelled stage keeps its place until its
/// work has stopped, so that the bound also holds for work that ignores its cancellation. Stages of
/// a released line go on, except those that wait in a suspended one, which end as released. Each
/// operation costs O(1) for each stage that it concerns. (Seed: Grain's `ProductionLine`, which
/// does not hold its bound.)
public final class ProductionLine<Work: ContextualStage>: Sendable {
  private let dispatcher: ProductionLineDispatcher<Work>

  /// Makes a line that is running.
  ///
  /// - Parameters:
  ///   - maxConcurrent: how many may run at once; less than one counts as one.
  ///   - context: the services of the stages.
  ///   - options: how each of them is executed.
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

  /// How many wait for their turn.
  public var pendingCount: Int { dispatcher.pendingCount }

  /// How many run, those included that were cancelled and have not stopped yet.
  public var runningCount: Int { dispatcher.runningCount }

  /// Whether no more stages start until the line is resumed.
  public var isSuspended: Bool { dispatcher.isSuspended }

  /// Adds a stage at the end of the line.
  ///
  /// - Returns: its execution, to await or to cancel. After ``finish()`` nothing can be added: the
  ///   execution has ended as cancelled, being released.
  @discardableResult
  public func add(_ stage: Work) -> StageExecution<Work.Completion> {
    dispatcher.add(stage)
  }

  /// Adds stages at the end of the line, in their order.
  ///
  /// - Returns: their executions, in the same order.
  @discardableResult
  public func add(contentsOf stages: some Sequence<Work>) -> [StageExecution<Work.Completion>] {
    stages.map { dispatcher.add($0) }
  }

  /// Says that nothing more will be added: the results end with the last execution.
  public func finish() {
    dispatcher.finish()
  }

  /// Starts no more stages until ``resume()``; those that run go on.
  public func suspend() {
    dispatcher.suspend()
  }

  /// Starts stages again.
  public func resume() {
    dispatcher.resume()
  }

  /// Cancels what waits for its turn; what runs goes on.
  public func clearPending() {
    dispatcher.cancelPending(.caller)
  }

  /// Cancels what waits and what runs; the line can be used again.
  public func cancelAll() {
    dispatcher.cancelAll()
  }

  /// The outcomes of the stages that are added from now on.
  ///
  /// Outcomes are kept until they are taken, so take them or release the sequence. It ends after
  /// ``finish()``, or the release of the line, once all executions have ended.
  public func results(
    order: ProductionLineOrder
  ) -> some AsyncSequence<Outcome<Work.Completion>, Never> & Sendable {
    dispatcher.results(order: order)
  }
}

extension ProductionLine where Work.Context == Void {
  /// Makes a line of stages that need no services.
  ///
  /// - Parameters:
  ///   - maxConcurrent: how many may run at once; less than one counts as one.
  ///   - options: how each of them is executed.
  public convenience init(
    maxConcurrent: Int, options: ExecutionOptions<Work> = ExecutionOptions()
  ) {
    self.init(maxConcurrent: maxConcurrent, in: (), options: options)
  }
}

/// In which order a production line gives its results.
public enum ProductionLineOrder: Sendable, Hashable, CaseIterable {
  /// As the stages were added; a slow one holds back those behind it.
  case input
  /// As the executions end.
  case completion
}

/// The outcomes of a production line, as an asynchronous sequence for one consumer.
struct ProductionLineResults<Completion: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  let mailbox: Mailbox<Outcome<Completion>>

  /// Gives the outcomes that have not been taken yet.
  func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox)
  }

  /// Takes outcomes.
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Outcome<Completion>>

    /// The next outcome; nil at the end and when the waiting task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Outcome<Completion>? {
      await mailbox.next()
    }
  }
}
