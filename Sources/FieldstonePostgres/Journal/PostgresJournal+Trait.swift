#if !PostgreSQL
  /// The journal in a PostgreSQL database; available with the trait `PostgreSQL`.
  @available(
    *, unavailable,
    message: "turn on the trait PostgreSQL in Package.swift: .package(…, traits: [\"PostgreSQL\"])"
  )
  public struct PostgresJournal: Sendable {
    /// Does nothing without the trait.
    public init(_ connection: String) async throws {}
  }
#endif
