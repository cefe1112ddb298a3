#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// An ended run, and the parent that may wait for it.
  struct ChildEnd {
    var child: RunID
    var parent: RunID
    /// The number of the parent's stage that started it.
    var sequence: Int
    var state: RunState

    init(child: RunID, parent: RunID, sequence: Int, state: RunState) {
      self.child = child
      self.parent = parent
      self.sequence = sequence
      self.state = state
    }

    /// Nil if the row of parent, sequence and `joined` is not a child's, or is that of a child that
    /// has already ended.
    init?(_ child: RunID, _ state: RunState, _ row: PostgresRow) throws {
      guard let parent = row.optionalIdentifier(0), row.optionalInteger(2) == nil else {
        return nil
      }
      self.init(
        child: child, parent: parent, sequence: try row.integer(1), state: state)
    }
  }

  // Rows are locked in one order to avoid deadlocks: a run's own row before its parent's, and each
  // kind sorted by identifier.
  extension JournalStatements {
    /// Starts the children of a run that waits for them from this checkpoint on.
    func startChildren(
      _ checkpoint: Checkpoint, within limits: PayloadLimits
    ) throws {
      guard !checkpoint.next.children.isEmpty else { return }
      let claim = checkpoint.claim
      let row = try row("SELECT depth FROM run WHERE id = $1", [.identifier(claim.id)])
      let depth = try row?.integer(0) ?? 0
      try limits.checkDepth(of: checkpoint, parentDepth: depth)
      if !checkpoint.next.children.isEmpty {
        try checkpoint.checkPlaces(heldAbove: placesHeld(above: claim.id))
      }
      for (ordinal, child) in checkpoint.next.children.enumerated() {
        let place = ChildPlace(sequence: claim.sequence, ordinal: ordinal)
        let link = ChildLink(
          parent: claim.id, place: place, isDetached: child.isDetached, depth: depth + 1)
        guard try insert(child.start, as: link) != nil else {
          throw JournalError.childTaken(child.id)
        }
      }
    }

    /// The places that a run and its ancestors hold until they end, the nearest first.
    private func placesHeld(above id: RunID) throws -> [HeldPlace] {
      let sql = """
        WITH RECURSIVE line(id, parent) AS (SELECT id, parent FROM run WHERE id = $1 \
        UNION SELECT r.id, r.parent FROM line JOIN run r ON r.id = line.parent) \
        SELECT r.flow, CASE WHEN r.place = 1 AND l.key_whole THEN r.concurrency END, r.flow_place, r.id \
        FROM line JOIN run r ON r.id = line.id JOIN flow_limit l ON l.flow = r.flow \
        WHERE r.flow_place = 1 OR r.place = 1 AND l.key_whole ORDER BY r.depth DESC
        """
      var held: [HeldPlace] = []
      for row in try rows(sql, [.identifier(id)]) {
        let (flow, holder) = (try row.text(0), try row.identifier(3))
        if let key = row.optionalText(1) {
          held.append(HeldPlace(flow: flow, key: key, holder: holder))
        }
        if try row.integer(2) == 1 { held.append(HeldPlace(flow: flow, key: nil, holder: holder)) }
      }
      return held
    }

    /// Reports the ends of children to their parents; parents that wait for no more children become
    /// ready.
    ///
    /// The transaction has changed the children before. The counter is in the parent's row, which
    /// is locked: of two concurrent last children, the second sees the first one's count.
    ///
    /// - Parameter isWritten: whether the children's rows already say that they count. If so, rows
    ///   whose parents no longer wait are corrected.
    func report(_ ends: [ChildEnd], isWritten: Bool) throws {
      guard !ends.isEmpty else { return }
      struct Wait: Hashable {
        var parent: RunID
        var sequence: Int
      }
      let waits = Dictionary(grouping: ends) { Wait(parent: $0.parent, sequence: $0.sequence) }
      let all = waits.keys.sorted { ($0.parent, $0.sequence) < ($1.parent, $1.sequence) }
      if all.count > 1 {
        try execute(
          "SELECT 1 FROM run WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
          [.identifiers(all.map(\.parent))])
      }
      let rows = try rows(
        Self.countEnds,
        [
          .identifiers(all.map(\.parent)), .integers(all.map(\.sequence)),
          .integers(all.map { waits[$0]?.count }),
          .integers(all.map { waits[$0]?.count { $0.state != .completed } }),
          now,
        ])
      let counted = Set(
        try rows.map { Wait(parent: try $0.identifier(0), sequence: try $0.integer(1)) })
      let changed = ends.filter { end in
        counted.contains(Wait(parent: end.parent, sequence: end.sequence)) != isWritten
      }
      guard !changed.isEmpty else { return }
      try execute(
        """
        UPDATE run r SET joined = CASE WHEN $3 THEN NULL ELSE c.state END \
        FROM unnest($1::uuid[], $2::int8[]) AS c(id, state) WHERE r.id = c.id
        """,
        [
          .identifiers(changed.map(\.child)), .integers(changed.map(\.state.code)),
          .boolean(isWritten),
        ])
    }

    private static let isMet = """
      (p.join_policy = 1 OR p.open_children - c.ended <= 0 OR p.join_policy = 2 AND c.failed > 0)
      """
    private static let countEnds = """
      \(ClockSQL.with(5)), c AS MATERIALIZED (SELECT c.*, clock.now FROM unnest($1::uuid[], $2::int8[], \
      $3::int8[], $4::int8[]) AS c(parent, sequence, ended, failed) CROSS JOIN clock), \
      u AS (UPDATE run p SET open_children = p.open_children - c.ended, \
      join_policy = CASE WHEN NOT \(isMet) THEN p.join_policy END, \
      waits = CASE WHEN \(isMet) THEN 0 ELSE p.waits END, \
      wakes_at = CASE WHEN \(isMet) THEN c.now - p.priority * interval '\(secondsPerPriority) s' \
      ELSE p.wakes_at END, due_at = CASE WHEN NOT \(isMet) THEN p.due_at END, \
      changed_at = CASE WHEN \(isMet) THEN c.now ELSE p.changed_at END \
      FROM c WHERE p.id = c.parent AND p.join_sequence = c.sequence AND p.join_policy IS NOT NULL \
      RETURNING p.id, p.join_sequence, p.join_policy, p.open_children), \
      m AS (INSERT INTO cancellation (parent, sequence) SELECT id, join_sequence FROM u \
      WHERE join_policy IS NULL AND open_children > 0) \
      SELECT id, join_sequence FROM u
      """

    /// Ends the waits for children of runs that this transaction has changed.
    func endJoins(of ids: [RunID]) throws {
      try execute(
        """
        WITH u AS (UPDATE run SET join_policy = NULL WHERE id = ANY ($1) \
        AND join_policy IS NOT NULL RETURNING id, join_sequence, open_children) \
        INSERT INTO cancellation (parent, sequence) SELECT id, join_sequence FROM u \
        WHERE open_children > 0
        """, [.identifiers(ids)])
    }

    /// Cancels children that their parents no longer wait for, up to several hundred.
    ///
    /// Children that another worker is cancelling are skipped. For those that another transaction has
    /// locked a later call comes back, and for those after them on a full page.
    ///
    /// - Returns: whether there may be more, and a next call begins after what this one has done.
    func cancelChildren() throws -> Bool {
      var room = cancelledAtOnce
      var isAnyDone = false
      var last = 0
      while let next = try row(
        """
        SELECT position, parent, sequence, ordinal FROM cancellation WHERE position > $1 \
        ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED
        """, [.integer(last)])
      {
        guard room > 0 else { return isAnyDone }
        last = try next.integer(0)
        let position = PostgresParameter.integer(last)
        let found = try rows(
          """
          SELECT id, ordinal, NOT is_detached AND \(RunColumns.unindexedState) IN (0, 1, 4) \
          FROM run WHERE parent = $1 AND parent_sequence = $2 AND ordinal >= $3 \
          ORDER BY ordinal LIMIT $4
          """,
          [
            .identifier(try next.identifier(1)), .integer(try next.integer(2)),
            .integer(try next.integer(3)), .integer(room),
          ])
        let open = try rows(
          """
          SELECT id FROM run WHERE id = ANY ($1) AND NOT is_detached \
          AND \(RunColumns.unindexedState) IN (0, 1, 4) \
          ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
          """, [.identifiers(try found.map { try $0.identifier(0) })]
        ).map { try $0.identifier(0) }
        if !open.isEmpty {
          try cancel(open)
          try endJoins(of: open)
        }
        let unlocked = Set(open)
        let skipped = try found.first { row in
          try row.boolean(2) && !unlocked.contains(row.identifier(0))
        }
        isAnyDone = isAnyDone || skipped == nil || !open.isEmpty
        if let skipped {
          let ordinal = try skipped.integer(1)
          if try ordinal != next.integer(3) {
            isAnyDone = true
            try execute(
              "UPDATE cancellation SET ordinal = $1 WHERE position = $2",
              [.integer(ordinal), position])
          }
        } else if found.count == room, let end = found.last {
          try execute(
            "UPDATE cancellation SET ordinal = $1 WHERE position = $2",
            [.integer(try end.integer(1) + 1), position])
          // The same one goes on, as far as there is room.
          last -= 1
        } else {
          try execute("DELETE FROM cancellation WHERE position = $1", [position])
        }
        room -= max(1, skipped == nil ? found.count : open.count)
      }
      return false
    }

    /// Stores a dead child's error for its parent before the child becomes ready again.
    func keepOutcome(_ id: RunID) throws {
      try execute(
        """
        UPDATE run SET joined_error = error WHERE id = $1 AND joined = 3 AND joined_error IS NULL
        """, [.identifier(id)])
    }

    func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) throws -> ChildPage {
      let found = try rows(
        """
        SELECT r.id, r.flow, r.state, r.parent_sequence, r.ordinal, r.is_detached, r.joined, \
        CASE WHEN r.joined = 3 THEN COALESCE(r.joined_error, r.error) END, s.payload \
        FROM run r LEFT JOIN step s ON r.joined = 2 AND s.run = r.id AND s.sequence = r.sequence \
        WHERE r.parent = $1 AND (r.parent_sequence, r.ordinal) > ($2, $3) \
        AND EXISTS (SELECT 1 FROM run p WHERE p.id = $1) \
        AND r.parent_sequence BETWEEN $4 AND $5 ORDER BY r.parent_sequence, r.ordinal LIMIT $6
        """,
        [
          .identifier(id), .integer(place?.sequence ?? -1), .integer(place?.ordinal ?? -1),
          .integer(sequence ?? 0), .integer(sequence ?? .max), .integer(limit + 1),
        ])
      let page = try found.prefix(limit).map { row in
        let place = ChildPlace(sequence: try row.integer(3), ordinal: try row.integer(4))
        return ChildRecord(
          id: try row.identifier(0), place: place, flow: try row.text(1),
          isDetached: try row.boolean(5), state: try RunColumns.state(row.integer(2)),
          end: try row.optionalInteger(6).map { try RunColumns.state($0) },
          completion: row.optionalBytes(8), error: row.optionalText(7))
      }
      return ChildPage(children: page, next: found.count > limit ? page.last?.place : nil)
    }

    /// The condition that protects a run from a purge: its parent waits for it or reads its
    /// outcome, or its own children are still to be cancelled.
    static let isNeeded = """
      (EXISTS (SELECT 1 FROM run p WHERE p.id = run.parent AND p.join_sequence = run.parent_sequence) \
      OR EXISTS (SELECT 1 FROM cancellation c WHERE c.parent = run.id))
      """
  }

  extension Parking.Reason {
    /// Whether it ends the run.
    var endsRun: Bool {
      switch self {
      case .dead, .exhausted: true
      case .shutdown, .retry, .blocked: false
      }
    }
  }
#endif
