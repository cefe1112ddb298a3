#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func start(_ start: RunStart, at time: JournalTime) throws -> RunRecord {
      if start.ifTaken == .restartIfOver, let key = start.key, try !isKnown(start.id) {
        try execute(
          """
          UPDATE fieldstone_run SET key = NULL \
          WHERE flow = ? AND key = ? AND state IN (\(Self.over))
          """, [start.flow, key])
      }
      if try insert(start, at: time) { return start.record(at: time) }
      if let known = try replaced(by: start) { return known }
      if let found = try find(start.id) { return found.record }
      let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE flow = ? AND key = ?"
      guard let row = try row(sql, [start.flow, start.key]) else {
        throw JournalError.corrupt("run \(start.id) is there and is not")
      }
      let record = try RunColumns.record(row)
      guard start.ifTaken == .replaceUnlessBegun, record.isReplaceable else {
        return record
      }
      return try replace(try row.whole(0), by: start, at: time)
    }

    /// - Returns: false if the identifier or the key exists, or the start has replaced another.
    private func insert(_ start: RunStart, at time: JournalTime) throws -> Bool {
      let now = time.date.stored
      let arguments: StatementArguments = [
        start.id.description, start.flow, start.version, start.key, now, start.waits(at: time),
        start.wakesAt(at: time), start.effectivePriority, start.payload,
      ]
      let isNew =
        if start.isPlain {
          try execute(Self.plainInsertion, arguments) > 0
        } else {
          try execute(
            Self.insertion,
            arguments + [
              start.dueAt(at: time)?.stored, start.concurrencyKey, start.deadline?.stored,
              StoredDictionary.text(start.attributes), StoredDictionary.text(start.trace),
              start.origin?.run.description, start.origin?.sequence,
            ]) > 0
        }
      if isNew {
        try index(start.attributes, of: start.id)
        try note(AuditEntry(forking: start), at: time)
      }
      return isNew
    }

    private static let insertion = insertion(
      """
      , due_at, concurrency, deadline, attributes, trace, origin, origin_sequence, gate
      """,
      """
      , ?10, ?11, ?12, ?13, ?14, ?15, ?16, \(RunGate.ofKey(flow: "?2", concurrency: "?11"))
      """)

    /// Most starts have none of the other values: to bind each of them costs time.
    private static let plainInsertion = insertion("", "")

    /// The statement that inserts a run.
    ///
    /// A start that has replaced the first stage of another run stands for that run: with its
    /// identifier, nothing is inserted. The values are no query, whose row SQLite would put into a
    /// temporary table.
    private static func insertion(_ columns: String, _ values: String) -> String {
      """
      INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts, \
      started_at, changed_at, waits, wakes_at, priority, payload\(columns)) \
      VALUES (coalesce((SELECT r.id FROM fieldstone_replacement p \
      JOIN fieldstone_run r ON r.number = p.run WHERE p.id = ?1), ?1), \
      ?2, ?3, ?4, 0, 0, 0, 0, ?5, ?5, ?6, ?7, ?8, ?9\(values)) ON CONFLICT DO NOTHING
      """
    }

    /// The run whose first stage this start has already replaced.
    private func replaced(by start: RunStart) throws -> RunRecord? {
      let sql = """
        SELECT \(RunColumns.list) FROM fieldstone_run \
        WHERE number = (SELECT run FROM fieldstone_replacement WHERE id = ?)
        """
      return try row(sql, [start.id.description]).map { try RunColumns.record($0) }
    }

    /// Replaces the stage of a run that no worker has claimed yet.
    private func replace(
      _ number: Int, by start: RunStart, at time: JournalTime
    ) throws -> RunRecord {
      try execute(
        "INSERT INTO fieldstone_replacement (id, run) VALUES (?, ?)",
        [start.id.description, number])
      try removeAttributes(of: number)
      let replaced = try changed(
        number,
        """
        UPDATE fieldstone_run SET version = ?, payload = ?, changed_at = ?, waits = ?, \
        wakes_at = ?, due_at = ?, priority = ?, deadline = ?, attributes = ?, trace = ? \
        WHERE number = ?
        """,
        [
          start.version, start.payload, time.date.stored, start.waits(at: time),
          start.wakesAt(at: time), start.dueAt(at: time)?.stored, start.effectivePriority,
          start.deadline?.stored, StoredDictionary.text(start.attributes),
          StoredDictionary.text(start.trace), number,
        ])
      try index(start.attributes, of: replaced.id)
      // With another priority it may be the next one of its key.
      try execute(
        """
        INSERT OR IGNORE INTO fieldstone_freed SELECT flow, concurrency FROM fieldstone_run \
        WHERE number = ? AND concurrency IS NOT NULL AND gate & \(RunGate.limit)
        """, [number])
      return replaced
    }

    /// The codes of the states of runs that are over.
    private static let over = RunState.allCases.filter(\.isOver).map { "\($0.code)" }
      .joined(separator: ", ")
  }

  extension RunStart {
    /// The run as it is stored; reading it back would double the cost.
    fileprivate func record(at time: JournalTime) -> RunRecord {
      let now = Date(timeIntervalSinceReferenceDate: time.date.stored)
      var record = RunRecord(
        id: id, flow: flow, version: version, key: key, priority: effectivePriority,
        payload: payload, startedAt: now, changedAt: now, dueAt: dueAt(at: time))
      record.concurrencyKey = concurrencyKey
      record.deadline = deadline
      record.attributes = attributes
      record.trace = trace
      record.origin = origin
      return record
    }

    /// Whether it has none of the values that few starts have.
    fileprivate var isPlain: Bool {
      notBefore == nil && concurrencyKey == nil && deadline == nil && attributes.isEmpty
        && trace.isEmpty && origin == nil
    }

    /// The value of `waits`: no wait, a time, or a time with a priority.
    fileprivate func waits(at time: JournalTime) -> Int {
      if dueAt(at: time) == nil { 0 } else if effectivePriority == 0 { 1 } else { 2 }
    }

    /// The value of `wakes_at`: the time, or the position among due runs.
    fileprivate func wakesAt(at time: JournalTime) -> Double {
      if let date = dueAt(at: time) { return date.stored }
      return time.date.stored - Double(effectivePriority) * secondsPerPriority
    }
  }
#endif
