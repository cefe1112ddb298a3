#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  extension BulkCount {
    /// The maximum number of changes per confirmation: each run is a transaction of its own.
    static let most = 1_000
  }

  /// An operator's action on all runs of a filter.
  struct ManyRunsAction: Hashable {
    /// The kind of action; addresses contain the raw values.
    enum Kind: String, CaseIterable {
      case retry
      case pause
      case resume
      case signal
      case edit
      case fork
      case cancel
      case purge
    }

    var kind: Kind
    /// The stage that forks begin at; nil for the stage that each run is at.
    var stage: Int?
    /// The name of the signal to send; empty until one is chosen.
    var signal = ""
    /// The payload of the signal, or the patch of the edit, as JSON.
    var payload = Data("null".utf8)
    /// The version of the flow that edited stages are for; nil for that of each.
    var version: Int?

    init(_ kind: Kind, stage: Int? = nil, signal: String = "") {
      self.kind = kind
      self.stage = stage
      self.signal = signal
    }

    /// Reads an action from the parts of an address.
    ///
    /// - Throws: `InspectorRefusal` for an unknown name, an invalid stage, or an edit of several flows.
    init(_ name: String, _ query: FormValues) throws(InspectorRefusal) {
      guard let kind = Kind(rawValue: name) else { throw .noPage }
      self.kind = kind
      if kind == .signal { signal = query["name"] ?? "" }
      if kind == .edit, query["flow"] ?? "" == "" {
        throw InspectorRefusal(
          400, "A patch is for the stages of one flow; choose the flow in the filter of the runs.")
      }
      guard kind == .fork, let text = query["stage"], !text.isEmpty else { return }
      guard let stage = Int(text), stage >= 0 else {
        throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of a stage.")
      }
      self.stage = stage
    }

    /// Whether the action can change runs in a state.
    func isAllowed(in state: RunState) -> Bool {
      change(of: RunFilter()).isAllowed(in: state)
    }

    /// The change of a journal's runs.
    ///
    /// - Parameters:
    ///   - filter: chooses the runs.
    ///   - id: names the change, so that a form that is sent twice forks or signals no run twice.
    ///   - end: the end of a pause; nil for a pause that somebody resumes.
    func change(
      of filter: RunFilter, id: RunID = RunID(at: .distantPast), until end: Date? = nil
    ) -> BulkChange {
      let action: BulkChange.Action =
        switch kind {
        case .retry: .retry
        case .pause: .pause(until: end)
        case .resume: .resume
        case .signal: .signal(name: signal, payload: payload)
        case .edit: .edit(patch: payload, version: version)
        case .fork: .fork(from: stage)
        case .cancel: .cancel
        case .purge: .purge
        }
      return BulkChange(action, of: filter.query, id: id)
    }

    /// The words of its button.
    var title: String {
      switch kind {
      case .retry: "Retry"
      case .pause: "Pause"
      case .resume: "Resume"
      case .signal: "Send a signal"
      case .edit: "Edit"
      case .fork: "Fork"
      case .cancel: "Cancel"
      case .purge: "Delete"
      }
    }

    /// Whether the action can't be undone.
    var isDangerous: Bool { kind == .cancel || kind == .purge }

    /// The effect, for the user who confirms it.
    ///
    /// - Parameter isChecked: whether this process has the code of the flow.
    func effect(isChecked: Bool) -> String {
      switch kind {
      case .retry: "They become ready at once, with no attempts behind them."
      case .pause:
        "No worker gets them until the pause ends. A stage under way goes on to its checkpoint."
      case .resume: "Their own pauses end; those of their flow and of their key stay."
      case .signal:
        "Each gets the signal when it receives by this name, now or later. Signals can't be taken back."
      case .edit:
        "The patch is merged into the stage of each, and they become ready at once. The stages that are "
          + "there now stay in the steps. Runs at another stage than the patch names are left alone. "
          + (isChecked
            ? "A stage that the flow can't decode is not written."
            : "The inspector has no code of the flow, so the new stages are not checked: a runner that "
              + "can't read one blocks its run.")
      case .fork:
        "A new run begins at \(stage.map { "stage \($0)" } ?? "the stage") of each, and the old ones "
          + "stay as they are. The new runs have other idempotency keys, so effects of their stages are "
          + "repeated. "
          + (isChecked
            ? "A run is left alone if the stage was deleted, or the flow can't decode it."
            : "The stages are not checked: a runner that can't read one blocks its run.")
      case .cancel: "They are called off; a cancelled run can be retried."
      case .purge: "They and all that is kept of them are deleted. That can't be undone."
      }
    }

    /// The past participle for the result, as in “2 runs were forked”.
    var done: String {
      switch kind {
      case .retry: "made ready"
      case .pause: "paused"
      case .resume: "resumed"
      case .signal: "sent the signal"
      case .edit: "edited"
      case .fork: "forked"
      case .cancel: "cancelled"
      case .purge: "deleted"
      }
    }
  }

  /// The result of an action on the runs of a filter.
  struct BulkResult: Hashable {
    var changed = 0
    /// The number of runs that had changed since they were counted, or can't be forked.
    var skipped = 0
    let kind: ManyRunsAction.Kind

    init(_ kind: ManyRunsAction.Kind) { self.kind = kind }

    /// Parses the result in an address; nil if there is none.
    init?(_ query: FormValues) {
      guard let changed = query["changed"].flatMap(Int.init),
        let kind = query["done"].flatMap(ManyRunsAction.Kind.init)
      else { return nil }
      self.kind = kind
      self.changed = max(changed, 0)
      skipped = max(query["skipped"].flatMap(Int.init) ?? 0, 0)
    }
  }

  /// The runs that an action can change: their number, and the identifiers that they lie between.
  struct CountedRuns: Hashable {
    var count = BulkCount()
    /// The oldest of the counted runs; nil if there are none.
    var oldest: RunID?
  }

  /// The end of a change at the oldest run that was counted.
  private struct ReachedOldest: Error {
    let progress: BulkProgress
  }

  extension Journal {
    /// Counts the runs of a filter that an action can change, youngest first.
    ///
    /// O(runs found), at most ``BulkCount/most``; a filter that ``search(_:_:at:)`` scans runs for
    /// scans at most ``RunSearch/limit`` here. If there are more than those, each is read.
    ///
    /// A trial of an edit counts the runs that it takes.
    func count(
      _ filter: RunFilter, for action: ManyRunsAction, _ waits: WaitReasons, at date: Date,
      trying trial: inout BulkEditTrial?
    ) async throws -> CountedRuns {
      let (change, looked) = try await bounded(action.change(of: filter), filter)
      guard let looked else {
        let count = try await count(change, limit: BulkCount.most)
        return CountedRuns(count: count, oldest: try await oldest(of: count, by: change))
      }
      let query = filter.query
      var tried = trial
      defer { trial = tried }
      var (number, oldest) = (0, nil as RunID?)
      let count = try await count(change, limit: BulkCount.most, lookingThrough: looked) { run in
        guard filter.wants(run, of: query, waits, at: date), tried?.takes(run) ?? true else {
          return false
        }
        // One more than is counted is looked at.
        if number < BulkCount.most { oldest = run.id }
        number += 1
        return true
      }
      return CountedRuns(count: count, oldest: oldest)
    }

    /// The oldest run of a count by an index; nil if there is none.
    private func oldest(of count: BulkCount, by change: BulkChange) async throws -> RunID? {
      guard var query = change.query(limit: 64, before: nil) else { return nil }
      guard count.hasMore else {
        (query.order, query.limit) = (.oldestFirst, 1)
        return try await runs(query).runs.first?.id
      }
      // Others may have started since they were counted.
      query.before = count.youngest?.successor
      var (left, oldest) = (count.number, nil as RunID?)
      try await eachPage(of: query) { page in
        oldest = page.runs.prefix(left).last?.id ?? oldest
        left -= min(left, page.runs.count)
        return left > 0
      }
      return oldest
    }

    /// The change with a query whose pages read a bounded number of runs, and the maximum number of
    /// runs to scan; nil if the query finds only runs of the filter.
    private func bounded(
      _ change: BulkChange, _ filter: RunFilter
    ) async throws -> (BulkChange, looked: Int?) {
      // A change goes from the youngest to the oldest, whatever the order of the table.
      guard let query = change.query.counted else { return (change, nil) }
      var change = change
      // Of a filter alone that an index counts, many runs are found: few others are read.
      var isBounded = query.isCounted
      if !isBounded { isBounded = try await self.isBounded(query) }
      if !isBounded { change.query = query.widened }
      let isScanned = !isBounded || filter.looksThrough || change.readsRuns
      return (change, isScanned ? RunSearch.limit : nil)
    }

    /// Changes the runs of a filter, each in a transaction of its own.
    ///
    /// It changes only runs between those that were counted, so a form that is sent again does not
    /// go on to the next ones.
    ///
    /// - Parameters:
    ///   - filter: chooses the runs.
    ///   - kind: the kind of action.
    ///   - change: the change.
    ///   - count: the maximum number of changed runs.
    ///   - oldest: the oldest run to change.
    ///   - youngest: the youngest run to change.
    ///   - waits: what holds back the runs of the journal.
    ///   - actor: the name of the user, for the audit.
    ///   - check: how the stages of forks and edits are checked.
    ///   - time: the journal's time, asked for at each page.
    func change(
      _ filter: RunFilter, _ kind: ManyRunsAction.Kind, _ change: BulkChange, atMost count: Int,
      from oldest: RunID, upTo youngest: RunID, _ waits: WaitReasons, by actor: String,
      checkedBy check: StageCheck, at time: @Sendable () -> JournalTime
    ) async throws -> BulkResult {
      var result = BulkResult(kind)
      let (change, looked) = try await bounded(change, filter)
      let query = filter.query
      let call = BulkCall(by: actor, checkedBy: check, limit: count, lookingThrough: looked)
      let trial = try BulkEditTrial(change.action, checkedBy: check)
      // The filter finds the runs that were counted, however long the change takes.
      let counted = time().date
      let progress: BulkProgress
      do {
        progress = try await perform(
          change, upTo: youngest, call, at: time(),
          where: { run in
            run.id >= oldest
              && (looked == nil || filter.wants(run, of: query, waits, at: counted))
              && trial.map { (try? $0.stage(for: run)) != nil } ?? true
          },
          report: { progress in
            if let position = progress.position, position < oldest {
              throw ReachedOldest(progress: progress)
            }
          })
      } catch let end as ReachedOldest {
        progress = end.progress
      }
      (result.changed, result.skipped) = (progress.changed, progress.skipped)
      return result
    }
  }
#endif
