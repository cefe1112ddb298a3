#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstonePostgres

  extension PostgresJournal {
    /// Counts the runs by statements that share nothing with those of the journal.
    ///
    /// - Parameter stages: how many each run has.
    /// - Returns: how many there are; -1 if one of them is not completed, or its chain is broken,
    ///   missing, too long or out of order.
    func auditedChains(stages: Int) async throws -> Int {
      let counts = try await texts(
        """
        SELECT count(*) || ' ' || count(*) FILTER (WHERE state = 2 AND sequence = \(stages)) || ' ' ||
        (SELECT count(DISTINCT run) FROM step) FROM run
        """
      ).flatMap { $0.split(separator: " ").compactMap { Int($0) } }
      let broken = try await texts(
        """
        SELECT run::text FROM step GROUP BY run HAVING count(*) <> \(stages + 1)
        OR min(sequence) <> 0 OR max(sequence) <> \(stages)
        OR count(DISTINCT sequence) <> \(stages + 1)
        """)
      let disordered = try await texts(
        """
        SELECT run::text FROM (SELECT run, fence, lag(fence) OVER (PARTITION BY run ORDER BY sequence)
        AS before FROM step) AS link WHERE fence < before
        """)
      guard counts.count == 3, Set(counts).count == 1, broken == [], disordered == [] else {
        return -1
      }
      return counts[0]
    }
  }
#endif
