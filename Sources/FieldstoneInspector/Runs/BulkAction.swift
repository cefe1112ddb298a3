#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  /// The runs that an action on all of a filter would change.
  struct BulkCount: Hashable {
    /// The most that one confirmation changes: each run is a transaction of its own.
    static let limit = 1_000
    /// The most runs that are looked through for a filter by error or by reason of waiting.
    static let lookLimit = 10_000

    /// How many there are, at most ``limit``.
    var number = 0
    /// Whether there are more.
    var hasMore = false
    /// The youngest of them: runs that start later are not meant.
    var youngest: RunID?
  }

  extension RunAction {
    /// The actions that can be done to all runs of a filter.
    static let ofMany: [RunAction] = [.retry, .cancel]

    /// The change in a journal; nil where it takes more than the action.
    var change: RunChange? {
      switch self {
      case .retry: .retry
      case .cancel: .cancel
      case .edit, .signal: nil
      }
    }
  }

  /// What was done to the runs of a filter.
  struct BulkResult: Hashable {
    var changed = 0
    /// Runs that had gone on since they were counted.
    var skipped = 0

    init() {}

    /// Reads the result of an address; nil where it has none.
    init?(_ query: FormValues) {
      guard let changed = query["changed"].flatMap(Int.init) else { return nil }
      self.changed = max(changed, 0)
      skipped = max(query["skipped"].flatMap(Int.init) ?? 0, 0)
    }
  }

  extension Journal {
    /// Counts the runs of a filter that an action can change, the youngest first.
    ///
    /// O(runs found), at most ``BulkCount/limit``; a filter by error or by reason of waiting looks
    /// through at most ``BulkCount/lookLimit`` runs.
    func count(
      _ filter: RunFilter, for action: RunAction, _ pauses: RunPauses, at date: Date
    ) async throws -> BulkCount {
      var count = BulkCount()
      count.hasMore = try await eachRun(of: filter, for: action, pauses, at: date) { run in
        if count.number == BulkCount.limit { return false }
        count.number += 1
        count.youngest = count.youngest ?? run.id
        return true
      }
      return count
    }

    /// Changes the runs of a filter, each in a transaction of its own.
    ///
    /// - Parameters:
    ///   - filter: chooses the runs.
    ///   - action: the action.
    ///   - count: the most runs that are changed.
    ///   - youngest: the youngest run that is meant.
    ///   - pauses: the pauses of the journal.
    ///   - time: the journal's time.
    func change(
      _ filter: RunFilter, _ action: RunAction, atMost count: Int, upTo youngest: RunID,
      _ pauses: RunPauses, at time: JournalTime
    ) async throws -> BulkResult {
      var result = BulkResult()
      guard let change = action.change else { return result }
      _ = try await eachRun(of: filter, for: action, pauses, at: time.date) { run in
        guard result.changed + result.skipped < count else { return false }
        guard run.id <= youngest else { return true }
        do {
          try await self.change(run.id, change, at: time)
          result.changed += 1
        } catch let error as JournalError {
          switch error {
          case .notAllowed, .noRun: result.skipped += 1
          default: throw error
          }
        }
        return true
      }
      return result
    }

    /// Reads the runs of a filter that an action can change, until the body returns false.
    ///
    /// - Returns: whether there may be more.
    private func eachRun(
      of filter: RunFilter, for action: RunAction, _ pauses: RunPauses, at date: Date,
      _ body: (RunRecord) async throws -> Bool
    ) async throws -> Bool {
      var query = filter.query
      // Those in other states are not even read.
      let states = query.states.isEmpty ? Set(RunState.allCases) : query.states
      query.states = states.filter(action.isAllowed)
      if query.states.isEmpty { return false }
      query.limit = filter.looksThrough ? 500 : BulkCount.limit
      var looked = 0
      while true {
        let page = try await runs(query)
        for run in page.runs where filter.takes(run, pauses, at: date) {
          if try await !body(run) { return true }
        }
        looked += page.runs.count
        // A journal that gives the same page again would be read for ever.
        guard let next = page.next, next != query.before, !page.runs.isEmpty else { return false }
        if filter.looksThrough, looked >= BulkCount.lookLimit { return true }
        query.before = next
      }
    }
  }
#endif
