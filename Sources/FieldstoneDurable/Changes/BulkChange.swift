public import Foundation

/// A change of all runs that a query finds.
///
/// ```swift
/// let change = BulkChange(.retry, of: RunQuery(flow: "order", states: [.dead]))
/// let count = try await runner.count(change)
/// let result = try await runner.perform(change, upTo: count)
/// ```
public struct BulkChange: Sendable, Hashable {
  /// The change of each run.
  public enum Action: Sendable, Hashable {
    /// Makes it ready at once.
    case retry
    /// Cancels it.
    case cancel
    /// Pauses it until a time; nil until it is resumed.
    case pause(until: Date?)
    /// Ends its own pause; pauses of its flow and of its concurrency key stay.
    case resume
    /// Starts a new run from a stage of it; nil for its current stage.
    ///
    /// **The stages repeat their effects.**
    case fork(from: Int?)
    /// Deletes it, if it is over.
    case purge
    /// Sends it a signal, if it is not over; the payload is JSON.
    ///
    /// The signal's identifier is made of those of the change and of the run.
    case signal(name: String, payload: Data)
    /// Merges a patch into its stage, and makes it ready at once: a JSON merge patch, RFC 7396, with
    /// the members to set, and null for those to remove. Nil keeps the stage's version.
    ///
    /// A run at another case than the patch names is left alone, and so is one whose stage has the
    /// patch's values.
    case edit(patch: Data, version: Int?)
  }

  /// Identifies the change: repeating it with the same identifier forks no run twice, and sends none
  /// the same signal twice, even if the runs are counted again.
  public var id: RunID
  /// The change of each run.
  public var action: Action
  /// The runs to change; the query's page position and limit are ignored.
  public var query: RunQuery

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - action: the change of each run.
  ///   - query: the runs to change.
  ///   - id: identifies the change; new unless given. Its time is that of the forks.
  public init(_ action: Action, of query: RunQuery, id: RunID = RunID(at: Date())) {
    self.id = id
    self.action = action
    self.query = query
  }
}

extension BulkChange {
  /// Whether a run in a state allows the change.
  package func isAllowed(in state: RunState) -> Bool {
    switch action {
    case .retry: RunChange.retry.isAllowed(in: state)
    case .cancel: RunChange.cancel.isAllowed(in: state)
    case .pause, .resume, .signal: !state.isOver
    // A completed run has no current stage.
    case .fork(let sequence): sequence != nil || state != .completed
    case .purge: state.isOver
    case .edit: RunChange.edit(Data(), version: nil).isAllowed(in: state)
    }
  }

  /// Whether a run is read to know if the change concerns it: no query finds its own pause, what is
  /// in its stage, or how many stages it has had.
  package var readsRuns: Bool {
    switch action {
    case .resume, .edit, .fork(from: .some): true
    default: false
    }
  }

  /// Decides whether a run whose state allows the change is concerned.
  ///
  /// - Throws: `JournalError.notJSON` for a patch that is no JSON.
  package func concern() throws(JournalError) -> @Sendable (RunRecord) -> Bool {
    switch action {
    case .resume: return { $0.isPaused }
    case .edit(let patch, version: _):
      let patch = try MergePatch(patch)
      return { patch.edited($0.payload) != nil }
    // A purged stage is missed only when the run is forked.
    case .fork(let sequence?):
      return { run in
        sequence < run.sequence || (sequence == run.sequence && run.state != .completed)
      }
    default: return { _ in true }
    }
  }

  /// The query for the runs that allow the change; nil if no state does.
  ///
  /// Runs in other states are not read.
  package func query(limit: Int, before place: RunID?) -> RunQuery? {
    guard var query = query.counted else { return nil }
    query.states = query.states.filter(isAllowed)
    query.before = place
    query.limit = limit
    return query.states.isEmpty ? nil : query
  }
}

/// The number of runs that a bulk change would affect.
public struct BulkCount: Sendable, Hashable {
  /// The number of runs, up to the limit of the count.
  public var number: Int
  /// Whether there are more runs than were counted.
  public var hasMore: Bool
  /// The youngest of them, which excludes runs that start later; nil if there are none.
  public var youngest: RunID?

  /// Makes a count.
  package init(number: Int = 0, hasMore: Bool = false, youngest: RunID? = nil) {
    self.number = number
    self.hasMore = hasMore
    self.youngest = youngest
  }
}

/// The progress of a bulk change.
public struct BulkProgress: Sendable, Hashable {
  /// The number of changed runs.
  public var changed: Int
  /// The number of skipped runs: they had changed since they were read, or the stage to fork from
  /// is purged or can't be read.
  public var skipped: Int
  /// The last run that was examined; a stopped change continues after it.
  public var position: RunID?
  /// Whether all runs were examined.
  public var isDone: Bool
  /// Why a stage could not be forked; nil if none was skipped for that.
  package var error: DurableRunError?

  /// Makes a progress; nothing is done yet.
  public init(changed: Int = 0, skipped: Int = 0, position: RunID? = nil, isDone: Bool = false) {
    self.changed = changed
    self.skipped = skipped
    self.position = position
    self.isDone = isDone
  }
}
