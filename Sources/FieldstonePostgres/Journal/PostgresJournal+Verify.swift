#if PostgreSQL
  public import FieldstoneDurable

  extension PostgresJournal: SelfVerifyingJournal {
    /// The run with what is known of it beside its record.
    public func standing(of id: RunID) async throws -> RunStanding? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).standing(of: id) }
    }

    /// What breaks the rules in the tables.
    ///
    /// Each rule is one statement: what others commit between two of them breaks none.
    package func findingsInTables() async throws -> [JournalFinding] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).findings() }
    }
  }
#endif
