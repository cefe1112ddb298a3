package import Foundation

/// A journal whose indices answer what pages ask about all of its runs.
///
/// Each requirement reads a bounded number of rows, however many runs there are. An answer is nil
/// if the journal can't give it, for example because a decorated one has no such index.
package protocol SurveyedJournal: Journal {
  /// Names for completion, sorted by their bytes; one index seek per name.
  func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]?

  /// The runs that have been due longest and that no pause, full key or quarantine holds back, in
  /// the order of claims; several index seeks per version of a flow.
  func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]?

  /// The limits of all flows with their use, in the order of the flows' names.
  ///
  /// Places are counted up to ``RunCount/usualLimit``, and runs behind a key up to
  /// ``LimitStanding/mostBehind``.
  func limitStandings(at time: JournalTime) async throws -> [LimitStanding]?

  /// The pauses of flows and of concurrency keys, and those of some runs, in the order of
  /// ``JournalPause/precedes(_:_:)``: a pause of many runs leaves one of each of them.
  func pauses(of runs: [RunID]) async throws -> [JournalPause]?

  /// The first pauses, in that order.
  func firstPauses(atMost limit: Int) async throws -> [JournalPause]?
}

/// The names that a journal completes.
package enum SurveyedName: Sendable, Hashable, CaseIterable {
  /// Names of flows that have runs.
  case flow
  /// Names of attributes that runs have.
  case attribute
}

/// A run that workers can claim.
package struct DueRun: Sendable, Hashable {
  package var id: RunID
  /// When it became due, an hour earlier for each level of its priority.
  package var place: Date

  package init(id: RunID, place: Date) {
    self.id = id
    self.place = place
  }

  package static func isEarlier(_ left: Self, _ right: Self) -> Bool {
    (left.place, left.id) < (right.place, right.id)
  }
}

/// The limits of a flow with their use at a moment.
package struct LimitStanding: Sendable, Hashable {
  /// A concurrency key without a free place, for which runs wait.
  package struct Key: Sendable, Hashable {
    package var name: String
    /// The number of places that are taken, counted up to the limit.
    package var used: Int
    /// The runs that wait for a place.
    package var waiting: RunCount

    package init(name: String, used: Int, waiting: RunCount) {
      self.name = name
      self.used = used
      self.waiting = waiting
    }
  }

  package var flow: String
  package var limits: FlowLimits
  /// The runs that count for ``FlowLimits/runs``; nil if there is no such limit.
  package var used: RunCount?
  /// The tokens of ``FlowLimits/rate`` at that moment; nil if there is no such limit.
  package var bucket: TokenBucket?
  /// The full keys, sorted by their bytes.
  package var keys: [Key] = []
  /// Whether more keys have runs behind them than were examined.
  package var hasMoreKeys = false

  /// The largest number of keys that are examined in all.
  package static let mostKeys = 100
  /// The largest number of runs that are counted behind a key.
  package static let mostBehind = 1_000

  package init(
    flow: String, limits: FlowLimits, used: RunCount? = nil, bucket: TokenBucket? = nil
  ) {
    self.flow = flow
    self.limits = limits
    self.used = used
    self.bucket = bucket
  }

  /// Whether all places of the flow are taken.
  package var isFull: Bool {
    guard let used, let maximum = limits.effective.runs else { return false }
    return used.number >= maximum
  }

  /// When there is a token again; nil if there is one, or no rate.
  package var nextToken: Date? {
    limits.effective.rate.flatMap { bucket?.nextToken(by: $0) }
  }

  /// Whether a limit holds back runs at that moment.
  package var holdsBack: Bool { isFull || nextToken != nil || !keys.isEmpty }

  /// How far the runs that count for a limit are counted.
  package static func counted(upTo maximum: Int) -> Int { min(maximum, RunCount.usualLimit) }
}

extension Journal {
  /// The limits of all flows with their use, in the order of the flows' names.
  ///
  /// A journal without ``SurveyedJournal`` only counts the runs that are running.
  package func surveyedLimits(at time: JournalTime) async throws -> [LimitStanding] {
    if let standings = try await (self as? any SurveyedJournal)?.limitStandings(at: time) {
      return standings
    }
    var standings: [LimitStanding] = []
    for (flow, limits) in try await flowLimits().sorted(by: { $0.key < $1.key }) {
      var standing = LimitStanding(flow: flow, limits: limits.effective)
      if let maximum = standing.limits.runningRuns {
        standing.used = try await count(
          RunQuery(flow: flow, states: [.running]),
          atMost: LimitStanding.counted(upTo: maximum))
      }
      standings.append(standing)
    }
    return standings
  }
}

extension Journal {
  /// The pauses of flows and of concurrency keys, and at least those of some runs.
  ///
  /// A journal without ``SurveyedJournal`` reads all of its pauses.
  package func surveyedPauses(of runs: [RunID]) async throws -> [JournalPause] {
    if let pauses = try await (self as? any SurveyedJournal)?.pauses(of: runs) { return pauses }
    return try await pauses()
  }

  /// The first pauses; a journal without ``SurveyedJournal`` reads all of them.
  package func surveyedPauses(atMost limit: Int) async throws -> [JournalPause] {
    if let first = try await (self as? any SurveyedJournal)?.firstPauses(atMost: limit) {
      return first
    }
    return Array(try await pauses().prefix(limit))
  }
}

extension JournalDecorator {
  package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
    try await (decorated as? any SurveyedJournal)?.names(of: kind, atMost: limit)
  }

  package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
    try await (decorated as? any SurveyedJournal)?.longestDue(atMost: limit, at: time)
  }

  package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
    try await (decorated as? any SurveyedJournal)?.limitStandings(at: time)
  }

  package func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
    try await (decorated as? any SurveyedJournal)?.pauses(of: runs)
  }

  package func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
    try await (decorated as? any SurveyedJournal)?.firstPauses(atMost: limit)
  }
}
