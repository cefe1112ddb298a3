#if !SQLite
  /// The journal in a SQLite database, which is there with the trait `SQLite`.
  @available(
    *, unavailable,
    message: "turn on the trait SQLite in Package.swift: .package(…, traits: [\"SQLite\"])"
  )
  public enum SQLiteJournal {}
#endif
