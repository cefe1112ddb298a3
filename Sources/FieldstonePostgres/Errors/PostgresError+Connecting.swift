#if PostgreSQL
  extension PostgresError {
    /// A refused connection, with the remedy if the cause is known.
    ///
    /// libpq has no codes for these causes. It translates its messages only in programs that set a
    /// locale.
    static func unreachable(_ reason: String) -> Self {
      let cause = reason.replacing("; ", with: ", ")
      let remedy = remedies.first { $0.cause.allSatisfy(reason.contains) }?.remedy
      return Self(sqlState: "08001", message: cause + (remedy.map { "; \($0)" } ?? ""))
    }

    private static let authority =
      "let sslrootcert name the certificate of the authority that signed the server's"
    private static let password =
      "give the role's password in PGPASSWORD, in ~/.pgpass or in the file that passfile names"

    /// The remedies, by texts that a message of the cause contains.
    private static let remedies: [(cause: [String], remedy: String)] = [
      (["certificate verify failed"], authority),
      (["root certificate file"], authority),
      (["does not match host name"], "connect to a host name that the certificate contains"),
      (
        ["server does not support SSL"],
        "let the server encrypt, ssl = on, or set sslmode=disable for a network that you trust, in the "
          + "connection string or in PGSSLMODE"
      ),
      (["password authentication failed"], password),
      (["no password supplied"], password),
      (
        ["authentication failed"],
        "connect as a role that the server's pg_hba.conf allows, or add an entry there"
      ),
      (
        ["no pg_hba.conf entry"],
        "add an entry for the role, the database and this machine to the server's pg_hba.conf"
      ),
      (
        ["database \"", "does not exist"],
        "check the database's name, or make the database with createdb, encoded in UTF8"
      ),
      (["role \"", "does not exist"], "check the role's name, or make the role with createuser"),
      (["permission denied for database"], "GRANT the role CONNECT on the database"),
      (["could not translate host name"], "check the spelling of the host"),
      (
        ["Connection refused"],
        "check the host and the port, start the server, or let listen_addresses include the host"
      ),
      (
        ["connection to server on socket", "No such file"],
        "check the socket's folder and the port, or start the server"
      ),
      (["timeout expired"], "check the host, the port and the firewalls between"),
      (["invalid port number"], "correct the connection string"),
      (["invalid ", "value"], "correct the connection string"),
    ]
  }
#endif
