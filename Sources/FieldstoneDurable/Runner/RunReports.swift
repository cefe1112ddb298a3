import FieldstoneCore

extension RunHandle {
  /// The reports of the run's stages as they arrive: the current progress, and new log lines.
  ///
  /// ```swift
  /// for try await report in handle.reports {
  ///   if let progress = report.progress { bar.value = progress.fraction }
  ///   for line in report.lines { print(line.text) }
  /// }
  /// ```
  ///
  /// Each iterator begins with all stored reports. It ends half a second after the run is over,
  /// because last lines may arrive until then. It waits while the run is *blocked*.
  public var reports: RunReports {
    RunReports(id: id, runner: runner)
  }
}

/// The reports of a run's stages, as they arrive.
///
/// It waits for more while the run is not over, and while the journal is unavailable. Between two
/// elements a newer progress may replace an older one, and lines may be dropped: see
/// ``RunReport/missingLines(before:)``.
public struct RunReports: AsyncSequence, Sendable {
  /// The progress, the new lines, or both.
  public typealias Element = RunReport
  /// The journal's errors.
  public typealias Failure = any Error

  let id: RunID
  let runner: DurableRunner

  /// Starts with all stored reports.
  public func makeAsyncIterator() -> Iterator {
    Iterator(id: id, runner: runner)
  }

  /// An iterator, with its position in the reports of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private let id: RunID
    private let runner: DurableRunner
    private var listener: RunListener
    private var last: RunLogLine.Place?
    private var progress: RunProgress?
    /// The uptime of its end; nil while the run is not over.
    private var endsAt: Duration?

    init(id: RunID, runner: DurableRunner) {
      self.id = id
      self.runner = runner
      listener = RunListener(id, of: runner.news, interest: .reports)
    }

    /// The next report, once there is a new one; nil if the run is over.
    ///
    /// - Throws: ``JournalError``, `CancellationError` when the task is cancelled, or
    ///   ``DurableRunnerError/awaitedInStage(_:of:)`` in the work of a stage.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> RunReport? {
      // Copies of an iterator wait independently, and a listener has one waiter.
      if !isKnownUniquelyReferenced(&listener) {
        listener = RunListener(id, of: runner.news, interest: .reports)
      }
      let time = runner.time
      while true {
        try Task.checkCancellation()
        try StageScope.checkMayAwait(id)
        // Before the read, which includes all reports until then.
        let isEnding = endsAt.map { $0 <= time.uptime } ?? false
        if let (report, isOver) = try await read() {
          if !report.lines.isEmpty || report.progress != progress {
            last = report.lines.last?.place ?? last
            progress = report.progress
            return report
          }
          if isOver, isEnding { return nil }
          endsAt = isOver ? endsAt ?? time.uptime + ReportQueue.interval * 2 : nil
        }
        await listener.wait(until: endsAt)
      }
    }

    /// Reads new reports; nil if the journal is unavailable now.
    ///
    /// - Returns: the report, and whether the run was over before the read.
    private func read() async throws -> (RunReport, isOver: Bool)? {
      do {
        guard let record = try await runner.journal.run(id) else { throw JournalError.noRun(id) }
        return (try await runner.journal.report(of: id, after: last), record.state.isOver)
      } catch let error as JournalError where error.isTransient {
        runner.news.couldNotRead(id)
        return nil
      }
    }
  }
}
