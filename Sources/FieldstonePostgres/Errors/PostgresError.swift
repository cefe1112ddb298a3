#if PostgreSQL
  public import FieldstoneCore

  /// What PostgreSQL says about a statement of a stage's own.
  public struct PostgresError: DescribedError, Hashable {
    /// The five characters of the error's code, `23505` for a key that is there already.
    public let sqlState: String
    /// The server's first line about it, without the values of rows.
    public let message: String
  }

  extension PostgresError {
    /// The connection ended without an answer of the server.
    static func lost(_ reason: String) -> Self { Self(sqlState: "08006", message: reason) }

    /// There is no server, or it does not let anybody in.
    static func unreachable(_ reason: String) -> Self { Self(sqlState: "08001", message: reason) }

    var isUnreachable: Bool { sqlState == "08001" }

    /// The transaction was undone because of another one; the same may succeed at once.
    var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// The server can't take it now, or only another server can.
    var isUnavailable: Bool {
      let classes = ["08", "53", "58"]
      let codes = [
        "25006", "25P03", "25P04", "26000", "28000", "28P01", "3D000", "40001", "40003", "40P01",
        "42501", "42P05", "55P03", "57014",
      ]
      return classes.contains { sqlState.hasPrefix($0) } || sqlState.hasPrefix("57P")
        || codes.contains(sqlState)
    }

    /// The next statement needs another connection, perhaps to another server.
    var endsConnection: Bool {
      sqlState.hasPrefix("08") || sqlState.hasPrefix("57P")
        || ["25006", "25P03", "25P04", "26000", "42P05"].contains(sqlState)
    }
  }
#endif
