import FieldstoneCore

extension DurableRunner {
  /// Counts the runs that a bulk change would affect, without changing them.
  ///
  /// - Parameters:
  ///   - bulk: the change.
  ///   - limit: the largest number of runs to count.
  /// - Throws: ``JournalError``.
  /// - Complexity: O(n) in the number of runs found, up to the limit; to resume runs, to edit
  ///   them, or to fork them from a stage, each is read.
  public func count(_ bulk: BulkChange, limit: Int = 10_000) async throws -> BulkCount {
    try await journal.count(bulk, limit: limit)
  }

  /// Changes the runs that a query finds, from the youngest counted run to the oldest.
  ///
  /// Each run changes in one transaction, with its audit row. A run whose state or stage has
  /// changed since the query is skipped. Cancelling the task stops the change between two pages; an
  /// error ends it. Completed changes stay, and another call continues from
  /// ``BulkProgress/position``.
  ///
  /// This runner's code decodes the stages of forks and edits. A run whose stage to fork from is
  /// purged or unreadable is skipped; an unreadable stage of an edit ends the change.
  ///
  /// - Parameters:
  ///   - bulk: the change.
  ///   - count: the confirmed count; younger runs are left alone.
  ///   - progress: the progress of an earlier call; nil to begin.
  ///   - actor: the person who asks for the change, for the audit; nil for this runner's name.
  ///   - report: called after each step; an error that it throws ends the change.
  /// - Returns: the progress; it is not done if the task was cancelled.
  /// - Throws: ``JournalError``; ``DurableRunError`` for an edit; what `report` throws.
  @discardableResult
  public func perform(
    _ bulk: BulkChange, upTo count: BulkCount, after progress: BulkProgress? = nil,
    by actor: String? = nil,
    report: @Sendable (BulkProgress) async throws -> Void = { _ in }
  ) async throws -> BulkProgress {
    guard let youngest = count.youngest else { return BulkProgress(isDone: true) }
    var call = BulkCall(by: actor ?? options.worker, checkedBy: .flows(flows))
    call.onFork = { self.emit(.started, flow: $0.flow, run: $0.id) }
    call.onCancel = { self.nudge($0.id, lostUpTo: $0.fence) }
    call.onChange = { self.nudge($0) }
    let result = try await journal.perform(
      bulk, upTo: youngest, after: progress ?? BulkProgress(), call,
      at: JournalTime(time, boot: options.boot), report: report)
    wakeForSchedules()
    return result
  }
}
