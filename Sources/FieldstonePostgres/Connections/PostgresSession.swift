#if PostgreSQL
  import CFieldstonePostgres
  import FieldstoneDurable
  import Foundation

  /// A connection to the server, used only by the thread that created it.
  final class PostgresSession {
    /// Receives the server's warnings, and its word that it ends the session.
    private final class Notices {
      var hasWarned = false
      var hasEnded = false
    }

    /// Replaces the server's clock in tests; nil for the server's own.
    let clock: (@Sendable () -> Date)?
    private let connection: OpaquePointer
    private let notices = Notices()
    /// The statement that begins a transaction.
    private let begin: String
    /// Sets what the app's own statements may have set for the whole session.
    private let restoration: String
    /// Whether the open transaction executes statements of the app.
    private var isForeign = false
    /// Whether those have ended it, and perhaps begun another one.
    var isEndedByApp = false
    /// Whether the next transaction may use another session of the server, so that no session state
    /// may remain.
    private let isPooled: Bool
    /// The names of the prepared statements, by their text.
    private var prepared: [String: String] = [:]

    /// Connects.
    ///
    /// - Throws: `PostgresError`.
    init(
      _ text: ConnectionText, schema: String, isPooled: Bool = false, lockWait: LockWait = .long,
      clock: (@Sendable () -> Date)? = nil
    ) throws {
      self.clock = clock
      let settings =
        Self.settings(schema, isReading: text.isReading) + [lockWait.setting]
      let set = isPooled ? "SET LOCAL" : "SET"
      let statements = settings.map { "\(set) \($0)" }.joined(separator: "; ")
      // The defaults of a pooler's session are set too late for the transaction that has begun.
      let modes = "ISOLATION LEVEL READ COMMITTED\(text.isReading ? ", READ ONLY" : "")"
      begin = isPooled ? "BEGIN \(modes), NOT DEFERRABLE; \(statements)" : "BEGIN"
      let defaults = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL"
      restoration = isPooled ? defaults : "\(defaults); \(statements)"
      self.isPooled = isPooled
      guard let connection = text.connect() else { throw PostgresError.lost("no memory") }
      self.connection = connection
      guard PQstatus(connection) == 0 else {
        throw PostgresError.unreachable(Self.reason(connection))
      }
      PQsetNoticeReceiver(
        connection,
        { context, result in
          guard let context,
            let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V")))
              ?? PQresultErrorField(result, Int32(UInt8(ascii: "S")))
          else { return }
          let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
          if ["FATAL", "PANIC"].contains(String(cString: severity)) { notices.hasEnded = true }
          // Triggers of the app and the age of transactions cause other warnings.
          let source = PQresultErrorField(result, Int32(UInt8(ascii: "R")))
          if String(cString: severity) == "WARNING",
            source.map({ String(cString: $0) }) == "SyncRepWaitForLSN"
          {
            notices.hasWarned = true
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
    var isBroken: Bool { PQstatus(connection) != 0 || notices.hasEnded }

    /// Whether a transaction is open.
    var isInTransaction: Bool { PQtransactionStatus(connection) != 0 }

    /// Whether the open transaction accepts statements.
    var isTransactionSound: Bool { PQtransactionStatus(connection) == 2 }

    /// Detects that the server has closed an idle connection.
    func isAliveWhenIdle() -> Bool {
      guard PQconsumeInput(connection) == 1 else { return false }
      // A server says that it ends a session before it closes the connection. One read may find
      // only that; this passes it to the receiver of notices.
      _ = PQisBusy(connection)
      return !isBroken
    }

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
      let name = isPooled ? nil : try name(of: sql, types: parameters.map(\.type))
      return try Self.withValues(of: parameters) { types, values, lengths, formats in
        let count = Int32(parameters.count)
        return try checked(
          name.map { PQexecPrepared(connection, $0, count, values, lengths, formats, 1) }
            ?? PQexecParams(connection, sql, count, types, values, lengths, formats, 1))
      }
    }

    /// Calls a body with parameters as libpq wants them: types, values, lengths and formats.
    private static func withValues<Result>(
      of parameters: [PostgresParameter],
      _ body: ([UInt32], [UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result
    ) rethrows -> Result {
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
        return try body(parameters.map(\.type), values, lengths, formats)
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

    /// Executes statements in one round trip; none of them is executed after one that fails.
    ///
    /// Without pipelines, an old libpq or behind a pooler, it is one round trip each.
    ///
    /// - Returns: the results.
    func queries(_ statements: [(sql: String, parameters: [PostgresParameter])]) throws
      -> [PostgresResult]
    {
      guard !isPooled, fieldstone_has_pipelines() != 0 else {
        return try statements.map { sql, parameters in
          parameters.isEmpty ? try execute(sql) : try query(sql, parameters)
        }
      }
      let names = try statements.map { try name(of: $0.sql, types: $0.parameters.map(\.type)) }
      notices.hasWarned = false
      guard PQenterPipelineMode(connection) == 1 else { throw ownError }
      var isSent = true
      for (name, statement) in zip(names, statements) where isSent {
        isSent = Self.withValues(of: statement.parameters) { _, values, lengths, formats in
          PQsendQueryPrepared(
            connection, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
      }
      // A part of the statements may have been sent. Their answers would be mistaken for those of
      // later ones, so the connection is given up.
      guard isSent, PQpipelineSync(connection) == 1 else {
        throw PostgresError.lost(Self.reason(connection))
      }
      let results = statements.map { _ in answer() }
      var end = PQgetResult(connection)
      while let pointer = end, PQresultStatus(pointer) != Self.pipelineEnd {
        PQclear(pointer)
        end = isBroken ? nil : PQgetResult(connection)
      }
      end.map(PQclear)
      guard end != nil, PQexitPipelineMode(connection) == 1 else {
        throw PostgresError.lost(Self.reason(connection))
      }
      let found = results.compactMap(\.self)
      for result in found { try check(result) }
      guard found.count == statements.count else { throw ownError }
      try checkWarning()
      return found
    }

    private static let pipelineEnd: Int32 = 10

    /// The result of a statement of a pipeline.
    private func answer() -> PostgresResult? {
      guard let pointer = PQgetResult(connection) else { return nil }
      while let other = PQgetResult(connection) { PQclear(other) }
      return PostgresResult(pointer)
    }

    @discardableResult
    private func checked(_ pointer: OpaquePointer?) throws -> PostgresResult {
      guard let pointer else { throw ownError }
      let result = PostgresResult(pointer)
      try check(result)
      try checkWarning()
      return result
    }

    private func check(_ result: PostgresResult) throws {
      guard !result.isSuccess else { return }
      guard !result.isCopying else {
        throw PostgresError(
          sqlState: "0A000", message: "COPY is not possible here; insert rows by INSERT")
      }
      // An error without a code comes from libpq: the connection is lost, even if it counts as
      // intact because only the write failed.
      guard let state = result.errorField("C") else {
        throw PostgresError.lost(Self.reason(connection))
      }
      throw PostgresError(
        sqlState: state, message: result.errorField("M") ?? "no message",
        function: result.errorField("R"))
    }

    private func checkWarning() throws {
      if notices.hasWarned, !isInTransaction {
        // A cancelled wait for a standby: committed on this server, and perhaps on no other.
        throw PostgresError.lost("the server has answered a commit with a warning")
      }
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
      try commit()
      return result
    }

    /// Begins a transaction with two statements, in one round trip.
    ///
    /// - Returns: the rows of the second one.
    func begin(
      with first: String, _ sql: String, _ parameters: [PostgresParameter]
    ) throws -> [PostgresRow] {
      let results = try queries([(begin, []), (first, []), (sql, parameters)])
      return results.last?.rows ?? []
    }

    /// Commits a transaction after a last statement, in one round trip.
    ///
    /// - Returns: the rows of the statement.
    func commit(after sql: String, _ parameters: [PostgresParameter]) throws -> [PostgresRow] {
      let results = try queries([(sql, parameters), ("COMMIT", [])])
      for result in results.suffix(1) { try check(commit: result) }
      return results.first?.rows ?? []
    }

    /// Prepares the open transaction for statements of the app, which may set anything and wait for
    /// their locks.
    func admitForeignStatements() throws {
      if !isForeign { try execute("SET LOCAL lock_timeout TO DEFAULT") }
      isForeign = true
    }

    /// Commits a transaction.
    ///
    /// What the app's own statements have set for the session would act on other runs. It is set
    /// again before the commit, so that it takes no message more, and a rollback takes it back. Before
    /// that come the checks that the app has deferred, which wait for locks as its statements do.
    func commit() throws {
      defer { isForeign = false }
      do {
        let end = isForeign ? "SET CONSTRAINTS ALL IMMEDIATE; \(restoration); COMMIT" : "COMMIT"
        try check(commit: execute(end))
      } catch let error as PostgresError where isForeign && error.sqlState != Self.failedBefore {
        // The journal has no constraints that are checked at the commit: this is the app's own.
        throw WriteFailure(cause: error)
      }
    }

    /// If a failure was passed over, the server rolls back and reports that.
    private func check(commit result: PostgresResult) throws {
      guard result.command == "COMMIT" else {
        throw PostgresError(
          sqlState: Self.failedBefore, message: "a statement of the transaction has failed")
      }
    }

    private static let failedBefore = "25P02"

    /// Rolls back a transaction that an error has left open.
    func rollBack() {
      defer { (isForeign, isEndedByApp) = (false, false) }
      guard !isBroken else { return }
      if isEndedByApp {
        // What it has set for the session was committed. One message reaches one session.
        _ = try? execute(isInTransaction ? "ROLLBACK; \(restoration)" : restoration)
      } else if isInTransaction {
        _ = try? execute("ROLLBACK")
      }
    }
  }
#endif
