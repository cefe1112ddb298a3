#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    /// More than so many are not looked up one by one.
    private static let mostChanges: Int64 = 10_000

    func changes(since mark: JournalMark?) throws -> JournalChanges {
      // One that only reads may have a journal before it that older code has made.
      guard try hasRests() else { return JournalChanges() }
      let step = try last("SELECT MAX(rowid) FROM fieldstone_step")
      let rest = try last("SELECT seq FROM sqlite_sequence WHERE name = 'fieldstone_rest'")
      let now = JournalMark(positions: [step, rest])
      guard let mark, mark.positions.count == 2 else { return JournalChanges(mark: now, runs: [:]) }
      let (oldStep, oldRest) = (mark.positions[0], mark.positions[1])
      // Numbers of steps are given anew once the last ones were purged; then a rest of the run 0 says
      // so, unless that is long ago.
      guard oldStep <= step, step - oldStep <= Self.mostChanges, oldRest <= rest,
        rest - oldRest <= Self.mostChanges
      else { return JournalChanges(mark: now) }
      let isAnew = try row(
        "SELECT 1 FROM fieldstone_rest WHERE position > ? AND run = 0", [oldRest])
      guard isAnew == nil else { return JournalChanges(mark: now) }
      let sql = """
        SELECT id, state FROM fieldstone_run WHERE number IN (\
        SELECT run FROM fieldstone_step WHERE rowid > ? \
        UNION SELECT run FROM fieldstone_rest WHERE position > ?)
        """
      let runs = try rows(sql, [oldStep, oldRest]).map { row in
        (try RunColumns.id(row.text(0)), try RunColumns.state(row.whole(1)))
      }
      return JournalChanges(mark: now, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
    }

    private func hasRests() throws -> Bool {
      try row("SELECT 1 FROM sqlite_schema WHERE name = 'fieldstone_rest'") != nil
    }

    private func last(_ sql: String) throws -> Int64 {
      Int64(try row(sql)?.optionalWhole(0) ?? 0)
    }
  }
#endif
