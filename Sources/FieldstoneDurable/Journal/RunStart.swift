public import Foundation

/// A request to start a run.
public struct RunStart: Sendable, Hashable {
  /// Identifies the run.
  ///
  /// Repeating a start with the same identifier changes nothing.
  public var id: RunID
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// Unique among the flow's runs; nil to start any number.
  ///
  /// Keys are compared byte by byte: give keys that people type in one Unicode normal form.
  public var key: String?
  /// What happens to the start if the flow has a run with this key.
  public var ifTaken: TakenKeyPolicy
  /// The first stage, as JSON.
  public var payload: Data
  /// The earliest time of a claim, by the wall clock; nil for at once.
  public var notBefore: Date?
  /// The priority: due runs with a higher number are claimed first.
  ///
  /// A level counts as much as an hour of waiting, so that no run waits for ever. At most a thousand
  /// levels above and below 0 count.
  public var priority: Int
  /// The key that the run shares with others of its flow, for limits and pauses; nil for none.
  ///
  /// Compared byte by byte, like ``key``. A run whose first stage is replaced keeps its own.
  public var concurrencyKey: String?

  /// When the run is cancelled if it is unfinished, by the journal's clock; nil for never.
  public var deadline: Date?
  /// The values by which the run can be found; at most 16.
  public var attributes: [String: RunAttribute] = [:]
  /// The trace that the run belongs to, as an instrument's headers.
  public var trace: [String: String] = [:]
  /// The stage of another run that it is forked from; nil for any other start.
  ///
  /// A fork writes an ``AuditRecord`` in the transaction that starts it.
  public var origin: RunOrigin?
  /// The name of the person or the program that makes the fork, for the audit.
  public var actor: String?

  /// The largest number of a run's attributes.
  package static let mostAttributes = 16

  /// Makes a request.
  public init(
    id: RunID, flow: String, version: Int, key: String? = nil, payload: Data,
    ifTaken: TakenKeyPolicy = .existing, notBefore: Date? = nil, priority: Int = 0,
    concurrencyKey: String? = nil
  ) {
    self.id = id
    self.flow = flow
    self.version = version
    self.key = key
    self.ifTaken = ifTaken
    self.payload = payload
    self.notBefore = notBefore
    self.priority = priority
    self.concurrencyKey = concurrencyKey
  }

  /// Until when it waits, by the wall clock; nil if it is due at once.
  package func dueAt(at time: JournalTime) -> Date? {
    notBefore.flatMap { $0 > time.date ? $0 : nil }
  }

  /// The effective priority.
  package var effectivePriority: Int { min(max(priority, -1_000), 1_000) }
}

/// What happens to a start if its flow has a run with the same key.
public enum TakenKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The existing run is returned, in any state, and nothing is started.
  case existing
  /// A run that no worker has claimed yet takes the new start's values; any other is returned
  /// unchanged.
  ///
  /// It takes the stage, version, time, priority, deadline, attributes and trace, and keeps its
  /// identifier and its signals. A run whose stage was edited counts as begun. With a time some
  /// seconds ahead, many starts become one: each postpones the work, and the last determines its
  /// content.
  case replaceUnlessBegun
  /// A finished run loses its key to the new one, and keeps its chain; any other run is returned
  /// unchanged.
  case restartIfOver
}
