#if PostgreSQL
  import CFieldstonePostgres
  package import FieldstoneDurable
  import Foundation

  /// The server's connection string; it may contain a password, so it is never shown.
  package struct ConnectionText: Sendable, CustomStringConvertible, CustomReflectable {
    private let text: String
    /// Whether the connection is read-only, so that a standby can serve it.
    let isReading: Bool
    /// The encryption settings if the string has none; nil for libpq's defaults.
    package let encryption: String?

    /// - Parameter environment: the variables that libpq reads.
    /// - Throws: `JournalError.unavailable`, without the string, if libpq can't parse it.
    package init(
      _ text: String, isReading: Bool = false,
      environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(JournalError) {
      guard !text.utf8.contains(0), let options = Self.options(of: text) else {
        throw .unavailable(
          "the connection string can't be read; write postgresql://user@host/database")
      }
      self.text = text
      self.isReading = isReading
      // A service file may name the hosts. Its sslmode is unknown here, and yields to the one below.
      let isElsewhere = options["service"] != nil || environment["PGSERVICE"] != nil
      let isLocal =
        !isElsewhere
        && Self.places(
          addresses: options["hostaddr"] ?? environment["PGHOSTADDR"] ?? "",
          hosts: options["host"] ?? environment["PGHOST"] ?? ""
        ).allSatisfy(Self.isLoopback)
      let isSaid = options["sslmode"] != nil || environment["PGSSLMODE"] != nil
      encryption = isSaid || isLocal ? nil : "verify-full"
    }

    package var description: String { "a connection string" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Connects; call it on the thread that uses and frees the connection.
    func connect() -> OpaquePointer? {
      // The string overrides the options before it.
      var options = [
        ("application_name", "fieldstone"), ("connect_timeout", "5"),
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "30000"), ("target_session_attrs", isReading ? "any" : "read-write"),
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

    /// Where libpq connects to, one after the other: to the address at each place of the lists, or
    /// to the host where that is empty.
    private static func places(addresses: String, hosts: String) -> [Substring] {
      func list(_ text: String) -> [Substring] {
        let comma = UInt8(ascii: ",")
        return text.utf8.split(separator: comma, omittingEmptySubsequences: false).map {
          Substring($0)
        }
      }
      let (addresses, hosts) = (list(addresses), list(hosts))
      return (0..<max(addresses.count, hosts.count)).map { place in
        let address = place < addresses.count ? addresses[place] : ""
        return address.isEmpty && place < hosts.count ? hosts[place] : address
      }
    }

    /// Whether a connection to a host stays on this machine; without a host it is a local socket.
    private static func isLoopback(_ host: Substring) -> Bool {
      if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
      // Parses the numbers, because a host name may begin with them.
      let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      return host == "localhost" || host == "::1"
        || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
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
