#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func run(_ id: RunID) throws -> RunRecord? { try find(id)?.record }

    func steps(of id: RunID, after sequence: Int?, limit: Int) throws -> StepPage {
      let sql = """
        SELECT sequence, fence, kind, version, payload, attempts, began_at, ended_at, worker, error \
        FROM fieldstone_step WHERE run = (SELECT number FROM fieldstone_run WHERE id = ?) \
        AND sequence > ? ORDER BY sequence LIMIT ?
        """
      let found = try rows(sql, [id.description, sequence ?? -1, limit + 1]).map { row in
        StepRecord(
          sequence: try row.whole(0), fence: try row.whole(1),
          kind: try row.whole(2) == 1 ? .edited : .done, version: try row.whole(3),
          payload: try row.bytes(4), attempts: try row.whole(5), beganAt: try row.date(6),
          endedAt: try row.date(7), worker: row.optionalText(8), error: row.optionalText(9))
      }
      let page = Array(found.prefix(limit))
      return StepPage(steps: page, next: found.count > limit ? page.last?.sequence : nil)
    }
  }
#endif
