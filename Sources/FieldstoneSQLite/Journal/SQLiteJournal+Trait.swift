#if !SQLite
  /// The journal in a SQLite database; available with the trait `SQLite`.
  @available(
    *, unavailable,
    message: "turn on the trait SQLite in Package.swift: .package(…, traits: [\"SQLite\"])"
  )
  public struct SQLiteJournal: Sendable {
    /// Does nothing without the trait.
    public init(path: String) throws {}

    /// Does nothing without the trait.
    public static func reader(path: String) throws -> SQLiteJournal {
      try SQLiteJournal(path: path)
    }
  }
#endif
