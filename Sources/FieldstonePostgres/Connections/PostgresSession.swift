#if PostgreSQL
  import CFieldstonePostgres
  import FieldstoneDurable
  import Foundation

  /// A connection to the server, used only by the thread that created it.
  final class PostgresSession {
    /// Receives the server's warnings.
    private final class Notices {
      var hasWarned = false
    }

    /// Replaces the server's clock in tests; nil for the server's own.
    let clock: (@Sendable () -> Date)?
    private let connection: OpaquePointer
    private let notices = Notices()
    /// The statement that begins a transaction.
    private let begin: String
    /// Whether the next transaction may use another session of the server, so that no session state
    /// may remain.
    private let isPooled: Bool
    /// The names of the prepared statements, by their text.
    private var prepared: [String: String] = [:]

    /// Connects.
    ///
    /// - Throws: `PostgresError`.
    init(
      _ text: ConnectionText, schema: String, isPooled: Bool = false,
      clock: (@Sendable () -> Date)? = nil
    ) throws {
      self.clock = clock
      let settings = Self.settings(schema, isReading: text.isReading)
      let set = isPooled ? "SET LOCAL" : "SET"
      let statements = settings.map { "\(set) \($0)" }.joined(separator: "; ")
      begin = isPooled ? "BEGIN; \(statements)" : "BEGIN"
      self.isPooled = isPooled
      guard let connection = text.connect() else { throw PostgresError.lost("no memory") }
      self.connection = connection
      guard PQstatus(connection) == 0 else {
        throw PostgresError.unreachable(Self.reason(connection))
      }
      PQsetNoticeReceiver(
        connection,
        { context, result in
          guard let context, let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V")))
          else { return }
          if String(cString: severity) == "WARNING" {
            Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().hasWarned = true
          }
        }, Unmanaged.passUnretained(notices).toOpaque())
      if !isPooled { try execute(statements) }
    }

    // These settings keep plans valid while tables grow: each statement has its index. Settings of
    // the caller's database must not change the journal's queries.
    private static func settings(_ schema: String, isReading: Bool) -> [String] {
      let settings = [
        "search_path TO \(quoted(schema)), pg_temp", "client_min_messages TO warning",
        "plan_cache_mode TO force_generic_plan", "jit TO off", "enable_seqscan TO off",
        "enable_hashjoin TO off", "enable_mergejoin TO off", "enable_bitmapscan TO off",
        "default_transaction_isolation TO 'read committed'",
        "default_transaction_deferrable TO off",
        "idle_in_transaction_session_timeout TO '60s'", "TimeZone TO 'UTC'",
      ]
      return isReading ? settings + ["default_transaction_read_only TO on"] : settings
    }

    deinit { PQfinish(connection) }

    /// Whether the connection is unusable.
    var isBroken: Bool { PQstatus(connection) != 0 }

    /// Whether a transaction is open.
    var isInTransaction: Bool { PQtransactionStatus(connection) != 0 }

    /// Whether the open transaction accepts statements.
    var isTransactionSound: Bool { PQtransactionStatus(connection) == 2 }

    /// Detects that the server has closed an idle connection.
    func isAliveWhenIdle() -> Bool { PQconsumeInput(connection) == 1 && !isBroken }

    /// The descriptor to poll for the server's notifications.
    var socket: Int32 { PQsocket(connection) }

    /// The payloads of received notifications; nil once the connection is lost.
    func takeNotifications() -> [String]? {
      guard isAliveWhenIdle() else { return nil }
      var payloads: [String] = []
      while let notification = PQnotifies(connection) {
        payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
        PQfreemem(notification)
      }
      return payloads
    }

    /// Executes statements without parameters.
    @discardableResult
    func execute(_ sql: String) throws -> PostgresResult {
      notices.hasWarned = false
      return try checked(PQexec(connection, sql))
    }

    /// Executes a statement, and keeps it prepared.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgresParameter] = []) throws -> PostgresResult {
      if isPooled, !isInTransaction { return try transaction { try query(sql, parameters) } }
      notices.hasWarned = false
      let types = parameters.map(\.type)
      let name = isPooled ? nil : try name(of: sql, types: types)
      var buffer: [UInt8] = []
      var offsets: [Int?] = []
      for parameter in parameters {
        offsets.append(parameter.bytes == nil ? nil : buffer.count)
        if let bytes = parameter.bytes { buffer += bytes }
      }
      // An empty value needs an address, too.
      buffer.append(0)
      let lengths = parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: parameters.count)
      return try buffer.withUnsafeBytes { bytes in
        let base = bytes.bindMemory(to: CChar.self).baseAddress
        let values = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
        let count = Int32(parameters.count)
        return try checked(
          name.map { PQexecPrepared(connection, $0, count, values, lengths, formats, 1) }
            ?? PQexecParams(connection, sql, count, types, values, lengths, formats, 1))
      }
    }

    /// Executes a statement once, with parameters as text.
    func execute(_ sql: String, texts: [String?]) throws -> PostgresResult {
      notices.hasWarned = false
      let values = texts.map { $0.map { strdup($0) } }
      defer { for value in values { free(value ?? nil) } }
      let pointers = values.map { value in value.flatMap { $0 }.map { UnsafePointer($0) } }
      return try checked(
        PQexecParams(connection, sql, Int32(texts.count), nil, pointers, nil, nil, 0))
    }

    private func name(of sql: String, types: [UInt32]) throws -> String {
      if let name = prepared[sql] { return name }
      let name = "fieldstone_\(prepared.count)"
      try checked(PQprepare(connection, name, sql, Int32(types.count), types))
      prepared[sql] = name
      return name
    }

    @discardableResult
    private func checked(_ pointer: OpaquePointer?) throws -> PostgresResult {
      guard let pointer else { throw ownError }
      let result = PostgresResult(pointer)
      switch PQresultStatus(pointer) {
      case 1, 2: break
      default:
        func field(_ name: Character) -> String? {
          name.asciiValue.flatMap { PQresultErrorField(pointer, Int32($0)) }
            .map { String(cString: $0) }
        }
        // An error without a code comes from libpq: the connection is lost, even if it counts as
        // intact because only the write failed.
        guard let state = field("C") else { throw PostgresError.lost(Self.reason(connection)) }
        throw PostgresError(sqlState: state, message: field("M") ?? "no message")
      }
      if notices.hasWarned, !isInTransaction {
        // A cancelled wait for a standby: committed on this server, and perhaps on no other.
        throw PostgresError.lost("the server has answered a commit with a warning")
      }
      return result
    }

    /// An error of libpq before it sent anything: a lost connection, or an invalid argument.
    private var ownError: PostgresError {
      let reason = Self.reason(connection)
      if isBroken || isInTransaction && !isTransactionSound { return .lost(reason) }
      return PostgresError(sqlState: "54000", message: reason)
    }

    private static func reason(_ connection: OpaquePointer) -> String {
      let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
      let line = text.replacing("\n", with: " ").trimmingCharacters(in: .whitespaces)
      return line.isEmpty ? "the connection was lost" : line
    }

    /// A name as a quoted SQL identifier.
    static func quoted(_ name: String) -> String {
      "\"\(name.replacing("\"", with: "\"\"").replacing("\0", with: ""))\""
    }
  }

  extension PostgresSession {
    /// Executes statements in a transaction.
    ///
    /// - Parameter first: a statement without parameters that is sent along with the beginning.
    func transaction<Result>(
      beginningWith first: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
      try execute(first.map { "\(begin); \($0)" } ?? begin)
      let result = try body()
      // If the body ignored a failure, the server rolls back and reports that.
      guard try commit().command == "COMMIT" else {
        throw PostgresError(sqlState: "25P02", message: "a statement of the transaction has failed")
      }
      return result
    }

    private func commit() throws -> PostgresResult {
      do { return try execute("COMMIT") } catch let error as PostgresError {
        // The journal has no constraints that are checked at the commit: this is the app's own.
        throw error.sqlState.hasPrefix("23") ? WriteFailure(cause: error) : error
      }
    }

    /// Rolls back a transaction that an error has left open.
    func rollBack() {
      if isInTransaction, !isBroken { _ = try? execute("ROLLBACK") }
    }
  }
#endif
