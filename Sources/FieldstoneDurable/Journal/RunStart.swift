public import Foundation

/// A run to be started.
public struct RunStart: Sendable, Hashable {
  /// Names the run.
  ///
  /// A start that is repeated with the same identifier changes nothing.
  public var id: RunID
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// No two runs of a flow have the same key; nil where any number may be started.
  ///
  /// Keys are compared byte by byte: one that people type is best given in one normal form.
  public var key: String?
  /// What becomes of the start when the flow has a run with this key.
  public var ifTaken: TakenKeyPolicy
  /// The first stage, as JSON.
  public var payload: Data
  /// No worker gets it before this time, by the wall clock; nil for at once.
  public var notBefore: Date?
  /// What goes first of the runs that are due: the higher number.
  ///
  /// A level counts as much as an hour of waiting, so that no run waits for ever. At most a thousand
  /// levels above and below 0 count.
  public var priority: Int
  /// What the run has in common with others of its flow, for limits and pauses; nil for nothing.
  ///
  /// Compared byte by byte, as ``key``. A run whose first stage is replaced keeps its own.
  public var concurrencyKey: String?

  /// When the run is cancelled unless it is over, by the journal's clock; nil for never.
  public var deadline: Date?
  /// What the run can be found by; at most 16.
  public var attributes: [String: RunAttribute] = [:]
  /// The trace that the run belongs to, as an instrument writes it into headers.
  public var trace: [String: String] = [:]

  /// The most attributes that a run has.
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

  /// Until when it waits, by the wall clock; nil when it is due at once.
  package func dueAt(at time: JournalTime) -> Date? {
    notBefore.flatMap { $0 > time.date ? $0 : nil }
  }

  /// The levels that count.
  package var effectivePriority: Int { min(max(priority, -1_000), 1_000) }
}

/// What becomes of a start when its flow has a run with the same key.
public enum TakenKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The run that is there is returned, in whatever state it is, and nothing is started.
  case existing
  /// A run that no worker has had yet gets the new stage, version, time, priority, deadline, attributes
  /// and trace in place of its own, and keeps its identifier and its signals; any other is returned as it is.
  ///
  /// With a time that is some seconds ahead, many starts become one: each puts the work off, and the
  /// last decides what it is.
  case replaceUnlessBegun
  /// A run that is over loses its key to the new one, and keeps its chain; any other is returned as
  /// it is.
  case restartIfOver
}
