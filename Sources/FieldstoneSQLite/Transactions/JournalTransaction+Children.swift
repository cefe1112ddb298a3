#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  // The triggers of `JournalSchema.children` update the parent when a run ends, whatever statement
  // changes the run, but for most completions: see `EndedChildren`. They also record open children for
  // cancellation when a run stops waiting.
  extension JournalTransaction {
    /// Starts the children of a run that waits for them from this checkpoint on.
    func startChildren(
      of number: Int, _ checkpoint: Checkpoint, within limits: PayloadLimits, at time: JournalTime
    ) throws {
      guard !checkpoint.next.children.isEmpty else { return }
      let claim = checkpoint.claim
      let row = try row("SELECT depth FROM fieldstone_run WHERE number = ?", [number])
      let depth = try row?.whole(0) ?? 0
      try limits.checkDepth(of: checkpoint, parentDepth: depth)
      if !checkpoint.next.children.isEmpty {
        try checkpoint.checkPlaces(heldAbove: placesHeld(above: number))
      }
      let sql = """
        UPDATE fieldstone_run SET parent = ?1, parent_id = ?2, parent_sequence = ?3, ordinal = ?4, \
        is_detached = ?5, depth = ?6 WHERE id = ?7
        """
      for (ordinal, child) in checkpoint.next.children.enumerated() {
        guard try !isKnown(child.id) else { throw JournalError.childTaken(child.id) }
        _ = try start(child.start, at: time)
        try execute(
          sql,
          [
            number, claim.id.description, claim.sequence, ordinal, child.isDetached, depth + 1,
            child.id.description,
          ])
      }
    }

    /// The places that a run and its ancestors hold until they end, the nearest first.
    private func placesHeld(above number: Int) throws -> [HeldPlace] {
      let sql = """
        WITH RECURSIVE line(number, parent, depth) AS (\
        SELECT number, parent, depth FROM fieldstone_run WHERE number = ? \
        UNION SELECT r.number, r.parent, r.depth FROM line JOIN fieldstone_run AS r \
        ON r.number = line.parent) \
        SELECT r.flow, IIF(r.place = 1 AND l.key_whole = 1, r.concurrency, NULL), r.flow_place, r.id \
        FROM line JOIN fieldstone_run AS r ON r.number = line.number \
        JOIN fieldstone_limit AS l ON l.flow = r.flow \
        WHERE r.flow_place = 1 OR r.place = 1 AND l.key_whole = 1 ORDER BY r.depth DESC
        """
      var held: [HeldPlace] = []
      for row in try rows(sql, [number]) {
        let (flow, holder) = (try row.text(0), try RunColumns.id(row.text(3)))
        if let key = row.optionalText(1) {
          held.append(HeldPlace(flow: flow, key: key, holder: holder))
        }
        if try row.whole(2) == 1 { held.append(HeldPlace(flow: flow, key: nil, holder: holder)) }
      }
      return held
    }

    /// Whether a run or a start has the identifier.
    func isKnown(_ id: RunID) throws -> Bool {
      let sql = """
        SELECT EXISTS (SELECT 1 FROM fieldstone_run WHERE id = ?1) \
        OR EXISTS (SELECT 1 FROM fieldstone_replacement WHERE id = ?1)
        """
      return try row(sql, [id.description])?.whole(0) != 0
    }

    /// Cancels children that their parents no longer wait for, up to several hundred.
    ///
    /// - Returns: whether there are more.
    func cancelChildren(at time: JournalTime) throws -> Bool {
      let next = """
        SELECT position, parent, sequence, ordinal FROM fieldstone_cancellation \
        ORDER BY position LIMIT 1
        """
      let theirs = """
        SELECT number, ordinal, is_detached, state FROM fieldstone_run \
        WHERE parent = ? AND parent_sequence = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?
        """
      var room = cancelledAtOnce
      while let row = try row(next) {
        guard room > 0 else { return true }
        let position = try row.whole(0)
        let children = try rows(theirs, [row.whole(1), row.whole(2), row.whole(3), room])
        for child in children {
          let state = try RunColumns.state(child.whole(3))
          guard try child.whole(2) == 0, !state.isOver else { continue }
          _ = try cancel(child.whole(0), at: time)
        }
        if children.count == room, let last = children.last {
          try execute(
            "UPDATE fieldstone_cancellation SET ordinal = ? WHERE position = ?",
            [last.whole(1) + 1, position])
        } else {
          try execute("DELETE FROM fieldstone_cancellation WHERE position = ?", [position])
        }
        room -= max(1, children.count)
      }
      return false
    }

    /// Stores a dead child's error for its parent before the child becomes ready again.
    func keepOutcome(_ number: Int) throws {
      try execute(
        """
        UPDATE fieldstone_run SET joined_error = error \
        WHERE number = ? AND joined = 3 AND joined_error IS NULL
        """, [number])
    }

    func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) throws -> ChildPage {
      // A read-only connection may have opened an older schema.
      guard try hasChildren() else { return ChildPage(children: []) }
      let (stage, ordinal) = (place?.sequence ?? -1, place?.ordinal ?? -1)
      let found: [StoredRow]
      if let sequence {
        let last = stage < sequence ? -1 : stage == sequence ? ordinal : .max
        found = try rows(ChildSearch.ofStage, [id.description, sequence, last, limit + 1])
      } else {
        found = try rows(ChildSearch.ofAll, [id.description, stage, ordinal, limit + 1])
      }
      let page = try found.prefix(limit).map(child)
      return ChildPage(children: page, next: found.count > limit ? page.last?.place : nil)
    }

    private func child(_ row: StoredRow) throws -> ChildRecord {
      ChildRecord(
        id: try RunColumns.id(row.text(0)),
        place: ChildPlace(sequence: try row.whole(3), ordinal: try row.whole(4)),
        flow: try row.text(1), isDetached: try row.whole(5) != 0,
        state: try RunColumns.state(row.whole(2)),
        end: try row.optionalWhole(6).map { try RunColumns.state($0) },
        completion: row.optionalBytes(7), error: row.optionalText(8))
    }

    private func hasChildren() throws -> Bool {
      try row("SELECT 1 FROM sqlite_schema WHERE name = 'fieldstone_cancellation'") != nil
    }

    /// The condition that protects a run from a purge: its parent waits for it or reads its
    /// outcome, or its own children are still to be cancelled.
    static let isNeeded = """
      (EXISTS (SELECT 1 FROM fieldstone_run AS p WHERE p.number = fieldstone_run.parent \
      AND p.join_sequence = fieldstone_run.parent_sequence) \
      OR EXISTS (SELECT 1 FROM fieldstone_cancellation AS c WHERE c.parent = fieldstone_run.number))
      """
  }

  /// The SQL for a page of a run's children after a given place.
  package enum ChildSearch {
    /// The children that all stages have started.
    package static let ofAll = """
      \(columns) AND (parent_sequence, ordinal) > (?, ?) ORDER BY parent_sequence, ordinal LIMIT ?
      """
    /// The children that one stage has started.
    ///
    /// With a given stage, a comparison of both columns makes SQLite read and sort all later rows:
    /// O(n²) for all pages.
    package static let ofStage = """
      \(columns) AND parent_sequence = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """
    private static let columns = """
      SELECT id, flow, state, parent_sequence, ordinal, is_detached, joined, \
      IIF(joined = 2, payload, NULL), IIF(joined = 3, COALESCE(joined_error, error), NULL) \
      FROM fieldstone_run WHERE parent = (SELECT number FROM fieldstone_run WHERE id = ?)
      """
  }
#endif
