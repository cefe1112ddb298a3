#if SQLite
  package import FieldstoneDurable

  extension SQLiteJournal: CopySource {
    package func seal() async throws { try await transact(hasOwnWrites: true) { try $0.seal() } }

    package func rows(
      of table: CopiedTable, after mark: [CopiedCell]?
    ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell]) {
      try await read { try $0.copiedRows(of: table, after: mark) }
    }
  }
#endif
