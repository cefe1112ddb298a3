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
