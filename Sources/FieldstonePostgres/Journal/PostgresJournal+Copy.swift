#if PostgreSQL
  package import FieldstoneDurable

  extension PostgresJournal: CopySource, CopyTarget {
    package func seal() async throws { try await transact(isRepeatable: true) { try $0.seal() } }

    package func rows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).copiedRows(of: table, after: mark)
      }
    }

    package func beginCopy() async throws {
      try await transact(isRepeatable: true) { try $0.beginCopy() }
    }

    package func insert(_ rows: [[CopiedCell]], into table: CopiedTable) async throws {
      try await transact(isRepeatable: true) { try $0.insert(rows, into: table) }
    }

    package func count(of table: CopiedTable) async throws -> Int {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).count(of: table) }
    }

    package func endCopy(
      limits: [String: FlowLimits], pauses: [JournalPause], schedules: [ScheduleRecord]
    ) async throws {
      try await transact(isRepeatable: true) {
        try $0.endCopy(limits: limits, pauses: pauses, schedules: schedules)
      }
      wakeUps.tell()
    }
  }
#endif
