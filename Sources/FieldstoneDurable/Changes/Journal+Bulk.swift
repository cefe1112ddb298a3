import Foundation

/// The actor, checks and limits of a bulk change.
package struct BulkCall: Sendable {
  /// The name of the person or the program.
  package var actor: String?
  /// How the stages of forks and edits are checked.
  package var check: StageCheck
  /// The largest number of runs to change; the youngest come first.
  package var limit: Int?
  /// The largest number of runs to examine; nil for all.
  package var looked: Int?
  /// Called with each fork.
  package var onFork: @Sendable (RunRecord) -> Void = { _ in }
  /// Called with each run that was cancelled, as it is now, so that its work can be cut short.
  package var onCancel: @Sendable (RunRecord) -> Void = { _ in }
  /// Called with each other run that was changed.
  package var onChange: @Sendable (RunID) -> Void = { _ in }

  package init(
    by actor: String?, checkedBy check: StageCheck, limit: Int? = nil,
    lookingThrough looked: Int? = nil
  ) {
    self.actor = actor
    self.check = check
    self.limit = limit
    self.looked = looked
  }
}

extension Journal {
  /// Counts the runs that a bulk change would affect, without changing them.
  ///
  /// - Parameters:
  ///   - bulk: the change.
  ///   - limit: the largest number of runs to count.
  /// - Throws: ``JournalError``.
  /// - Complexity: O(n) in the number of runs found, up to the limit. No run is read but the
  ///   youngest; to resume runs, to edit them, or to fork them from a stage, each is read.
  package func count(_ bulk: BulkChange, limit: Int = 10_000) async throws -> BulkCount {
    if bulk.readsRuns { return try await count(bulk, limit: limit) { _ in true } }
    guard let query = bulk.query(limit: 1, before: nil),
      let youngest = try await runs(query).runs.first
    else { return BulkCount() }
    let count = try await count(query, atMost: limit)
    return BulkCount(number: count.number, hasMore: count.hasMore, youngest: youngest.id)
  }

  /// Counts the runs that a bulk change would affect and that a closure takes.
  ///
  /// - Parameters:
  ///   - bulk: the change.
  ///   - position: only runs older than this one; nil for all.
  ///   - limit: the largest number of runs to count.
  ///   - looked: the largest number of runs to examine; nil for all.
  ///   - isMeant: filters the runs that the query finds.
  /// - Throws: ``JournalError``.
  /// - Complexity: O(n) in the number of examined runs, each of which is read.
  package func count(
    _ bulk: BulkChange, after position: RunID? = nil, limit: Int = 10_000,
    lookingThrough looked: Int? = nil, where isMeant: (RunRecord) -> Bool
  ) async throws -> BulkCount {
    var left = looked ?? .max
    let concerns = try bulk.concern()
    guard let query = bulk.query(limit: min(left, 1_000), before: position) else {
      return BulkCount()
    }
    var count = BulkCount()
    try await eachPage(of: query) { page in
      for run in page.runs where concerns(run) && !bulk.hasMade(run) && isMeant(run) {
        count.hasMore = count.number == limit
        if count.hasMore { return false }
        count.number += 1
        count.youngest = count.youngest ?? run.id
      }
      left -= page.runs.count
      count.hasMore = left <= 0 && page.nextPlace != nil
      return left > 0
    }
    return count
  }

  /// Changes the runs that a query finds, from the youngest to the oldest.
  ///
  /// Each run changes in one transaction, with its audit row; a journal commits several of a page
  /// together. A run whose state or stage has changed since the query is skipped, and so is one
  /// whose stage to fork from is purged or can't be read. A cancelled task stops between two pages,
  /// and an error ends the change; completed changes stay.
  ///
  /// - Parameters:
  ///   - bulk: the change.
  ///   - youngest: younger runs are left alone.
  ///   - start: the progress of an earlier call.
  ///   - call: its actor, checks and limits.
  ///   - time: the time of the changes, asked for at each page: a change of many runs takes long.
  ///   - isMeant: filters the runs that the query finds.
  ///   - report: called after each page.
  /// - Returns: the progress; it is not done if the task was cancelled.
  /// - Throws: ``JournalError``; ``DurableRunError`` for an edit whose stage can't be read.
  package func perform(
    _ bulk: BulkChange, upTo youngest: RunID, after start: BulkProgress = BulkProgress(),
    _ call: BulkCall, at time: @autoclosure () -> JournalTime,
    where isMeant: (RunRecord) -> Bool = { _ in true },
    report: (BulkProgress) async throws -> Void = { _ in }
  ) async throws -> BulkProgress {
    var progress = start
    progress.isDone = false
    let concerns = try bulk.concern()
    var left = call.looked ?? .max
    while !Task.isCancelled,
      let query = bulk.query(limit: bulkPage, before: progress.position ?? youngest.successor)
    {
      let page = try await runs(query)
      var meant = page.runs.filter {
        $0.id <= youngest && concerns($0) && !bulk.hasMade($0) && isMeant($0)
      }
      if let limit = call.limit {
        meant = Array(meant.prefix(max(0, limit - progress.changed - progress.skipped)))
      }
      let (changed, error) = try await perform(bulk, on: meant, call, at: time())
      progress.changed += changed
      progress.skipped += meant.count - changed
      progress.error = progress.error ?? error
      left -= page.runs.count
      let isFull =
        left <= 0 || call.limit.map { progress.changed + progress.skipped >= $0 } ?? false
      let last = isFull ? meant.last?.id ?? page.runs.last?.id : page.runs.last?.id
      guard !isFull, let next = page.next, next != progress.position else {
        progress.position = last ?? progress.position
        progress.isDone = true
        try await report(progress)
        return progress
      }
      progress.position = next
      try await report(progress)
    }
    // No state of the query allows the change.
    progress.isDone = bulk.query(limit: 1, before: nil) == nil
    return progress
  }

