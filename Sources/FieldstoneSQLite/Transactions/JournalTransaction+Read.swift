#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func run(_ id: RunID) throws -> RunRecord? { try find(id)?.record }

    /// A page: one more than is asked for is looked up, to know whether anything follows.
    func runs(_ query: RunQuery) throws -> RunPage {
      let limit = query.effectiveLimit
      var found: [RunRecord] = []
      if !query.attributes.isEmpty, query.key == nil {
        found = try records(having: query, limit: limit)
      } else if let key = query.key {
        for flow in try flows(of: query) {
          let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE flow = ? AND key = ?"
          guard let row = try row(sql, [flow, key]) else { continue }
          let record = try RunColumns.record(row)
          let isBefore = query.before.map { record.id < $0 } ?? true
          if isBefore, query.wants(record) { found.append(record) }
        }
      } else if query.flow == nil, query.states.isEmpty {
        found = try records(where: "", [], query, limit)
      } else {
        let states = query.states.isEmpty ? Set(RunState.allCases) : query.states
        let lists = try flows(of: query).flatMap { flow in states.map { (flow, $0.code) } }
        if lists.count == 1 {
          found = try records(
            where: "flow = ? AND state = ? AND ", [lists[0].0, lists[0].1], query, limit)
        } else {
          // A seek in the index for each flow and state; only the youngest of all of these are read.
          let ids = try lists.flatMap { try self.ids(flow: $0, state: $1, query, limit) }
          let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE id = ?"
          found = try ids.sorted(by: >).prefix(limit + 1).compactMap { id in
            try row(sql, [id]).map(RunColumns.record)
          }
        }
      }
      let youngest = found.sorted { $0.id > $1.id }.prefix(limit + 1)
      let page = Array(youngest.prefix(limit))
      return RunPage(runs: page, next: youngest.count > limit ? page.last?.id : nil)
    }

    /// The identifiers of the youngest runs of a flow in a state, which the index alone has.
    private func ids(
      flow: String, state: Int, _ query: RunQuery, _ limit: Int
    ) throws -> [String] {
      let since = query.since == nil ? "" : "AND started_at >= ? "
      let sql = """
        SELECT id FROM fieldstone_run \
        WHERE flow = ? AND state = ? AND id < ? \(since)ORDER BY id DESC LIMIT ?
        """
      var arguments: StatementArguments = [flow, state, query.before?.description ?? "~"]
      if let date = query.since { arguments += [date.stored] }
      return try rows(sql, arguments + [limit + 1]).compactMap { $0.optionalText(0) }
    }

    private func records(
      where condition: String, _ arguments: StatementArguments, _ query: RunQuery, _ limit: Int
    ) throws -> [RunRecord] {
      let sql = """
        SELECT \(RunColumns.list) FROM fieldstone_run \
        WHERE \(condition)id < ? AND started_at >= ? ORDER BY id DESC LIMIT ?
        """
      let rest: StatementArguments = [
        query.before?.description ?? "~", query.since?.stored ?? -Double.infinity, limit + 1,
      ]
      return try rows(sql, arguments + rest).map(RunColumns.record)
    }

    /// The flows that a query is about: one seek in the index for each.
    private func flows(of query: RunQuery) throws -> [String] {
      if let flow = query.flow { return [flow] }
      var flows: [String] = []
      let first = "SELECT MIN(flow) FROM fieldstone_run"
      let next = "SELECT MIN(flow) FROM fieldstone_run WHERE flow > ?"
      while let flow = try flows.last.map({ try row(next, [$0]) }) ?? row(first),
        let name = flow.optionalText(0)
      {
        flows.append(name)
      }
      return flows
    }

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
