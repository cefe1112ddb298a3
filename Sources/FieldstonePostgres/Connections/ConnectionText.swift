#if PostgreSQL
  import CFieldstonePostgres
  import FieldstoneDurable
  import Foundation

  /// How to reach the server; it may hold a password, so it is never shown.
  struct ConnectionText: Sendable, CustomStringConvertible, CustomReflectable {
    private let text: String
    private let encryption: String?

    /// - Throws: `JournalError.unavailable`, without what was given, when libpq can't read it.
    init(_ text: String) throws(JournalError) {
      guard !text.utf8.contains(0), let options = Self.options(of: text) else {
        throw .unavailable(
          "the connection string can't be read; write postgresql://user@host/database")
      }
      self.text = text
      let environment = ProcessInfo.processInfo.environment
      let hosts =
        options["hostaddr"] ?? options["host"] ?? environment["PGHOSTADDR"] ?? environment["PGHOST"]
      let isLocal = (hosts ?? "").split(separator: ",").allSatisfy(Self.isLoopback)
      let isSaid = options["sslmode"] != nil || environment["PGSSLMODE"] != nil
      encryption = isSaid || isLocal ? nil : "verify-full"
    }

    var description: String { "a connection string" }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Connects, on the thread that uses and frees the connection.
    func connect() -> OpaquePointer? {
      // What the text says overrides what stands before it.
      var options = [
        ("application_name", "fieldstone"), ("connect_timeout", "5"),
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "30000"), ("target_session_attrs", "read-write"),
      ]
      if let encryption { options.append(("sslmode", encryption)) }
      options += [("dbname", text), ("client_encoding", "UTF8")]
      let keywords = options.map { strdup($0.0) }
      let values = options.map { strdup($0.1) }
      defer { for pointer in keywords + values { free(pointer) } }
      let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
      let valuePointers = values.map { UnsafePointer($0) } + [nil]
      return PQconnectdbParams(keywordPointers, valuePointers, 1)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
      ["/", "@", "127."].contains { host.hasPrefix($0) } || host == "localhost" || host == "::1"
    }

    private static func options(of text: String) -> [String: String]? {
      guard let options = PQconninfoParse(text, nil) else { return nil }
      defer { PQconninfoFree(options) }
      var found: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val {
          found[String(cString: keyword)] = String(cString: value)
        }
        option += 1
      }
      return found
    }
  }
#endif
