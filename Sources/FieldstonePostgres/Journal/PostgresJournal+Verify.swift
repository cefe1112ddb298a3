#if PostgreSQL
  public import FieldstoneDurable

  extension PostgresJournal: SelfVerifyingJournal {
    /// A run's record with its quarantine, its signal and the use of its limits.
    public func standing(of id: RunID) async throws -> RunStanding? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).standing(of: id) }
    }

    /// The rows that violate the journal's invariants.
    ///
    /// Each rule is one statement, so commits between two statements can't violate a rule.
    package func findingsInTables() async throws -> [JournalFinding] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).findings() }
    }
  }
#endif
