#if PostgreSQL
  import FieldstoneDurable

  extension JournalError {
    /// The code of the error that the triggers of a sealed journal raise.
    static let seal = "FS001"

    /// What an error of the server means for the journal.
    init(_ error: PostgresError) {
      if error.sqlState == Self.seal {
        self = .sealed
        return
      }
      let reason = "\(error.message), SQLSTATE \(error.sqlState)"
      self = error.isUnavailable ? .unavailable(reason) : .corrupt(reason)
    }
  }

  /// What a stage's own write threw, as against what the journal's statements threw.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
