#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// Moves the rows of slots between journals.
  extension JournalTransaction {
    /// Seals the journal for a move.
    func beginMove() throws {
      switch try minimumProtocol() {
      case ClaimRequest.movingProtocolVersion: return
      case ClaimRequest.sealedProtocolVersion...: throw JournalError.sealed
      default: try seal(demanding: ClaimRequest.movingProtocolVersion)
      }
    }

    private func minimumProtocol() throws -> Int {
      try row("SELECT minimum_protocol FROM fieldstone_journal")?.whole(0) ?? 1
    }

    /// Writes to a sealed journal: drops its triggers within the transaction, invisible to others.
    private func moving<Result>(_ body: () throws -> Result) throws -> Result {
      guard try minimumProtocol() == ClaimRequest.movingProtocolVersion else {
        throw JournalError.sealed
      }
      try dropSeal()
      try dropSlotTrigger()
      let result = try body()
      if let slots = try slots() { try keep(slots) }
      try seal(demanding: ClaimRequest.movingProtocolVersion)
      return result
    }

    func insertMoved(_ rows: [[CopiedCell]], into table: CopiedTable) throws {
      try moving {
        for row in rows { try insert(row, into: table) }
      }
    }

    private func insertRun(_ row: [CopiedCell]) throws {
      var names: [String] = []
      var arguments = StatementArguments()
      for (column, cell) in zip(CopiedTable.runs.columns, row) {
        switch column.name {
        // A moved run has no worker, and this journal derives the server's times from other
        // columns.
        case "worker", "paused_at", "over_at", "lease_end", "check_at": continue
        case "parent": names.append("parent_id")
        default: names.append(column.name)
        }
        arguments += [cell.databaseValue]
      }
      let places = names.map { _ in "?" }.joined(separator: ", ")
      // The stage follows with the other stages.
      try execute(
        """
        INSERT INTO fieldstone_run (\(names.joined(separator: ", ")), payload) \
        VALUES (\(places), x'') ON CONFLICT DO NOTHING
        """, arguments)
    }

    /// Writes a stage, and how the previous one ended; a run's steps arrive in order.
    private func insertStage(_ row: [CopiedCell]) throws {
      func value(_ name: String) -> DatabaseValue {
        row[CopiedTable.steps.place(of: name)].databaseValue
      }
      guard let run = try number(of: row[0]) else { return }
      let (sequence, payload) = (value("sequence"), value("payload"))
      if row[CopiedTable.steps.place(of: "kind")] != .none {
        try execute(
          """
          UPDATE fieldstone_step SET kind = ?, fence = ?, attempts = ?, began_at = ?, ended_at = ?, \
          worker = ?, error = ? WHERE run = ? AND sequence = ? - 1
          """,
          [
            value("kind"), value("fence"), value("attempts"), value("began_at"),
            value("ended_at"), value("worker"), value("error"), run, sequence,
          ])
      }
      let isCurrent =
        try execute(
          "UPDATE fieldstone_run SET payload = ? WHERE number = ? AND sequence = ?",
          [payload, run, sequence]) > 0
      if isCurrent { return }
      try execute(
        """
        INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at, \
        ended_at, payload) VALUES (?, ?, 0, 0, ?, 0, 0, 0, ?) ON CONFLICT DO NOTHING
        """, [run, sequence, value("version"), payload])
    }

    private func insert(_ row: [CopiedCell], into table: CopiedTable) throws {
      func value(_ name: String) -> DatabaseValue { row[table.place(of: name)].databaseValue }
      switch table.identity {
      case .runs: try insertRun(row)
      case .steps: try insertStage(row)
      case .signals:
        guard let run = try number(of: row[table.place(of: "run")]) else { return }
        try execute(
          """
          INSERT INTO fieldstone_signal (run, id, name, sent_at, consumed_by, payload) \
          VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
          """,
          [
            run, value("id"), value("name"), value("sent_at"), value("consumed_by"),
            value("payload"),
          ])
      case .attributes:
        try execute(
          """
          INSERT INTO fieldstone_attribute (name, value, run_id) VALUES (?, ?, ?) \
          ON CONFLICT DO NOTHING
          """, [value("name"), value("value"), value("id")])
      case .replacements:
        guard let run = try number(of: row[table.place(of: "run")]) else { return }
        try execute(
          "INSERT INTO fieldstone_replacement (id, run) VALUES (?, ?) ON CONFLICT DO NOTHING",
          [value("id"), run])
      case .cancellations:
        guard let parent = try number(of: row[table.place(of: "parent")]) else { return }
        try execute(
          """
          INSERT INTO fieldstone_cancellation (parent, sequence, ordinal) SELECT ?1, ?2, ?3 \
          WHERE NOT EXISTS (SELECT 1 FROM fieldstone_cancellation \
          WHERE parent = ?1 AND sequence = ?2)
          """, [parent, value("sequence"), value("ordinal")])
      case .reports:
        guard let run = try number(of: row[table.place(of: "run")]) else { return }
        try execute(
          """
          INSERT INTO fieldstone_report (run, fence, sequence, billionths, text, reported_at) \
          VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
          """,
          [
            run, value("fence"), value("sequence"), value("billionths"), value("text"),
            value("reported_at"),
          ])
      case .logLines:
        guard let run = try number(of: row[table.place(of: "run")]) else { return }
        try execute(
          """
          INSERT INTO fieldstone_log (run, fence, number, sequence, logged_at, text, of_runner) \
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
          """,
          [
            run, value("fence"), value("number"), value("sequence"), value("logged_at"),
            value("text"), value("of_runner"),
          ])
      case .audit: throw JournalError.corrupt("audit rows are moved, which belong to their journal")
      }
    }

    private func number(of cell: CopiedCell) throws -> Int? {
      guard case .run(let id) = cell else { return nil }
      return try row("SELECT number FROM fieldstone_run WHERE id = ?", [id.description])?.whole(0)
    }

    /// Deletes some runs of the slots with all their rows.
    ///
    /// - Parameter mark: where the runs of the call before ended. A search from the beginning would
    ///   pass all runs that stay, each time.
    /// - Returns: where these runs end; nil if there are none.
    func removeMoved(
      _ slots: [ClosedRange<UInt16>], after mark: CopiedCell?, most: Int
    ) throws -> CopiedCell? {
      guard try minimumProtocol() == ClaimRequest.movingProtocolVersion else {
        throw JournalError.sealed
      }
      let last = if case .integer(let number)? = mark { number } else { -1 }
      let sql = """
        SELECT number FROM fieldstone_run WHERE number > ? AND (\(Self.owned("id", slots))) \
        ORDER BY number LIMIT \(most)
        """
      let numbers = try Int.fetchAll(database, sql: sql, arguments: [last])
      guard let end = numbers.last else { return nil }
      try moving {
        for number in numbers {
          try removeAttributes(of: number)
          try execute(
            """
            DELETE FROM fieldstone_pause WHERE kind = 2 \
            AND name = (SELECT id FROM fieldstone_run WHERE number = ?)
            """, [number])
          for (table, column) in [
            ("step", "run"), ("signal", "run"), ("log", "run"), ("report", "run"),
            ("replacement", "run"), ("cancellation", "parent"), ("run", "number"),
          ] {
            try execute("DELETE FROM fieldstone_\(table) WHERE \(column) = ?", [number])
          }
        }
      }
      return .integer(end)
    }

    /// Stores the slots that the journal owns, and removes the seal.
    func endMove(
      owning slots: JournalSlots, adding pauses: [JournalPause], _ schedules: [ScheduleRecord],
      removing removed: [String], at time: JournalTime
    ) throws {
      guard try minimumProtocol() == ClaimRequest.movingProtocolVersion else { return }
      // Foreign runs exist, for instance, after an interrupted move of other slots.
      try requireNoOthers(slots)
      try dropSeal()
      try execute("UPDATE fieldstone_journal SET minimum_protocol = 2")
      try execute(
        """
        UPDATE fieldstone_run SET parent = (SELECT p.number FROM fieldstone_run p \
        WHERE p.id = fieldstone_run.parent_id) WHERE parent_id IS NOT NULL AND parent IS NULL
        """)
      for name in removed {
        try execute("DELETE FROM fieldstone_schedule WHERE name = ?", [name])
      }
      for schedule in schedules {
        _ = try setSchedule(schedule.name, from: nil, to: schedule, starting: [], at: time)
      }
      // Recomputes the gates and the places of moved runs, as after a copy.
      for (flow, limits) in try flowLimits() {
        _ = try setLimits(limits, of: flow, replacing: true, at: time)
      }
      for each in try self.pauses() + pauses { try pause(each.target, until: each.until) }
      try keep(slots)
    }
  }

  extension CopiedCell {
    fileprivate var databaseValue: DatabaseValue {
      switch self {
      case .none: .null
      case .run(let id): id.description.databaseValue
      case .text(let text): text.databaseValue
      case .integer(let number): number.databaseValue
      case .boolean(let isTrue): (isTrue ? 1 : 0).databaseValue
      case .date(let date): date.stored.databaseValue
      case .bytes(let bytes): bytes.databaseValue
      }
    }
  }
#endif
