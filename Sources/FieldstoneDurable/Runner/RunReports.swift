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
/// ``RunReport/missingLines(before:)``. The runner writes its lines about an attempt at once, so a
/// stage's last lines before them may arrive after them.
public struct RunReports: AsyncSequence, Sendable {
  /// The progress, the new lines, or both.
  public typealias Element = RunReport

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
    private var delivered = DeliveredLines()
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
        guard let (read, isOver) = try await read() else {
          // Without an end: one that has passed would make it read again and again.
          await listener.wait()
          continue
        }
        var report = read
        delivered.take(&report, at: time.uptime)
        if !report.lines.isEmpty || report.progress != progress {
          progress = report.progress
          return report
        }
        if isOver, isEnding { return nil }
        endsAt = isOver ? endsAt ?? time.uptime + ReportQueue.interval * 2 : nil
        await listener.wait(until: endsAt)
      }
    }

    /// Reads new reports; nil if the journal is unavailable now.
    ///
    /// - Returns: the report, and whether the run was over before the read.
    private func read() async throws -> (RunReport, isOver: Bool)? {
      do {
        guard let record = try await runner.journal.run(id) else { throw JournalError.noRun(id) }
        return (try await runner.journal.report(of: id, after: delivered.mark), record.state.isOver)
      } catch let error as JournalError where error.isTransient {
        runner.news.couldNotRead(id)
        return nil
      }
    }
  }
}

/// Which lines an iterator has delivered.
///
/// Lines are not always written in their order, so it reads some of them again for a while.
private struct DeliveredLines {
  /// All lines up to here have been delivered or are missing.
  private(set) var mark: RunLogLine.Place?
  /// The delivered lines after the mark, each with the uptime of its delivery.
  private var later: [RunLogLine.Place: Duration] = [:]
  private var numbers = DeliveredNumbers()

  /// The longest time that a line is waited for.
  private static let patience = ReportQueue.interval * 8

  /// Leaves only new lines in a report that begins after the mark; O(the kept lines).
  mutating func take(_ report: inout RunReport, at uptime: Duration) {
    var isComplete = true
    report.delivered = numbers
    report.lines.removeAll { line in
      let isNew = later[line.place] == nil
      if isNew { later[line.place] = uptime }
      isComplete = isComplete && (isNext(line.place) || hasWaited(line.place, until: uptime))
      if isComplete { mark = line.place }
      return !isNew
    }
    for line in report.lines {
      numbers.numbers[line.place.fence] = max(
        numbers.numbers[line.place.fence] ?? 0, line.place.number)
    }
    guard let mark else { return }
    // Nothing before it is read again.
    later = later.filter { $0.key > mark }
    numbers.numbers = numbers.numbers.filter { $0.key >= mark.fence }
  }

  private func isNext(_ place: RunLogLine.Place) -> Bool {
    guard let mark else { return place.number == 1 }
    return place.fence == mark.fence && place.number == mark.number + 1
  }

  private func hasWaited(_ place: RunLogLine.Place, until uptime: Duration) -> Bool {
    later[place].map { $0 + Self.patience <= uptime } ?? false
  }
}
