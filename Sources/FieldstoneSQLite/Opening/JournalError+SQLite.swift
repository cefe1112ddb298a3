#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalError {
    /// The error message of a sealed journal's triggers.
    static let seal = "fieldstone: the journal is sealed by a copy"

    /// The error message of the trigger that refuses runs of foreign slots.
    static let slot = "fieldstone: the slot belongs to another journal"

    /// Maps an error of the database to an error of the journal.
    init(_ error: DatabaseError) {
      let reason = error.message ?? "SQLite error \(error.resultCode.rawValue)"
      if error.resultCode == .SQLITE_CONSTRAINT, reason == Self.seal {
        self = .sealed
        return
      }
      if error.resultCode == .SQLITE_CONSTRAINT, reason == Self.slot {
        self = .foreignSlot
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
    /// Maps an error of the database in a caller's own write; nil if the write itself is at fault.
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

  /// Rethrows errors of the database as errors of the journal.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw JournalError(error)
    }
  }
#endif
