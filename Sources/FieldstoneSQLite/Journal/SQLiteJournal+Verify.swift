#if SQLite
  public import FieldstoneDurable

  extension SQLiteJournal: SelfVerifyingJournal {
    /// The run with what is known of it beside its record.
    public func standing(of id: RunID) async throws -> RunStanding? {
      try await read { try $0.standing(of: id) }
    }

    /// What breaks the rules in the tables.
    package func findingsInTables() async throws -> [JournalFinding] {
      try await read { try $0.findings() }
    }
  }
#endif
