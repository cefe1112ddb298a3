#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// The columns of a run, in reading order.
  enum RunColumns {
    static let list = """
      number, id, flow, version, key, state, sequence, fence, payload, attempts, started_at, \
      changed_at, due_at, awaited, worker, error, crashes, lone_crashes, priority, \
      concurrency, gate, parent_id, join_sequence, \
      IIF(state = 0 AND due_at IS NOT NULL, join_policy, NULL), open_children, deadline, \
      attributes, trace, origin, origin_sequence
      """

    /// - Throws: `JournalError.corrupt` if a column holds a value that no journal writes.
    static func record(_ row: StoredRow) throws -> RunRecord {
      let id = try id(row.text(1))
      let flow = try row.text(2)
      let version = try row.whole(3)
      let state = try state(row.whole(5))
      let payload = try row.bytes(8)
      let startedAt = try row.date(10)
      let changedAt = try row.date(11)
      var record = RunRecord(
        id: id, flow: flow, version: version, key: row.optionalText(4), state: state,
        payload: payload, startedAt: startedAt, changedAt: changedAt)
      record.sequence = try row.whole(6)
      record.fence = try row.whole(7)
      record.attempts = try row.whole(9)
      record.dueAt = row.optionalDate(12)
      record.awaitedSignals = AwaitedSignals.names(row.optionalText(13))
      record.worker = row.optionalText(14)
      record.error = row.optionalText(15)
      record.crashes = try row.whole(16)
      record.loneCrashes = try row.whole(17)
      record.priority = try row.whole(18)
      record.concurrencyKey = row.optionalText(19)
      record.isPaused = try row.whole(20) & RunGate.run > 0
      record.parent = try row.optionalText(21).map { try Self.id($0) }
      if let sequence = row.optionalWhole(22) {
        record.join = RunJoin(
          sequence: sequence, policy: row.optionalWhole(23).flatMap { JoinPolicy(code: $0) },
          open: row.optionalWhole(24) ?? 0)
      }
      record.deadline = row.optionalDate(25)
      guard let attributes: [String: RunAttribute] = StoredDictionary.values(row.optionalText(26)),
        let trace: [String: String] = StoredDictionary.values(row.optionalText(27))
      else { throw JournalError.corrupt("a run has attributes that can't be read") }
      (record.attributes, record.trace) = (attributes, trace)
      if let origin = row.optionalText(28) {
        record.origin = RunOrigin(run: try Self.id(origin), sequence: try row.whole(29))
      }
      return record
    }

    static func id(_ text: String) throws -> RunID {
      guard let id = RunID(text) else {
        throw JournalError.corrupt("\(text) stands where a run's name should")
      }
      return id
    }

    static func state(_ code: Int) throws -> RunState {
      guard let state = RunState(code: code) else {
        throw JournalError.corrupt("a run has the state \(code)")
      }
      return state
    }
  }
#endif
