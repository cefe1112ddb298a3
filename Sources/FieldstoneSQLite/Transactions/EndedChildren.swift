#if SQLite
  import FieldstoneDurable
  import GRDB

  /// The children that have completed in a transaction, counted for their parents once at its end.
  ///
  /// A row's change costs as much as the rest of a child's end, and of the children that end in one
  /// commit most have the same parent. It is used on the writer's queue only.
  final class EndedChildren {
    /// A stage that waits for its children.
    struct Stage: Hashable {
      let parent: Int
      let sequence: Int
    }

    private struct Count {
      var children = 0
      var lastEnd = -Double.infinity

      mutating func add(_ end: Double) {
        children += 1
        lastEnd = max(lastEnd, end)
      }
    }

    private var counts: [Stage: Count] = [:]

    /// Whether a stage waits for more than its first child; read once, as only other writes can change
    /// it.
    ///
    /// The first child that ends must find out at once that the others are not awaited any more.
    func isAwaiting(_ stage: Stage, in transaction: JournalTransaction) throws -> Bool {
      if counts[stage] != nil { return true }
      let sql = """
        SELECT 1 FROM fieldstone_run \
        WHERE number = ? AND join_sequence = ? AND join_policy <> \(JoinPolicy.first.code)
        """
      return try transaction.row(sql, [stage.parent, stage.sequence]) != nil
    }

    /// - Parameter end: the time at which the child ended.
    func add(_ stage: Stage, endedAt end: Double) {
      counts[stage, default: Count()].add(end)
    }

    /// Changes the parents: those are ready that wait for no more children.
    func settle(in transaction: JournalTransaction) throws {
      for (stage, count) in counts {
        // As `fieldstone_run_ends` does for one child.
        let isWaiting =
          try transaction.execute(
            """
            UPDATE fieldstone_run SET open_children = open_children - ? \
            WHERE number = ? AND join_sequence = ? AND join_policy IS NOT NULL
            """, [count.children, stage.parent, stage.sequence]) > 0
        guard isWaiting else { continue }
        try transaction.execute(
          """
          UPDATE fieldstone_run SET waits = 0, wakes_at = ?1 - priority * \(secondsPerPriority), \
          due_at = NULL, changed_at = ?1 WHERE number = ?2 AND join_sequence = ?3 \
          AND join_policy IS NOT NULL AND open_children <= 0
          """, [count.lastEnd, stage.parent, stage.sequence])
      }
      counts = [:]
    }
  }
#endif
