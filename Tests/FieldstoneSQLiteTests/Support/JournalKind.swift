#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite

  /// The journals that what is promised of all is tried on.
  enum JournalKind: Sendable, CaseIterable {
    case inMemory
    case sqlite

    func make(in folder: Folder) throws -> any Journal {
      switch self {
      case .inMemory: InMemoryJournal()
      case .sqlite: try SQLiteJournal(path: folder.path)
      }
    }
  }
#endif
