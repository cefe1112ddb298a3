/// Sequential executions, as an asynchronous sequence of their completions.
///
/// Each execution starts when its completion is requested. The first error ends the sequence.
/// (Seed: Grain's serial execution of a sequence of stages.)
///
/// ```swift
/// for try await document in urls.map(FileOpen.read).serially() { show(document) }
/// ```
struct SerialExecution<Base: Sequence>: AsyncSequence where Base.Element: ContextualStage {
  let base: Base
  let setting: StageSetting<Base.Element>

  /// Starts before the first stage; no work is done yet.
  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeIterator(), setting: setting)
  }

  /// The position in the sequence.
  struct Iterator: AsyncIteratorProtocol {
    private var base: Base.Iterator?
    private let setting: StageSetting<Base.Element>

    fileprivate init(base: Base.Iterator, setting: StageSetting<Base.Element>) {
      self.base = base
      self.setting = setting
    }

    /// Executes the next stage to its completion.
    ///
    /// - Throws: the error of the execution; the sequence has then ended.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Base.Element.Completion? {
      guard let stage = base?.next() else { return nil }
      do {
        return try await stage.execute(in: setting.context, options: setting.options)
      } catch {
        base = nil
        throw error
      }
    }
  }
}

extension Sequence where Element: ContextualStage {
  /// Executes the stages of this sequence one at a time.
  public func serially(
    in context: Element.Context, options: ExecutionOptions<Element> = ExecutionOptions()
  ) -> some AsyncSequence<Element.Completion, any Error> {
    SerialExecution(base: self, setting: StageSetting(context: context, options: options))
  }
}

extension Sequence where Element: ContextualStage, Element.Context == Void {
  /// Executes the stages of this sequence one at a time.
  public func serially(
    options: ExecutionOptions<Element> = ExecutionOptions()
  ) -> some AsyncSequence<Element.Completion, any Error> {
    serially(in: (), options: options)
  }
}
