#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// The columns of a run, in the order in which they are read.
  enum RunColumns {
    static let list = """
      number, id, flow, version, key, state, sequence, fence, payload, attempts, started_at, \
      changed_at, due_at, awaited, worker, error
      """

    /// - Throws: `JournalError.corrupt` when a column holds what no journal has written.
    static func record(_ row: Row) throws -> RunRecord {
      RunRecord(
        id: try id(row.text(1)), flow: try row.text(2), version: try row.whole(3),
        key: row.optionalText(4), state: try state(row.whole(5)), sequence: try row.whole(6),
        fence: try row.whole(7), payload: try row.bytes(8), attempts: try row.whole(9),
        startedAt: try row.date(10), changedAt: try row.date(11), dueAt: row.optionalDate(12),
        awaitedSignal: row.optionalText(13), worker: row.optionalText(14),
        error: row.optionalText(15))
    }

    static func id(_ text: String) throws(JournalError) -> RunID {
      guard let id = RunID(text) else { throw .corrupt("\(text) stands where a run's name should") }
      return id
    }

    private static func state(_ code: Int) throws(JournalError) -> RunState {
      guard let state = RunState(code: code) else { throw .corrupt("a run has the state \(code)") }
      return state
    }
  }
#endif
