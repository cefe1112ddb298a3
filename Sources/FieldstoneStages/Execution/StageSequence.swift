import FieldstoneCore

/// Every stage that an execution passes through, as an asynchronous sequence.
///
/// A stage is given before its work is done, the first one included, so that it can be stored and
/// resumed from. Work is done only when the next stage is asked for, off the main actor: whoever
/// is slow to take a stage slows the execution, and nothing is buffered. A stage without a placement
/// runs at the priority of the task that asks; the options' own does not count here. Each iterator
/// executes anew.
///
/// ```swift
/// var stages = FileOpen.read(url).stages.makeAsyncIterator()
/// while let stage = try await stages.next() { try save(stage) }
/// let document = stages.completion
/// ```
public struct StageSequence<Work: ContextualStage>: AsyncSequence, Sendable {
  /// A stage.
  public typealias Element = Work
  /// Stages may throw anything.
  public typealias Failure = any Error

  let first: Work
  let context: Work.Context
  let options: ExecutionOptions<Work>

  /// Starts from the first stage; no work is done yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(before: first, context: context, options: options)
  }

  /// The position of one execution.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Position {
      case before(Work)
      case at(Work)
      case ended
    }

    private var position: Position
    private let context: Work.Context
    private let options: ExecutionOptions<Work>

    /// The completion, once the sequence has ended without an error.
    public private(set) var completion: Work.Completion?

    fileprivate init(before first: Work, context: Work.Context, options: ExecutionOptions<Work>) {
      self.position = .before(first)
      self.context = context
      self.options = options
    }

    /// Does the work of the stage given last, and gives the one that follows.
    ///
    /// - Throws: what that stage throws, or `CancellationError` when the task was cancelled; the
    ///   sequence has ended then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Work? {
      switch position {
      case .ended:
        return nil
      case .before(let stage):
        position = .at(stage)
        return stage
      case .at(let stage):
        position = .ended
        switch try await step(from: stage) {
        case .advance(let next), .wait(_, let next):
          position = .at(next)
          return next
        case .complete(let completion):
          self.completion = completion
          return nil
        }
      }
    }

    /// Does the work of a stage, and waits where it says so.
    private func step(from stage: Work) async throws -> Step<Work, Work.Completion> {
      do {
        try Task.checkCancellation()
        let step = try await Work.step(from: stage, in: context, options: options)
        if case .wait(let date, _) = step { try await options.time.sleep(until: date) }
        try Task.checkCancellation()
        return step
      } catch {
        throw CancellationError.inPlace(of: error)
      }
    }
  }
}

extension ContextualStage {
  /// Every stage from this one on, each given before its work is done.
  public func stages(
    in context: Context, options: ExecutionOptions<Self> = ExecutionOptions()
  ) -> StageSequence<Self> {
    StageSequence(first: self, context: context, options: options)
  }
}

extension ContextualStage where Context == Void {
  /// Every stage from this one on, each given before its work is done.
  public var stages: StageSequence<Self> {
    stages(in: ())
  }
}
