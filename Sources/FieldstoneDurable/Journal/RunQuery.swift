public import Foundation

/// A query for runs: filters, an order, and the place at which a page begins.
///
/// The journals in SQLite and PostgreSQL find a page by an index, in O(log n + limit). There are
/// indexes for one or several flows and states, an attribute, a key, a fingerprint, a wait, and
/// start or stop times, in the matching orders. With several filters, the one with the fewest runs
/// is used, counted up to a thousand; the other filters are tested on its runs. If each filter has
/// more than a thousand runs, an index is read in the order of the page, so a page costs O(runs
/// examined). In SQLite, the running runs of a flow have no index in an order: each page with that
/// state reads all of them.
public struct RunQuery: Sendable, Hashable {
  /// Only runs of this flow.
  public var flow: String?
  /// Only runs in one of these states; empty for all.
  public var states: Set<RunState>
  /// Only the run with this key.
  public var key: String?
  /// Only runs whose key begins with this, byte by byte; empty for all runs with a key.
  ///
  /// With more than a thousand such runs a page costs O(runs examined).
  public var keyPrefix: String?
  /// Only runs that were started at this time or later.
  ///
  /// Journals may skip a run if a wrong clock made its identifier more than ten minutes before or
  /// after its start. A page has the additional cost of O(runs started in ten minutes).
  public var since: Date?
  /// Only runs that were started before this time; see ``since``.
  public var until: Date?
  /// Only runs that became completed, dead, blocked or cancelled at this time or later.
  public var stoppedSince: Date?
  /// Only runs that stopped before this time.
  public var stoppedUntil: Date?
  /// Only ready runs that wait for this.
  public var waiting: RunWait?
  /// Only dead and blocked runs whose error has this fingerprint.
  public var error: ErrorFingerprint?
  /// The order of the pages.
  public var order: RunOrder = .newestFirst
  /// Only runs after this place: ``RunPage/nextPlace`` of the previous page.
  public var after: RunPlace?
  /// The largest number of runs, from 1 to 1,000; other numbers are clamped.
  public var limit: Int

  /// Only runs that have all of these attributes.
  ///
  /// The journals in SQLite and PostgreSQL find the runs with one of them by an index.
  public var attributes: [String: RunAttribute] = [:]

  /// The slot of all matching runs, if the caller knows it: only their shard is asked.
  package var slot: UInt16?

  /// Makes a query.
  public init(
    flow: String? = nil, states: Set<RunState> = [], key: String? = nil, since: Date? = nil,
    before: RunID? = nil, limit: Int = 50
  ) {
    self.flow = flow
    self.states = states
    self.key = key
    self.since = since
    self.limit = limit
    self.before = before
  }

  /// The last run of the previous page, in an order by identifiers: ``after`` without a time.
  public var before: RunID? {
    get { after?.id }
    set { after = newValue.map { RunPlace($0) } }
  }

  /// The effective limit.
  public var effectiveLimit: Int { min(max(limit, 1), 1_000) }
}

extension RunQuery {
  /// The states that matching runs can be in.
  package var possibleStates: Set<RunState> { Set(RunState.allCases.filter(isPossible)) }

  /// Whether matching runs can be in a state.
  ///
  /// In-memory journals call it for each run.
  private func isPossible(_ state: RunState) -> Bool {
    let isByStop = order.isByStop || stoppedSince != nil || stoppedUntil != nil
    return (states.isEmpty || states.contains(state))
      && (!isByStop || RunState.stopped.contains(state))
      && (error == nil || state == .dead || state == .blocked)
      && (waiting == nil || state == .ready)
  }

  /// Whether no run after its place can match.
  package var findsNothing: Bool {
    if order.isByStop, let after, after.stoppedAt == nil { return true }
    return possibleStates.isEmpty || hasNUL
  }

  /// Whether one of its texts contains a NUL, which no stored text does; a database would cut it.
  private var hasNUL: Bool {
    var texts = [flow, key, keyPrefix].compactMap(\.self)
    for (name, value) in attributes { texts += [name, value.stored] }
    if case .signal(.some(let name)) = waiting { texts.append(name) }
    return !texts.allSatisfy(\.isStorable)
  }

