#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Refuses every write with triggers, so that code without knowledge of seals is refused, too.
    ///
    /// - Parameter version: the protocol version that the sealed journal demands of workers.
    func seal(demanding version: Int = ClaimRequest.sealedProtocolVersion) throws {
      try execute("UPDATE fieldstone_journal SET minimum_protocol = ?", [version])
      for table in Self.sealed {
        for action in ["INSERT", "UPDATE", "DELETE"] {
          try database.execute(
            sql: """
              CREATE TRIGGER IF NOT EXISTS fieldstone_sealed_\(table)_\(action.lowercased()) \
              BEFORE \(action) ON fieldstone_\(table) \
              BEGIN SELECT RAISE(ABORT, '\(JournalError.seal)'); END
              """)
        }
      }
    }

    /// The tables that a seal protects from changes.
    private static let sealed = [
      "run", "step", "signal", "pause", "limit", "schedule", "audit", "report", "log", "worker",
    ]

    /// Removes the seal, so that writes are possible again.
    func dropSeal() throws {
      for table in Self.sealed {
        for action in ["insert", "update", "delete"] {
          try database.execute(
            sql: "DROP TRIGGER IF EXISTS fieldstone_sealed_\(table)_\(action)")
        }
      }
    }

    /// The rows of a table in the format of a copy.
    func copiedRows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      var mark = mark
      for part in Self.parts(of: table) where mark.map({ part.isReached(by: $0) }) ?? true {
        let page = try rows(of: table, part, after: mark)
        if !page.rows.isEmpty { return page }
        mark = nil
      }
      return ([], [])
    }

    /// The rows of one statement, and the columns that it sorts by.
    private struct Part {
      var number = 0
      var sql: String
      var first: [CopiedCell]

      /// A mark contains the number of its part.
      func isReached(by mark: [CopiedCell]) -> Bool {
        guard case .integer(let number)? = mark.first else { return true }
        return self.number >= number
      }
    }

    private static let most = (rows: 500, bytes: 4 << 20)

    private func rows(
      of table: CopiedTable, _ part: Part, after mark: [CopiedCell]?
    ) throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      let keys = part.first.count
      let after = mark.map { Array($0.dropFirst()) } ?? part.first
      var arguments = StatementArguments()
      for cell in after {
        switch cell {
        case .integer(let number): arguments += [number]
        case .text(let text): arguments += [text]
        default: throw JournalError.corrupt("a page of a copy ends at what is no key")
        }
      }
      let cursor = try StoredRow.fetchCursor(
        database, sql: "\(part.sql) LIMIT \(Self.most.rows)", arguments: arguments)
      var rows: [[CopiedCell]] = []
      var last = after
      var bytes = 0
      while bytes < Self.most.bytes, let row = try cursor.next() {
        last = try part.first.enumerated().map { index, first in
          if case .integer = first { return .integer(try row.whole(index)) }
          return .text(try row.text(index))
        }
        let cells = try table.columns.enumerated().map { index, column in
          try row.cell(keys + index, column.kind)
        }
        if case .bytes(let payload)? = cells.last { bytes += payload.count }
        rows.append(cells)
      }
      return (rows, [.integer(part.number)] + last)
    }

    private static func parts(of table: CopiedTable) -> [Part] {
      switch table.identity {
      case .runs:
        [
          Part(
            sql: """
              SELECT number, id, flow, version, key, priority, concurrency, \
              state, sequence, fence, attempts, crashes, lone_crashes, quarantine, waits, is_alone, \
              started_at, changed_at, due_at, wakes_at, \
              IIF(state = 0 AND waits > 0 AND attempts > 0, changed_at, NULL), \
              IIF(state IN (2, 5), changed_at, NULL), deadline, \
              IIF(state = 1, changed_at, NULL), IIF(state = 1, changed_at, NULL), \
              attributes, trace, awaited, worker, error, parent_id, parent_sequence, ordinal, depth, \
              is_detached, joined, join_sequence, join_policy, open_children, joined_error, \
              origin, origin_sequence, fingerprint \
              FROM fieldstone_run WHERE number > ? ORDER BY number
              """, first: [.integer(-1)])
        ]
      case .steps:
        [
          Part(
            sql: """
              SELECT s.run, s.sequence, r.id, s.sequence, s.version, \(left) \
              s.payload FROM fieldstone_step s JOIN fieldstone_run r ON r.number = s.run \
              \(before("s.run", "s.sequence")) \
              WHERE (s.run, s.sequence) > (?, ?) ORDER BY s.run, s.sequence
              """, first: [.integer(-1), .integer(-1)]),
          // The run's row contains its current stage.
          Part(
            number: 1,
            sql: """
              SELECT r.number, r.id, r.sequence, r.version, \(left) \
              r.payload FROM fieldstone_run r \(before("r.number", "r.sequence")) \
              WHERE r.number > ? ORDER BY r.number
              """, first: [.integer(-1)]),
        ]
      case .signals:
        [
          Part(
            sql: """
              SELECT position, r.id, s.id, s.name, sent_at, consumed_by, s.payload \
              FROM fieldstone_signal s JOIN fieldstone_run r ON r.number = s.run \
              WHERE position > ? ORDER BY position
              """, first: [.integer(-1)])
        ]
      case .attributes:
        [
          Part(
            sql: """
              SELECT name, value, run_id, name, value, run_id FROM fieldstone_attribute \
              WHERE (name, value, run_id) > (?, ?, ?) ORDER BY name, value, run_id
              """, first: [.text(""), .text(""), .text("")])
        ]
      case .replacements:
        [
          Part(
            sql: """
              SELECT p.id, p.id, r.id FROM fieldstone_replacement p \
              JOIN fieldstone_run r ON r.number = p.run WHERE p.id > ? ORDER BY p.id
              """, first: [.text("")])
        ]
      case .cancellations:
        [
          Part(
            sql: """
              SELECT c.position, r.id, c.sequence, c.ordinal FROM fieldstone_cancellation c \
              JOIN fieldstone_run r ON r.number = c.parent WHERE c.position > ? ORDER BY c.position
              """, first: [.integer(-1)])
        ]
      case .reports:
        [
          Part(
            sql: """
              SELECT p.run, r.id, p.fence, p.sequence, billionths, text, reported_at \
              FROM fieldstone_report p JOIN fieldstone_run r ON r.number = p.run \
              WHERE p.run > ? ORDER BY p.run
              """, first: [.integer(-1)])
        ]
      case .logLines:
        [
          Part(
            sql: """
              SELECT l.run, l.fence, l.number, r.id, l.fence, l.number, l.sequence, logged_at, text, \
              of_runner \
              FROM fieldstone_log l JOIN fieldstone_run r ON r.number = l.run \
              WHERE (l.run, l.fence, l.number) > (?, ?, ?) ORDER BY l.run, l.fence, l.number
              """, first: [.integer(-1), .integer(-1), .integer(-1)])
        ]
      case .audit:
        [
          Part(
            sql: """
              SELECT number, number, kind, changed_at, old_value, new_value, action, flow, name, actor \
              FROM fieldstone_audit WHERE number > ? ORDER BY number
              """, first: [.integer(-1)])
        ]
      }
    }

    /// How the previous stage ended.
    private static let left =
      "p.kind, p.fence, p.attempts, p.began_at, p.ended_at, p.worker, p.error,"
    private static func before(_ run: String, _ sequence: String) -> String {
      "LEFT JOIN fieldstone_step p ON p.run = \(run) AND p.sequence = \(sequence) - 1"
    }
  }

  extension StoredRow {
    fileprivate func cell(_ index: Int, _ kind: CopiedTable.Kind) throws -> CopiedCell {
      guard !isNull(index) else { return .none }
      switch kind {
      case .run: return .run(try RunColumns.id(text(index)))
      case .text: return .text(try text(index))
      case .integer: return .integer(try whole(index))
      case .boolean: return .boolean(try whole(index) != 0)
      case .date: return .date(try date(index))
      case .bytes: return .bytes(try bytes(index))
      }
    }
  }
#endif
