#if PostgreSQL
  import FieldstoneDurable

  extension JournalError {
    /// What an error of the server means for the journal.
    init(_ error: PostgresError) {
      let reason = "\(error.message), SQLSTATE \(error.sqlState)"
      self = error.isUnavailable ? .unavailable(reason) : .corrupt(reason)
    }
  }

  /// What a stage's own write threw, as against what the journal's statements threw.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
