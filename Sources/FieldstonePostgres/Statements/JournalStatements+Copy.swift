#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Exempts this transaction from a seal.
    func openSeal() throws { try session.execute("SET LOCAL fieldstone.copying TO 'on'") }

    /// The tables that a seal protects from changes.
    private static let sealed = [
      "run", "step", "signal", "pause", "flow_limit", "schedule", "audit", "report", "log",
      "worker",
    ]

    /// Refuses every write except a copy's, and waits for writes under way.
    ///
    /// It uses triggers, so that code without knowledge of seals is refused, too.
    func seal(demanding version: Int) throws {
      try session.execute(
        """
        LOCK TABLE \(Self.sealed.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE;
        CREATE OR REPLACE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          IF current_setting('fieldstone.copying', true) IS DISTINCT FROM 'on' THEN
            RAISE EXCEPTION 'the journal is sealed by a copy' USING ERRCODE = '\(JournalError.seal)';
          END IF;
          RETURN NULL;
        END
        $body$;
        """)
      for table in Self.sealed {
        try session.execute(
          """
          DROP TRIGGER IF EXISTS sealed ON \(table);
          CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OR DELETE ON \(table)
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_sealed();
          """)
      }
      try execute("UPDATE journal SET minimum_protocol = $1", [.integer(version)])
    }

    func minimumProtocol() throws -> Int {
      // Locked, so that concurrent copies wait for each other.
      let row = try row("SELECT minimum_protocol FROM journal FOR UPDATE", [])
      guard let row else { throw JournalError.corrupt("the table journal is empty") }
      return try row.integer(0)
    }

    func seal() throws {
      // An incomplete copy can't be the source of another.
      let minimum = try minimumProtocol()
      guard minimum <= ClaimRequest.sealedProtocolVersion else { throw JournalError.sealed }
      try seal(demanding: ClaimRequest.sealedProtocolVersion)
    }

    func beginCopy() throws {
      let minimum = try minimumProtocol()
      if minimum == ClaimRequest.copyingProtocolVersion { return }
      if minimum >= ClaimRequest.sealedProtocolVersion { throw JournalError.sealed }
      try seal(demanding: ClaimRequest.copyingProtocolVersion)
      // Checked after the lock, so that no run can be inserted later.
      guard try row("SELECT 1 FROM run LIMIT 1", []) == nil else { throw CopyError.targetHasRuns }
      // Deletes rows of runners that had no runs; the source has its own.
      try openSeal()
      for table in ["pause", "flow_limit", "freed", "schedule", "worker"] {
        try session.execute("DELETE FROM \(table)")
      }
    }

    func insert(_ rows: [[CopiedCell]], into table: CopiedTable) throws {
      try openSeal()
      let names = table.columns.map(\.name).joined(separator: ", ")
      let types = table.columns.enumerated().map { "$\($0 + 1)::\($1.kind.sql)[]" }
      let parameters = table.columns.indices.map { index in
        table.columns[index].kind.array(of: rows.map { $0[index] })
      }
      // Rows without a key are compared.
      let isNew =
        table.hasKey
        ? ""
        : " WHERE NOT EXISTS (SELECT 1 FROM \(table.name) t WHERE "
          + table.columns.map { "t.\($0.name) = c.\($0.name)" }.joined(separator: " AND ") + ")"
      try execute(
        """
        INSERT INTO \(table.name) (\(names)) SELECT \(names) FROM unnest(\
        \(types.joined(separator: ", "))) WITH ORDINALITY AS c(\(names), place_in_copy)\(isNew) \
        ORDER BY place_in_copy ON CONFLICT DO NOTHING
        """, parameters)
    }

    func count(of table: CopiedTable) throws -> Int {
      try row("SELECT count(*) FROM \(table.name)", [])?.integer(0) ?? 0
    }

    func endCopy(
      limits: [String: FlowLimits], pauses: [JournalPause], schedules: [ScheduleRecord],
      owning slots: JournalSlots?
    ) throws {
      guard try minimumProtocol() == ClaimRequest.copyingProtocolVersion else { return }
      try openSeal()
      // Their workers can't write to the source any more, so the runs are released as at a
      // shutdown.
      try execute(
        """
        \(ClockSQL.with(1)) \
        UPDATE run SET state = 0, attempts = GREATEST(0, attempts - 1), changed_at = \(ClockSQL.now), \
        \(RunColumns.waiting(for: "NULL::timestamptz", now: ClockSQL.now)), due_at = NULL, \
        paused_at = NULL, worker = NULL, lease_end = NULL, check_at = NULL, is_alone = false \
        WHERE state = 1
        """, [now])
      for (flow, limits) in limits {
        _ = try setLimits(limits, of: flow, replacing: true)
      }
      for pause in pauses { try self.pause(pause.target, until: pause.until) }
      for schedule in schedules {
        _ = try setSchedule(schedule.name, from: nil, to: schedule, starting: [])
      }
      if let slots { try keep(slots) }
      // Sequences continue after the copied numbers.
      try execute(
        """
        SELECT setval(pg_get_serial_sequence('audit', 'number'), max(number)) FROM audit \
        HAVING max(number) IS NOT NULL
        """, [])
      try dropSeal()
    }

    /// Removes the seal, so that writes are possible again.
    func dropSeal() throws {
      for table in Self.sealed { try session.execute("DROP TRIGGER sealed ON \(table)") }
      try session.execute("DROP FUNCTION refuse_sealed()")
      try execute("UPDATE journal SET minimum_protocol = 2", [])
    }

    /// The rows of a table in the format of a copy.
    func copiedRows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      let keys = table.keys
      let order = keys.map(\.name).joined(separator: ", ")
      let places = keys.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let condition = mark == nil ? "" : "WHERE (\(order)) > (\(places)) "
      let names = table.columns.map { "p.\($0.name)" }.joined(separator: ", ")
      let marks = keys.map { "p.\($0.name)" }.joined(separator: ", ")
      // As many rows as fit into several megabytes, and at least one.
      let size = table.columns.last?.kind == .bytes ? "octet_length(payload)" : "0"
      let sql = """
        SELECT \(marks), \(names) FROM (SELECT *, sum(\(size)) OVER (ORDER BY \(order)) - \(size) \
        AS bytes_before FROM (SELECT * FROM \(table.name) \(condition)ORDER BY \(order) LIMIT 500) q) p \
        WHERE bytes_before < 4194304 ORDER BY \(marks)
        """
      let parameters = zip(keys, mark ?? []).map { $0.kind.parameter($1) }
      var last: [CopiedCell] = []
      let rows = try self.rows(sql, parameters).map { row in
        last = try keys.enumerated().map { try row.cell($0, $1.kind) }
        return try table.columns.enumerated().map { try row.cell(keys.count + $0, $1.kind) }
      }
      return (rows, last)
    }
  }

  extension CopiedTable {
    /// The columns of a key.
    fileprivate var keys: [Column] {
      switch identity {
      case .runs, .replacements, .audit: Array(columns.prefix(1))
      case .steps: Array(columns.prefix(2))
      case .reports: Array(columns.prefix(1))
      case .logLines: Array(columns.prefix(3))
      case .attributes: columns
      // No index begins with the position, which orders the signals of one run only.
      case .signals:
        [Column(name: "run", kind: .run), Column(name: "position", kind: .integer)]
      case .cancellations: [Column(name: "position", kind: .integer)]
      }
    }
  }

  extension CopiedTable.Kind {
    fileprivate var sql: String {
      switch self {
      case .run: "uuid"
      case .text: "text"
      case .integer: "int8"
      case .boolean: "boolean"
      case .date: "timestamptz"
      case .bytes: "bytea"
      }
    }

    fileprivate func array(of cells: [CopiedCell]) -> PostgresParameter {
      .array(of: self.parameter(.none), cells.map(parameter))
    }

    fileprivate func parameter(_ cell: CopiedCell) -> PostgresParameter {
      switch (self, cell) {
      case (.run, .run(let id)): .identifier(id)
      case (.text, .text(let text)): .text(text)
      case (.integer, .integer(let number)): .integer(number)
      case (.boolean, .boolean(let isTrue)): .boolean(isTrue)
      case (.date, .date(let date)): .date(date)
      case (.bytes, .bytes(let bytes)): .bytes(bytes)
      case (.run, _): .identifier(nil)
      case (.text, _): .text(nil)
      case (.integer, _): .noInteger
      case (.boolean, _): .noBoolean
      case (.date, _): .date(nil)
      case (.bytes, _): .noBytes
      }
    }
  }

  extension PostgresRow {
    fileprivate func cell(_ index: Int, _ kind: CopiedTable.Kind) throws -> CopiedCell {
      guard !isNull(index) else { return .none }
      switch kind {
      case .run: return .run(try identifier(index))
      case .text: return .text(try text(index))
      case .integer: return .integer(try integer(index))
      case .boolean: return .boolean(try boolean(index))
      case .date: return .date(try date(index))
      case .bytes: return .bytes(try bytes(index))
      }
    }
  }
#endif