  /// Changes the runs of a page concurrently, so that a journal can commit them together.
  ///
  /// - Returns: the number of changed runs, and why a stage could not be forked.
  private func perform(
    _ bulk: BulkChange, on runs: [RunRecord], _ call: BulkCall, at time: JournalTime
  ) async throws -> (changed: Int, error: DurableRunError?) {
    try await withThrowingTaskGroup(of: Change.self) { group in
      for run in runs {
        group.addTask {
          do {
            let isMade = try await perform(bulk, on: run, call, at: time)
            return isMade ? .made : .skipped(nil)
          } catch JournalError.notAllowed, JournalError.noRun, JournalError.hasGoneOn,
            JournalError.stillNeeded
          {
            return .skipped(nil)
          } catch let error as DurableRunError where bulk.isFork {
            // It concerns this run only, and would be the same again.
            return .skipped(error)
          }
        }
      }
      // Changes in progress are awaited, even after an error: each is made completely or not at
      // all.
      var changed = 0
      var error: DurableRunError?
      var failure: (any Error)?
      while let result = await group.nextResult() {
        switch result {
        case .success(.made): changed += 1
        case .success(.skipped(let reason)): error = error ?? reason
        case .failure(let error): failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return (changed, error)
    }
  }

  /// - Returns: whether the run was changed.
  private func perform(
    _ bulk: BulkChange, on run: RunRecord, _ call: BulkCall, at time: JournalTime
  ) async throws -> Bool {
    switch bulk.action {
    case .retry: try await change(run.id, .retry, by: call.actor, at: time)
    case .cancel:
      call.onCancel(try await change(run.id, .cancel, by: call.actor, at: time))
      return true
    case .pause(let date): try await pause(.run(run.id), until: date, by: call.actor, at: time)
    case .resume: return try await resume(.run(run.id), by: call.actor, at: time)
    case .purge: try await purge(run.id, by: call.actor, at: time)
    case .signal(let name, let payload):
      // The same identifier each time, so that a repetition sends nothing again.
      let signal = SignalRecord(
        id: "\(bulk.id)-\(run.id)", name: name, payload: payload, sentAt: time.date,
        actor: call.actor)
      try await self.signal(run.id, signal, at: time)
    case .edit(_, let version):
      let trial = try BulkEditTrial(bulk.action, checkedBy: call.check)
      guard let stage = try trial?.stage(for: run) else { return false }
      try await change(
        run.id, .edit(stage, version: version, expectedSequence: run.sequence), by: call.actor,
        at: time)
    case .fork(let sequence):
      // The stage that was read, and the same identifier each time, so that a repetition gives the
      // same run, even after the runs were counted again.
      let fork = RunFork(run.id, from: sequence ?? run.sequence, by: call.actor)
      let new = try await self.fork(fork, checkedBy: call.check, at: time) { slot in
        RunID(from: bulk.id, for: run.id, slot: slot)
      }
      call.onFork(new)
      return true
    }
    call.onChange(run.id)
    return true
  }
}

/// What a bulk change has done to a run.
private enum Change: Sendable {
  case made
  case skipped(DurableRunError?)
}

extension BulkChange {
  fileprivate var isFork: Bool {
    if case .fork = action { true } else { false }
  }

  /// Whether a run is a fork that this change has made: the query may find it, too.
  fileprivate func hasMade(_ run: RunRecord) -> Bool {
    guard isFork, let origin = run.origin?.run else { return false }
    return run.id == RunID(from: id, for: origin, slot: run.id.slot)
  }
}

/// The number of runs changed between two checks for cancellation.
private let bulkPage = 64
