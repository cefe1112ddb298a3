#if PostgreSQL
  import FieldstoneDurable

  extension JournalError {
    /// The error code that the triggers of a sealed journal raise.
    static let seal = "FS001"

    /// The error code of the trigger that refuses runs of foreign slots.
    static let slot = "FS002"

    /// Maps an error of the server to an error of the journal.
    init(_ error: PostgresError) {
      if error.sqlState == Self.seal {
        self = .sealed
        return
      }
      if error.sqlState == Self.slot {
        self = .foreignSlot
        return
      }
      let reason = "\(error.message), SQLSTATE \(error.sqlState)"
      self = error.isUnavailable ? .unavailable(reason) : .corrupt(reason)
    }
  }

  /// Wraps an error of an own write of a stage or of the app, to distinguish it from errors of the
  /// journal's statements.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
