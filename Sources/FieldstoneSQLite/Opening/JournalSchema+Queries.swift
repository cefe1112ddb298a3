#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalSchema {
    // Indices for queries. A checkpoint to the next stage touches none of them: the run is neither
    // ready nor stopped, and its state stays. `wait` says what a ready run waits for, as of the
    // last claim. The fingerprint is set when a run becomes dead or blocked, and is valid only
    // then. The index of signals has all columns of its condition: runs are counted without a look
    // at their rows, which lie far apart.
    //
    // The list of a flow's runs has none that is running: those are few, and a claim and an end have
    // one entry less to write. The index of running runs has them, without the order.
    //
    // Conditions of indices and triggers compare states and don't list three or more: for such a list
    // SQLite makes a temporary table in each statement that evaluates the condition. The plus keeps
    // SQLite from looking the comparison up in the index.
    static let queries = """

      ALTER TABLE fieldstone_run ADD COLUMN fingerprint INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN wait TEXT GENERATED ALWAYS AS (CASE
        WHEN state <> 0 OR waits = 0 THEN NULL WHEN attempts > 0 THEN 'retry'
        WHEN join_policy IS NOT NULL THEN 'children'
        WHEN awaited IS NOT NULL THEN 'signal:' || awaited ELSE 'time' END) VIRTUAL;
      CREATE INDEX fieldstone_run_wait ON fieldstone_run (flow, wait, id) WHERE wait IS NOT NULL;
      CREATE INDEX fieldstone_run_signal ON fieldstone_run
        (flow, id, awaited, state, waits, attempts, join_policy) WHERE \(awaitsSignal);
      CREATE INDEX fieldstone_run_error ON fieldstone_run (fingerprint, id) WHERE state IN (3, 4);
      CREATE INDEX fieldstone_run_stopped ON fieldstone_run (flow, state, changed_at, id)
        WHERE +state >= 2;
      DROP INDEX fieldstone_run_over;
      DROP INDEX fieldstone_run_list;
      CREATE INDEX fieldstone_run_list ON fieldstone_run (flow, state, id) WHERE \(isListed);
      """

    /// The condition of the index of a flow's runs by state, as statements must write it.
    static let isListed = "+state <> 1"

    /// The condition of the index of runs that await a signal, as statements must write it.
    ///
    /// The same runs as those whose `wait` begins with `signal:`. With that column, which is computed,
    /// no index would cover a statement; with `state` alone SQLite chooses another index.
    static let awaitsSignal =
      "awaited IS NOT NULL AND +state = 0 AND waits <> 0 AND attempts <= 0 AND join_policy IS NULL"

    /// The columns of queries, for a temporary view of an older schema.
    static let missingForQueries = [
      "NULL AS fingerprint",
      """
      CASE WHEN state <> 0 OR waits = 0 THEN NULL WHEN attempts > 0 THEN 'retry' \
      WHEN awaited IS NOT NULL THEN 'signal:' || awaited ELSE 'time' END AS wait
      """,
    ]

    /// Sets the fingerprints of an older schema's dead and blocked runs; O(n) in the number of
    /// runs.
    static func fillFingerprints(_ database: Database) throws {
      var last: Int64 = -1
      while true {
        let rows = try Row.fetchAll(
          database,
          sql: """
            SELECT number, error FROM fieldstone_run \
            WHERE number > ? AND +state IN (3, 4) AND error IS NOT NULL ORDER BY number LIMIT 500
            """, arguments: [last])
        for row in rows {
          last = row[0]
          let text = String.fromDatabaseValue(row[1]) ?? ""
          try database.execute(
            sql: "UPDATE fieldstone_run SET fingerprint = ? WHERE number = ?",
            arguments: [ErrorFingerprint(of: text).code, last])
        }
        if rows.count < 500 { return }
      }
    }
  }
#endif
