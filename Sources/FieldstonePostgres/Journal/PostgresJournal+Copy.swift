#if PostgreSQL
  package import FieldstoneDurable

  extension PostgresJournal: MovableJournal, CopyTarget {
    package func seal() async throws { try await transact(isRepeatable: true) { try $0.seal() } }

    package func rows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).copiedRows(of: table, after: mark)
      }
    }

    /// A third of a page, less what the numbers of an entry take.
    package static var mostIndexedBytes: Int { 2_600 }

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
      limits: [String: FlowLimits], pauses: [JournalPause], schedules: [ScheduleRecord],
      owning slots: JournalSlots?
    ) async throws {
      try await transact(isRepeatable: true) {
        try $0.endCopy(limits: limits, pauses: pauses, schedules: schedules, owning: slots)
      }
      wakeUps.tell()
    }

    package func beginMove() async throws {
      try await transact(isRepeatable: true) { try $0.beginMove() }
    }

    package func insertMoved(_ rows: [[CopiedCell]], into table: CopiedTable) async throws {
      try await transact(isRepeatable: true) { try $0.insertMoved(rows, into: table) }
    }

    package func removeMoved(
      _ slots: [ClosedRange<UInt16>], after mark: CopiedCell?
    ) async throws -> CopiedCell? {
      try await transact(isRepeatable: true) {
        try $0.removeMoved(slots, after: mark, most: 200)
      }
    }

    package func endMove(
      owning slots: JournalSlots, adding pauses: [JournalPause], _ schedules: [ScheduleRecord],
      removing removed: [String]
    ) async throws {
      try await transact(isRepeatable: true) {
        try $0.endMove(owning: slots, adding: pauses, schedules, removing: removed)
      }
      wakeUps.tell()
    }
  }
#endif
