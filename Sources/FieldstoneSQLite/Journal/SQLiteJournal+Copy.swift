#if SQLite
  package import FieldstoneDurable

  extension SQLiteJournal: MovableJournal {
    package func seal() async throws { try await transact(as: .any) { try $0.seal() } }

    package func rows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      try await read { try $0.copiedRows(of: table, after: mark) }
    }

    package func beginMove() async throws {
      try await transact(as: .any) { try $0.beginMove() }
    }

    package func insertMoved(_ rows: [[CopiedCell]], into table: CopiedTable) async throws {
      try await transact(as: .any) { try $0.insertMoved(rows, into: table) }
    }

    package func removeMoved(
      _ slots: [ClosedRange<UInt16>], after mark: CopiedCell?
    ) async throws -> CopiedCell? {
      try await transact(as: .any) { try $0.removeMoved(slots, after: mark, most: 200) }
    }

    package func endMove(
      owning slots: JournalSlots, adding pauses: [JournalPause], _ schedules: [ScheduleRecord],
      removing removed: [String]
    ) async throws {
      let time = ownTime
      try await transact(as: .any) {
        try $0.endMove(
          owning: slots, adding: pauses, schedules, removing: removed, at: time)
      }
    }
  }
#endif
