#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Starts, in one statement, those runs whose identifiers and keys are free.
    ///
    /// - Returns: the new runs, by the places of their starts.
    func insert(_ starts: [RunStart]) throws -> [Int: RunRecord] {
      var known: Set<RunID> = []
      var separate: Set<[[UInt8]]> = []
      // A second start with the same identifier may depend on the result of the first. A start with
      // a concurrency key runs separately, because it waits for the lock of the pauses; so does a
      // fork, which also writes an audit row. A start with the key of an earlier one of these
      // follows it.
      let first = starts.indices.filter { place in
        let start = starts[place]
        let key = start.key.map { [Array(start.flow.utf8), Array($0.utf8)] }
        let isKnown = !known.insert(start.id).inserted
        let isBehind = key.map { separate.contains($0) } ?? false
        if !isKnown, !isBehind, start.concurrencyKey == nil, start.origin == nil { return true }
        if let key { separate.insert(key) }
        return false
      }
      let all = first.map { starts[$0] }
      let pairs = all.flatMap { start in
        start.attributes.map { (id: start.id, name: $0.key, value: $0.value.stored) }
      }
      let rows = try rows(
        Self.insert,
        [
          .integers(first), .identifiers(all.map(\.id)), .texts(all.map(\.flow)),
          .integers(all.map(\.version)), .texts(all.map(\.key)),
          .integers(all.map(\.effectivePriority)), .dates(all.map(\.notBefore)),
          .byteStrings(all.map(\.payload)), now, .dates(all.map(\.deadline)),
          .texts(all.map { StoredDictionary.text($0.attributes) }),
          .texts(all.map { StoredDictionary.text($0.trace) }), .identifiers(pairs.map(\.id)),
          .texts(pairs.map(\.name)), .texts(pairs.map(\.value)),
        ])
      var places: [RunID: Int] = [:]
      for place in first { places[starts[place].id] = place }
      var made: [Int: RunRecord] = [:]
      for row in rows {
        guard let place = places[try row.identifier(0)] else { continue }
        made[place] = try RunColumns.record(row, payload: starts[place].payload)
      }
      return made
    }

    // Sorted by key, so that two batches with the same keys can't deadlock. Of two starts with the
    // same key the first is inserted.
    private static let insert = """
      \(ClockSQL.with(9)), c AS MATERIALIZED (SELECT c.place, c.id, c.flow, c.version, c.key, \
      c.priority, c.payload, CASE WHEN c.not_before > clock.now THEN c.not_before END AS due, \
      clock.now, c.deadline, c.attributes, c.trace FROM clock CROSS JOIN unnest($1::int8[], $2::uuid[], $3::text[], $4::int8[], \
      $5::text[], $6::int8[], $7::timestamptz[], $8::bytea[], \
      $10::timestamptz[], $11::text[], $12::text[]) \
      AS c(place, id, flow, version, key, priority, not_before, payload, deadline, attributes, \
      trace)), \
      r AS (INSERT INTO run (id, flow, version, key, priority, state, sequence, fence, \
      attempts, crashes, lone_crashes, is_alone, started_at, changed_at, waits, wakes_at, due_at, \
      deadline, attributes, trace) \
      SELECT id, flow, version, key, priority, 0, 0, 0, 0, 0, 0, false, now, now, \
      CASE WHEN due IS NULL THEN 0 WHEN priority = 0 THEN 1 ELSE 2 END, \
      COALESCE(due, now - priority * interval '\(secondsPerPriority) s'), due, deadline, \
      attributes, trace FROM c \
      WHERE NOT EXISTS (SELECT 1 FROM replacement x WHERE x.id = c.id) \
      ORDER BY flow COLLATE "C", key COLLATE "C", CASE WHEN key IS NULL THEN id END, place \
      ON CONFLICT DO NOTHING RETURNING *), \
      s AS (INSERT INTO step (run, sequence, version, payload) \
      SELECT r.id, 0, r.version, c.payload FROM r JOIN c ON c.id = r.id), \
      a AS (INSERT INTO attribute (name, value, id) SELECT n.name, n.value, r.id \
      FROM r JOIN unnest($13::uuid[], $14::text[], $15::text[]) AS n(id, name, value) \
      ON n.id = r.id) \
      SELECT \(RunColumns.list) FROM r
      """
  }
#endif
