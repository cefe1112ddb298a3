/// The links of a run's chain, as they are made.
///
/// Each iterator begins with the oldest link that the journal keeps. It waits for more while the
/// run is not over, also while the journal can't be used.
public struct RunStages: AsyncSequence, Sendable {
  /// A stage that was left behind.
  public typealias Element = StepRecord
  /// A journal may throw.
  public typealias Failure = any Error

  let id: RunID
  let runner: DurableRunner

  /// Starts at the first link.
  public func makeAsyncIterator() -> Iterator {
    Iterator(id: id, runner: runner)
  }

  /// The position in one chain.
  public struct Iterator: AsyncIteratorProtocol {
    private let id: RunID
    private let runner: DurableRunner
    private var listener: RunListener
    private var page: ArraySlice<StepRecord> = []
    private var last: Int?

    init(id: RunID, runner: DurableRunner) {
      self.id = id
      self.runner = runner
      listener = RunListener(id, of: runner.news, interest: .stages)
    }

    /// The next link, once it is there; nil when the run is over and all were given.
    ///
    /// - Throws: ``JournalError``, `CancellationError` when the task is cancelled, or
    ///   ``DurableRunnerError/awaitedInStage(_:of:)`` in the work of a stage.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> StepRecord? {
      // Copies of a position wait side by side, and a wakeEvent has one waiter.
      if !isKnownUniquelyReferenced(&listener) {
        listener = RunListener(id, of: runner.news, interest: .stages)
      }
      let wakeEvent = listener.wakeEvent
      while true {
        if let step = page.popFirst() {
          last = step.sequence
          return step
        }
        try Task.checkCancellation()
        try StageScope.checkMayAwait(id)
        if let isOver = try await read() {
          if !page.isEmpty { continue }
          if isOver { return nil }
        }
        await withTaskCancellationHandler {
          await wakeEvent.wait()
        } onCancel: {
          wakeEvent.signal()
        }
      }
    }

    /// Reads a page; nil when the journal can't be used now.
    ///
    /// - Returns: whether the run was over before: then there is nothing after an empty page.
    private mutating func read() async throws -> Bool? {
      do {
        guard let record = try await runner.journal.run(id) else { throw JournalError.noRun(id) }
        page = try await runner.journal.steps(of: id, after: last, limit: 100).steps[...]
        return record.state.isOver
      } catch let error as JournalError where error.isTransient {
        runner.news.couldNotRead(id)
        return nil
      }
    }
  }
}

extension StepRecord {
  /// The stage that was left.
  ///
  /// - Throws: `DecodingError`, for one that an older version wrote perhaps.
  public func stage<Work: Decodable>(as type: Work.Type = Work.self) throws -> Work {
    try StageJSON.value(type, from: payload)
  }
}
