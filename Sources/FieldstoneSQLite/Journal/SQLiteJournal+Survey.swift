#if SQLite
  package import FieldstoneDurable

  extension SQLiteJournal: ScheduleIndex {
    package func schedule(named name: String) async throws -> ScheduleRecord? {
      try await read { try $0.schedule(named: name) }
    }
  }

  extension SQLiteJournal: SurveyedJournal {
    package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
      try await read { try $0.names(of: kind, atMost: limit) }
    }

    package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
      try await read { try $0.longestDue(atMost: limit, at: time) }
    }

    package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
      try await read { try $0.limitStandings(at: time) }
    }

    package func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
      try await read { try $0.pauses(of: runs) }
    }

    package func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
      try await read { try $0.firstPauses(atMost: limit) }
    }
  }
#endif
