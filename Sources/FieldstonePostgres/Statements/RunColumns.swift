#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The columns of a run, in reading order.
  enum RunColumns {
    /// The queue position of a waiting run once its time has come.
    static let place = "wakes_at - priority * interval '\(secondsPerPriority) s'"

    /// Sets a run's wait, or its position among due runs.
    static func waiting(for time: String, now: String, priority: String = "priority") -> String {
      """
      waits = CASE WHEN \(time) IS NULL THEN 0 WHEN \(priority) = 0 THEN 1 ELSE 2 END, \
      wakes_at = COALESCE(\(time), \(now) - \(priority) * interval '\(secondsPerPriority) s')
      """
    }

    /// The state, for statements that find runs by their identifiers.
    ///
    /// No index has the sum. With `state` itself the planner may read the index of all runs in a
    /// state for each statement: it keeps the plan that it made while the table was small.
    static let unindexedState = "state + 0"

    static let list = """
      r.id, r.flow, r.version, r.key, r.state, r.sequence, r.fence, r.attempts, r.crashes, \
      r.lone_crashes, r.started_at, r.changed_at, r.due_at, r.awaited, r.worker, r.error, \
      r.priority, r.concurrency, r.gate, r.parent, r.join_sequence, \
      CASE WHEN r.state = 0 THEN r.join_policy END, r.open_children, \
      r.deadline, r.attributes, r.trace, r.origin, r.origin_sequence
      """
    /// The number of these columns; further columns follow them.
    static let count = 28

    /// The runs with their stages, one index seek each.
    static let withStage = "\(list), s.payload"
    static let stages = "run r JOIN step s ON s.run = r.id AND s.sequence = r.sequence"

    /// - Throws: `JournalError.corrupt` if a column holds a value that no journal writes.
    static func record(_ row: PostgresRow, payload: Data) throws -> RunRecord {
      var record = RunRecord(
        id: try row.identifier(0), flow: try row.text(1), version: try row.integer(2),
        key: row.optionalText(3), state: try state(row.integer(4)), payload: payload,
        startedAt: try row.date(10), changedAt: try row.date(11))
      record.sequence = try row.integer(5)
      record.fence = try row.integer(6)
      record.attempts = try row.integer(7)
      record.crashes = try row.integer(8)
      record.loneCrashes = try row.integer(9)
      record.dueAt = row.optionalDate(12)
      record.awaitedSignals = AwaitedSignals.names(row.optionalText(13))
      record.worker = row.optionalText(14)
      record.error = row.optionalText(15)
      record.priority = try row.integer(16)
      record.concurrencyKey = row.optionalText(17)
      record.isPaused = try row.integer(18) & RunGate.run > 0 && !record.state.isOver
      record.parent = row.optionalIdentifier(19)
      if let sequence = row.optionalInteger(20) {
        record.join = RunJoin(
          sequence: sequence, policy: row.optionalInteger(21).flatMap { JoinPolicy(code: $0) },
          open: row.optionalInteger(22) ?? 0)
      }
      record.deadline = row.optionalDate(23)
      guard let attributes: [String: RunAttribute] = StoredDictionary.values(row.optionalText(24)),
        let trace: [String: String] = StoredDictionary.values(row.optionalText(25))
      else { throw JournalError.corrupt("a run has attributes that can't be read") }
      (record.attributes, record.trace) = (attributes, trace)
      if let origin = row.optionalIdentifier(26) {
        record.origin = RunOrigin(run: origin, sequence: try row.integer(27))
      }
      return record
    }

    static func recordWithStage(_ row: PostgresRow) throws -> RunRecord {
      try record(row, payload: row.bytes(count))
    }

    static func state(_ code: Int) throws -> RunState {
      guard let state = RunState(code: code) else {
        throw JournalError.corrupt("a run has the state \(code)")
      }
      return state
    }
  }
#endif