  /// The query for the same runs by identifier, without a place; nil if no run can match.
  package var counted: RunQuery? {
    var query = self
    query.after = nil
    if query.findsNothing { return nil }
    (query.order, query.states) = (.newestFirst, possibleStates)
    return query
  }

  /// Whether a record matches the filters, except its wait, its error and its place in the pages.
  package func wants(_ record: RunRecord) -> Bool {
    flow.map { $0.utf8.elementsEqual(record.flow.utf8) } ?? true
      && isPossible(record.state)
      && (key == nil || isKey(of: record))
      && (keyPrefix.map { record.key?.utf8.starts(with: $0.utf8) ?? false } ?? true)
      && since.map { record.startedAt >= $0 } ?? true
      && until.map { record.startedAt < $0 } ?? true
      && stoppedSince.map { record.changedAt >= $0 } ?? true
      && stoppedUntil.map { record.changedAt < $0 } ?? true
      && attributes.allSatisfy { has($0.key, $0.value, record) }
  }

  /// Whether a record's error has the fingerprint of the query; O(length of the error).
  package func wantsError(of record: RunRecord) -> Bool {
    guard let error else { return true }
    return record.error.map { ErrorFingerprint(of: $0) == error } ?? false
  }

  /// Byte by byte, as in a database.
  private func has(_ name: String, _ value: RunAttribute, _ record: RunRecord) -> Bool {
    guard let index = record.attributes.index(forKey: name) else { return false }
    let (key, other) = record.attributes[index]
    return key.utf8.elementsEqual(name.utf8) && other == value
  }

  /// Byte by byte, as in a database.
  private func isKey(of record: RunRecord) -> Bool {
    guard let key, let other = record.key else { return false }
    return key.utf8.elementsEqual(other.utf8)
  }

  /// The possible identifiers of runs started in the requested times, with ten minutes of slack on
  /// either side.
  package var identifiers: ClosedRange<RunID>? {
    guard since != nil || until != nil else { return nil }
    let low = RunID.lowest(at: (since ?? .distantPast) - 600)
    let high = RunID.highest(at: (until ?? .distantFuture) + 600)
    return low <= high ? low...high : low...low
  }

  /// The range of all keys with the prefix, compared by their bytes.
  package var keys: (first: String, end: String?)? { keyPrefix.map { ($0, $0.endOfPrefix) } }
}

extension String {
  /// The first text after all texts with this prefix; nil if there is none.
  fileprivate var endOfPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // UTF-8 bytes sort like scalars; D800 to DFFF are not scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      return String(String.UnicodeScalarView(scalars))
    }
    return nil
  }
}

/// A page of runs, in the order of its query.
public struct RunPage: Sendable, Hashable {
  /// The runs.
  public var runs: [RunRecord]
  /// The value of ``RunQuery/after`` for the next page; nil for the last page.
  public var nextPlace: RunPlace?

  /// Makes a page.
  public init(runs: [RunRecord], next: RunID? = nil) {
    self.runs = runs
    nextPlace = next.map { RunPlace($0) }
  }

  /// Makes a page from runs that were fetched with a limit of one more.
  package init(found: [RunRecord], by query: RunQuery) {
    runs = Array(found.prefix(query.effectiveLimit))
    if found.count > runs.count { nextPlace = runs.last.map(query.order.place) }
  }

  /// The value of ``RunQuery/before`` for the next page, in an order by identifiers; nil for the
  /// last page.
  public var next: RunID? {
    get { nextPlace?.id }
    set { nextPlace = newValue.map { RunPlace($0) } }
  }
}

/// A page of a run's steps, oldest first.
public struct StepPage: Sendable, Hashable {
  /// The steps.
  public var steps: [StepRecord]
  /// The sequence after which the next page begins; nil for the last page.
  public var next: Int?

  /// Makes a page.
  public init(steps: [StepRecord], next: Int? = nil) {
    self.steps = steps
    self.next = next
  }
}
