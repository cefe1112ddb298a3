#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalError {
    /// What the triggers of a sealed journal say.
    static let seal = "fieldstone: the journal is sealed by a copy"

    /// What an error of the database means for the journal.
    init(_ error: DatabaseError) {
      let reason = error.message ?? "SQLite error \(error.resultCode.rawValue)"
      if error.resultCode == .SQLITE_CONSTRAINT, reason == Self.seal {
        self = .sealed
        return
      }
      switch error.resultCode {
      case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CANTOPEN,
        .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_PROTOCOL, .SQLITE_NOMEM,
        .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_NOLFS, .SQLITE_MISUSE:
        self = .unavailable(reason)
      default:
        self = .corrupt(reason)
      }
    }
  }

  extension JournalError {
    /// What an error of the database in a caller's own write means for the journal; nil when it is the
    /// write that is to blame.
    init?(inOwnWrite error: DatabaseError) {
      switch error.resultCode {
      case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL,
        .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_CORRUPT, .SQLITE_NOTADB:
        self.init(error)
      default:
        return nil
      }
    }
  }

  /// Throws errors of the database as those of a journal.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw JournalError(error)
    }
  }
#endif
