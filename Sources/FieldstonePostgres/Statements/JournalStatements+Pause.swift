#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Locks the pauses until the transaction ends: shared for readers, exclusive for writers.
    ///
    /// It precedes the locks of runs. A later statement reads the pauses, because a statement sees
    /// the state at its own beginning.
    func lockPauses(asReader: Bool = false) throws {
      try execute(Self.pauseLock(asReader: asReader), [])
    }

    /// The statement of ``lockPauses(asReader:)``.
    static func pauseLock(asReader: Bool) -> String {
      "SELECT pg_advisory_xact_lock\(asReader ? "_shared" : "")(\(pauseKey))"
    }

    private static let pauseKey = """
      hashtextextended('fieldstone pauses ' || current_schema(), 0)
      """

    func pause(_ target: PauseTarget, until date: Date?) throws {
      try lockPauses()
      switch target {
      case .flow(let flow):
        // Running runs need the gate, because their checkpoints read only their own row.
        try execute(
          """
          UPDATE run SET gate = gate | \(RunGate.flow) \
          WHERE flow = $1 AND \(PostgresSchema.isRunning)
          """, [.text(flow)])
      case .concurrencyKey(let key, let flow):
        try execute(
          """
          UPDATE run SET gate = gate | \(RunGate.key) \
          WHERE flow = $1 AND concurrency = $2 AND state IN (0, 1, 4)
          """, [.text(flow), .text(key)])
      case .run(let id):
        let record = try lock(id)
        if record.state.isOver {
          throw JournalError.notAllowed(id, state: record.state, action: "paused")
        }
        try execute(
          "UPDATE run SET gate = gate | \(RunGate.run) WHERE id = $1", [.identifier(id)])
      }
      try execute(
        """
        INSERT INTO pause (kind, flow, name, until) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind, flow, name) DO UPDATE SET until = EXCLUDED.until
        """, key(of: target) + [.date(date)])
      try execute(
        "UPDATE journal SET minimum_protocol = 2 WHERE minimum_protocol < 2", [])
    }

    func resume(_ target: PauseTarget) throws -> Bool {
      let count = try execute(
        "DELETE FROM pause WHERE kind = $1 AND flow = $2 AND name = $3", key(of: target))
      guard count > 0 else { return false }
      let (bit, runs, parameters) = gated(by: target)
      try execute("UPDATE run SET gate = gate & ~\(bit) WHERE \(runs)", parameters)
      return true
    }

    /// The bit of a pause, and the runs whose gates have it.
    private func gated(
      by target: PauseTarget
    ) -> (bit: Int, runs: String, parameters: [PostgresParameter]) {
      switch target {
      case .flow(let flow):
        let bit = RunGate.flow
        return (bit, "flow = $1 AND gate > 0 AND gate & \(bit) > 0", [.text(flow)])
      case .concurrencyKey(let key, let flow):
        let bit = RunGate.key
        let runs = "flow = $1 AND concurrency = $2 AND state IN (0, 1, 4) AND gate & \(bit) > 0"
        return (bit, runs, [.text(flow), .text(key)])
      case .run(let id):
        return (RunGate.run, "id = $1 AND gate & \(RunGate.run) > 0", [.identifier(id)])
      }
    }

    /// The key of a pause; runs use the text of their identifiers' bytes.
    func key(of target: PauseTarget) -> [PostgresParameter] {
      var name = target.name
      if case .run(let id) = target { name = id.uuid }
      return [.integer(target.kind), .text(target.flow), .text(name)]
    }

    func pauses() throws -> [JournalPause] { try firstPauses(atMost: .max) }

    func firstPauses(atMost limit: Int) throws -> [JournalPause] {
      try rows(
        """
        \(Self.pauseColumns) \
        WHERE kind < 2 OR EXISTS (SELECT 1 FROM run \
        WHERE run.id = CASE WHEN kind = 2 THEN name::uuid END \
        AND \(RunColumns.unindexedState) IN (0, 1, 4)) \
        ORDER BY kind, flow, name LIMIT $1
        """, [.integer(limit)]
      ).map(pause)
    }

    /// The pauses of flows, of keys and of some runs; an index search per run.
    func pauses(of runs: [RunID]) throws -> [JournalPause] {
      try rows(
        """
        \(Self.pauseColumns) WHERE kind < 2 UNION ALL \
        \(Self.pauseColumns) WHERE kind = 2 AND flow = '' AND name = ANY ($1) ORDER BY 1, 2, 3
        """, [.texts(Set(runs).map(\.uuid))]
      ).map(pause)
    }

    private static let pauseColumns =
      "SELECT kind, flow, name, until, CASE WHEN kind = 2 THEN name::uuid END FROM pause"

    private func pause(_ row: PostgresRow) throws -> JournalPause {
      JournalPause(try target(row), until: row.optionalDate(3))
    }

    private func target(_ row: PostgresRow) throws -> PauseTarget {
      let kind = try row.integer(0)
      if kind == 2 { return .run(try row.identifier(4)) }
      let target = PauseTarget(kind: kind, flow: try row.text(1), name: try row.text(2))
      guard let target else { throw JournalError.corrupt("a pause is of nothing") }
      return target
    }

    /// Ends the pauses whose time has come, several hundred at a time.
    ///
    /// A pause stays, past its time, as long as another transaction has locked a run whose gate it has
    /// closed; the gates of other runs are opened. Claims come to a halt while this transaction has
    /// the lock of the pauses, so it waits for no run; and others wait behind it while it waits for
    /// that lock.
    ///
    /// - Parameter mayWait: whether to wait for the lock, if another transaction has it.
    /// - Returns: whether there may be more that can be ended now.
    func endPauses(mayWait: () -> Bool) throws -> Bool {
      let isFree = try row("SELECT pg_try_advisory_xact_lock(\(Self.pauseKey))", [])?.boolean(0)
      if isFree != true {
        guard mayWait() else { return false }
        try lockPauses()
      }
      let sql = """
        \(ClockSQL.with(1)) \
        SELECT kind, flow, name, until, CASE WHEN kind = 2 THEN name::uuid END FROM pause \
        WHERE until <= \(ClockSQL.now) ORDER BY until LIMIT \(cancelledAtOnce)
        """
      let ended = try rows(sql, [now])
      var isAnyOver = false
      for row in ended {
        let target = try target(row)
        let (bit, runs, parameters) = gated(by: target)
        try execute(
          """
          WITH free AS MATERIALIZED (SELECT id FROM run WHERE \(runs) \
          FOR NO KEY UPDATE SKIP LOCKED) \
          UPDATE run SET gate = gate & ~\(bit) FROM free WHERE run.id = free.id
          """, parameters)
        guard try self.row("SELECT 1 FROM run WHERE \(runs) LIMIT 1", parameters) == nil else {
          continue
        }
        isAnyOver = true
        try execute(
          "DELETE FROM pause WHERE kind = $1 AND flow = $2 AND name = $3", key(of: target))
      }
      return isAnyOver && ended.count >= cancelledAtOnce
    }

    /// Removes the own pauses of runs.
    func endPauses(of ids: [RunID]) throws {
      try execute(
        Self.deletePauses(of: "SELECT name FROM unnest($1::text[]) AS u(name)"),
        [.texts(ids.map(\.uuid))])
    }

    /// Removes the own pauses of the runs that a query names.
    ///
    /// Each is looked up by itself. With a join or a list, all paused runs might be read, as long as
    /// the table is not analyzed.
    static func deletePauses(of names: String) -> String {
      """
      DELETE FROM pause WHERE ctid = ANY (ARRAY(SELECT p.ctid FROM (\(names)) AS n(name) \
      CROSS JOIN LATERAL (SELECT ctid FROM pause WHERE kind = 2 AND flow = '' \
      AND name = n.name OFFSET 0) p))
      """
    }

    /// The condition of pauses that last; others may stay for a while.
    static let isNotOver = "(pause.until IS NULL OR pause.until > \(ClockSQL.now))"

    /// The paused flows, by the bytes of their names.
    func pausedFlows() throws -> Set<[UInt8]> {
      let sql = """
        \(ClockSQL.with(1)) SELECT flow FROM pause WHERE kind = 0 AND \(Self.isNotOver)
        """
      return Set(try rows(sql, [now]).map { Array(try $0.text(0).utf8) })
    }

    /// A claim request without the paused flows.
    func withoutPaused(_ request: ClaimRequest) throws -> ClaimRequest {
      let names = try pausedFlows()
      var request = request
      request.flows.removeAll { names.contains(Array($0.flow.utf8)) }
      return request
    }
  }

  extension RunID {
    /// The text of its bytes in PostgreSQL's UUID format.
    fileprivate var uuid: String {
      var text = ""
      for (index, byte) in bytes.enumerated() {
        if [4, 6, 8, 10].contains(index) { text += "-" }
        let digits = String(byte, radix: 16)
        text += digits.utf8.count == 1 ? "0" + digits : digits
      }
      return text
    }
  }
#endif
