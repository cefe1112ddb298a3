#if PostgreSQL
  package import FieldstoneDurable
  package import Foundation

  extension PostgresJournal: ClockReader {
    package func date(byCaller date: Date) async throws -> Date {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).serverDate() }
    }
  }

  extension PostgresJournal: ScheduleIndex {
    package func schedule(named name: String) async throws -> ScheduleRecord? {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).schedule(named: name)
      }
    }
  }

  extension PostgresJournal: SurveyedJournal {
    package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).names(of: kind, atMost: limit)
      }
    }

    package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).longestDue(atMost: limit)
      }
    }

    package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).limitStandings()
      }
    }

    package func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).pauses(of: runs) }
    }

    package func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).firstPauses(atMost: limit)
      }
    }
  }
#endif
