#if PostgreSQL
  public import FieldstoneCore

  /// An error of PostgreSQL in a stage's own statement.
  public struct PostgresError: DescribedError, Hashable {
    /// The five characters of the error code, such as `23505` for a duplicate key.
    public let sqlState: String
    /// The first line of the server's message, without the values of rows.
    public let message: String
    /// The function of the server that has raised it: the message may be in any language.
    var function: String?
  }

  extension PostgresError {
    /// The connection was lost before the server answered.
    static func lost(_ reason: String) -> Self { Self(sqlState: "08006", message: reason) }

    var isUnreachable: Bool { sqlState == "08001" }

    /// The transaction was rolled back because of another one; a retry may succeed at once.
    var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Another transaction holds a lock for longer than this connection waits.
    var isLocked: Bool { sqlState == "55P03" }

    /// A value is beyond a limit of the server, and would be again.
    ///
    /// The code is also that of libpq's refusals, and of a server whose transactions have used up
    /// their numbers until it is vacuumed.
    var isBeyondLimit: Bool {
      sqlState == "54000" && function.map { !$0.hasPrefix("GetNew") } ?? false
    }

    /// The server can't execute the statement now, or only another server can.
    var isUnavailable: Bool {
      let classes = ["08", "53", "58"]
      let codes = [
        "25006", "25P03", "25P04", "26000", "28000", "28P01", "3D000", "40001", "40003", "40P01",
        "42P05", "55P03", "57014",
      ]
      return classes.contains { sqlState.hasPrefix($0) } || sqlState.hasPrefix("57P")
        || codes.contains(sqlState) || isOutdatedPlan
    }

    /// The server or the connection failed, or another transaction was in the way, whatever the
    /// statement was.
    ///
    /// All else is the fault of the statement. If it is the app's own, it would fail again.
    var isOfServer: Bool {
      let classes = ["08", "53", "57P", "58"]
      let codes = ["25006", "25P03", "25P04", "40003"]
      return isConflict || codes.contains(sqlState)
        || classes.contains { sqlState.hasPrefix($0) }
    }

    /// The tables were changed after the statement had been prepared.
    private var isOutdatedPlan: Bool { sqlState == "0A000" && message.contains("cached plan") }

    /// The next statement needs a new connection, perhaps to another server.
    var endsConnection: Bool {
      sqlState.hasPrefix("08") || sqlState.hasPrefix("57P")
        || ["25006", "25P03", "25P04", "26000", "42P05"].contains(sqlState) || isOutdatedPlan
    }
  }
#endif
