/// The links of a run's chain, as they are written.
///
/// Each iterator begins with the oldest link in the journal. It waits for more while the run is not
/// over, and while the journal is unavailable.
public struct RunStages: AsyncSequence, Sendable {
  /// A stage that the run has left.
  public typealias Element = StepRecord

  let id: RunID
  let runner: DurableRunner

  /// Starts at the first link.
  public func makeAsyncIterator() -> Iterator {
    Iterator(id: id, runner: runner)
  }

  /// An iterator, with its position in one chain.
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

    /// The next link, once it exists; nil if the run is over and all links were returned.
    ///
    /// - Throws: ``JournalError``, `CancellationError` when the task is cancelled, or
    ///   ``DurableRunnerError/awaitedInStage(_:of:)`` in the work of a stage.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> StepRecord? {
      // Copies of an iterator wait independently, and a listener has one waiter.
      if !isKnownUniquelyReferenced(&listener) {
        listener = RunListener(id, of: runner.news, interest: .stages)
      }
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
        await listener.wait()
      }
    }

    /// Reads a page; nil if the journal is unavailable now.
    ///
    /// - Returns: whether the run was over before the read: then an empty page is the last.
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
  /// The stage, decoded.
  ///
  /// - Throws: `DecodingError`, for instance for a stage that an older version wrote.
  public func stage<Work: Decodable>(as type: Work.Type = Work.self) throws -> Work {
    try StageJSON.value(type, from: payload)
  }
}
