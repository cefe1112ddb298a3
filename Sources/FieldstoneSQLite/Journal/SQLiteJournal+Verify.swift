#if SQLite
  public import FieldstoneDurable

  extension SQLiteJournal: SelfVerifyingJournal {
    /// A run's record with its quarantine, its signal and the use of its limits.
    public func standing(of id: RunID) async throws -> RunStanding? {
      try await read { try $0.standing(of: id) }
    }

    /// The rows that violate the journal's invariants.
    package func findingsInTables() async throws -> [JournalFinding] {
      try await read { try $0.findings() }
    }
  }
#endif
