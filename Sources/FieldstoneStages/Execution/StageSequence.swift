public import FieldstoneCore

/// Every stage of an execution, as an asynchronous sequence.
///
/// The sequence returns each stage before its work is done, including the first, so that it can be
/// stored and resumed. Asking for the next stage does the work of the previous one, off the main
/// actor. Nothing is buffered: a slow consumer slows the execution. A stage without a placement
/// runs at the priority of the consuming task; the priority of the options is ignored. Each
/// iterator starts a new execution.
///
/// ```swift
/// var stages = FileOpen.read(url).stages.makeAsyncIterator()
/// while let stage = try await stages.next() { try save(stage) }
/// let document = stages.completion
/// ```
public struct StageSequence<Work: ContextualStage>: AsyncSequence, Sendable {
  @usableFromInline let first: Work
  @usableFromInline let setting: StageSetting<Work>

  @inlinable
  init(first: Work, setting: StageSetting<Work>) {
    self.first = first
    self.setting = setting
  }

  /// Starts before the first stage; no work is done yet.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(before: first, setting: setting)
  }

  /// The position of one execution.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline
    enum Position {
      case before(Work)
      case at(Work)
      case ended
    }

    @usableFromInline var position: Position
    @usableFromInline let setting: StageSetting<Work>

    @usableFromInline var result: Work.Completion?

    /// The completion, once the sequence has ended without an error.
    @inlinable
    public var completion: Work.Completion? { result }

    @inlinable
    init(before first: Work, setting: StageSetting<Work>) {
      self.position = .before(first)
      self.setting = setting
    }

    /// Does the work of the last returned stage, and returns the next one.
    ///
    /// It checks for cancellation before the work of each stage, and at the end.
    ///
    /// - Throws: the error of that stage, or `CancellationError` if the task was cancelled; the
    ///   sequence has then ended.
    @inlinable
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
        do {
          try Task.checkCancellation()
          let step: Step<Work, Work.Completion>
          if setting.options.placement == nil {
            // `step(from:in:options:)` is not used: another asynchronous call costs as much as a
            // stage.
            setting.options.beforeStage?(stage)
            step = try await stage.next(in: setting.context)
          } else {
            step = try await Work.step(
              from: stage, in: setting.context, options: setting.options)
          }
          switch step {
          case .advance(let next):
            position = .at(next)
            return next
          case .wait(let date, let next):
            try await setting.options.time.sleep(until: date)
            try Task.checkCancellation()
            position = .at(next)
            return next
          case .complete(let completion):
            try Task.checkCancellation()
            result = completion
            return nil
          }
        } catch {
          throw CancellationError.inPlace(of: error)
        }
      }
    }
  }
}

extension ContextualStage {
  /// Every stage from this one on, each returned before its work is done.
  @inlinable
  public func stages(
    in context: Context, options: ExecutionOptions<Self> = ExecutionOptions()
  ) -> StageSequence<Self> {
    StageSequence(first: self, setting: StageSetting(context: context, options: options))
  }
}

extension ContextualStage where Context == Void {
  /// Every stage from this one on, each returned before its work is done.
  @inlinable
  public var stages: StageSequence<Self> {
    stages(in: ())
  }
}

/// The services and the options of a sequence's stages.
///
/// It is a class, so that sequences and iterators copy a reference: copying each part added 30 KB
/// of code to each program.
@usableFromInline
final class StageSetting<Work: ContextualStage>: Sendable {
  @usableFromInline let context: Work.Context
  @usableFromInline let options: ExecutionOptions<Work>

  @inlinable
  init(context: Work.Context, options: ExecutionOptions<Work>) {
    self.context = context
    self.options = options
  }
}
