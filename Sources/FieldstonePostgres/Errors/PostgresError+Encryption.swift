#if PostgreSQL
  extension PostgresError {
    /// A refused connection, with the remedy if its encryption is the cause.
    ///
    /// libpq has no codes for these causes. It translates its messages only in programs that set a
    /// locale.
    static func unreachable(_ reason: String) -> Self {
      let remedy = remedies.first(where: { reason.contains($0.cause) })?.remedy
      return Self(sqlState: "08001", message: reason + (remedy.map { "; \($0)" } ?? ""))
    }

    private static let authority =
      "let sslrootcert name the certificate of the authority that signed the server's"
    private static let remedies: [(cause: String, remedy: String)] = [
      ("certificate verify failed", authority),
      ("root certificate file", authority),
      ("does not match host name", "connect to a host name that the certificate contains"),
      (
        "server does not support SSL",
        "let the server encrypt, ssl = on, or set sslmode=disable for a network that you trust"
      ),
    ]
  }
#endif
