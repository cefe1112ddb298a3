#if SQLite
  /// What the caller's own write threw, as against what the journal's statements threw.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
