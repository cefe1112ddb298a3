public import Foundation

/// Which runs are wanted, and from where on.
public struct RunQuery: Sendable, Hashable {
  /// Only those of this flow.
  public var flow: String?
  /// Only those in one of these states; empty for all.
  public var states: Set<RunState>
  /// Only the one with this key.
  public var key: String?
  /// Only those that were started at this time or later.
  public var since: Date?
  /// Only those older than this one: the last of the page before.
  public var before: RunID?
  /// How many at most, from 1 to 1,000; other numbers count as the nearest of these.
  public var limit: Int

  /// Only those that have all of these attributes.
  ///
  /// With the journals in SQLite and PostgreSQL an index finds the runs that have one of them.
  public var attributes: [String: RunAttribute] = [:]

  /// Makes a query.
  public init(
    flow: String? = nil, states: Set<RunState> = [], key: String? = nil, since: Date? = nil,
    before: RunID? = nil, limit: Int = 50
  ) {
    self.flow = flow
    self.states = states
    self.key = key
    self.since = since
    self.before = before
    self.limit = limit
  }

  /// The limit as it counts.
  public var effectiveLimit: Int { min(max(limit, 1), 1_000) }
}

extension RunQuery {
  /// Whether a run is among those that are asked for, its place in the pages aside.
  package func wants(_ record: RunRecord) -> Bool {
    (flow == nil || flow == record.flow)
      && (states.isEmpty || states.contains(record.state))
      && (key == nil || isKey(of: record))
      && since.map { record.startedAt >= $0 } ?? true
      && attributes.allSatisfy { record.attributes[$0.key] == $0.value }
  }

  /// Byte by byte, as a database compares.
  private func isKey(of record: RunRecord) -> Bool {
    guard let key, let other = record.key else { return false }
    return key.utf8.elementsEqual(other.utf8)
  }
}

/// A page of runs, the youngest first.
public struct RunPage: Sendable, Hashable {
  /// The runs.
  public var runs: [RunRecord]
  /// What to give as ``RunQuery/before`` for the page after this one; nil when it is the last.
  public var next: RunID?

  /// Makes a page.
  public init(runs: [RunRecord], next: RunID? = nil) {
    self.runs = runs
    self.next = next
  }
}

/// A page of a run's steps, the oldest first.
public struct StepPage: Sendable, Hashable {
  /// The steps.
  public var steps: [StepRecord]
  /// What to give as the sequence to begin after for the next page; nil when it is the last.
  public var next: Int?

  /// Makes a page.
  public init(steps: [StepRecord], next: Int? = nil) {
    self.steps = steps
    self.next = next
  }
}
