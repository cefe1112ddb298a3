#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable

  /// A journal in a PostgreSQL database: for any number of processes on any number of machines.
  ///
  /// ```swift
  /// let journal = try await PostgresJournal("postgresql://worker@db.example.org/orders")
  /// let runner = try DurableRunner(journal: journal, flows: flows)
  /// ```
  ///
  /// Checkpoints that come while others are being committed share the next statement: one that is
  /// refused undoes nothing but itself. Renewals have a connection of their own, so that a busy
  /// journal loses no lease. A connection that is lost is made anew with the next call; what was under
  /// way throws `JournalError.unavailable`, and runners look up whether it was made before they repeat
  /// it. A write is never cancelled.
  ///
  /// A lease of this machine's boot counts its uptime; a lease from elsewhere ends by the wall clock
  /// of the worker that asks. Clocks that differ make work repeat, and break no chain.
  public final class PostgresJournal: Sendable {
    package let options: PostgresJournalOptions
    private let calls: ConnectionLine<@Sendable (PostgresConnection) -> Void>
    private let renewals: ConnectionLine<@Sendable (PostgresConnection) -> Void>
    private let checkpoints: ConnectionLine<PendingCheckpoint>

    /// Connects, and brings the journal's tables to what this code knows; they are made where there
    /// are none.
    ///
    /// The server has to be PostgreSQL 13 or newer, and no standby. Beyond the loopback address the
    /// connection is encrypted and the server's certificate verified, unless `sslmode` says otherwise.
    ///
    /// - Parameters:
    ///   - connection: as libpq reads it, a URL or `host=… dbname=…`, also with several hosts. The
    ///     password is best left to `PGPASSWORD` or `~/.pgpass`; in no case it is in an error.
    ///   - options: how it works.
    /// - Throws: `JournalError.unavailable` when the server can't be reached or refuses,
    ///   `.newerSchema`, `.noJournal` when the schema holds other tables, and `.corrupt`.
    public init(
      _ connection: String, options: PostgresJournalOptions = PostgresJournalOptions()
    ) async throws {
      let text = try ConnectionText(connection)
      let schema = options.schema
      let connect: @Sendable () -> PostgresConnection = {
        PostgresConnection(text, schema: schema)
      }
      func line(_ name: String, _ threads: Int) -> ConnectionLine<
        @Sendable (PostgresConnection) -> Void
      > {
        ConnectionLine(name: name, threads: threads, makeConnection: connect) {
          bodies, connection in
          for body in bodies { body(connection) }
        }
      }
      self.options = options
      calls = line("fieldstone.postgres", options.connections)
      renewals = line("fieldstone.postgres.renewals", 1)
      checkpoints = ConnectionLine(
        name: "fieldstone.postgres.checkpoints", threads: options.checkpointConnections,
        largestBatch: CheckpointBatch.largest, makeConnection: connect,
        perform: CheckpointBatch.perform)
      try await submit { try PostgresSchema.migrate($0, to: schema) }
    }

    deinit { end() }

    /// Waits for what is being written, and closes the connections.
    ///
    /// What is asked for afterwards throws `JournalError.closed`, and runners end with that. A journal
    /// that is released closes by itself.
    public func close() async {
      end()
      await calls.waitUntilEnded()
      await renewals.waitUntilEnded()
      await checkpoints.waitUntilEnded()
    }

    private func end() {
      calls.end()
      renewals.end()
      checkpoints.end()
    }

    /// Does something on a connection, also when the task that waits is cancelled.
    ///
    /// - Parameter isRepeatable: whether it is done again on another connection when the answer is
    ///   lost: it reads, or doing it twice is doing it once.
    func submit<Value: Sendable>(
      asRenewal: Bool = false, isRepeatable: Bool = false,
      _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
      let line = asRenewal ? renewals : calls
      return try await withCheckedThrowingContinuation { continuation in
        let isTaken = line.add { connection in
          continuation.resume(with: Result { try connection.use(isRepeatable: isRepeatable, body) })
        }
        if !isTaken { continuation.resume(throwing: JournalError.closed) }
      }
    }

    /// Does something in a transaction of its own.
    func transact<Value: Sendable>(
      isRepeatable: Bool = false, _ body: @escaping @Sendable (JournalStatements) throws -> Value
    ) async throws -> Value {
      try await submit(isRepeatable: isRepeatable) { session in
        try session.transaction { try body(JournalStatements(session: session)) }
      }
    }

    /// The first column of what a statement gives, for tests; what is NULL is left out.
    package func texts(_ sql: String) async throws -> [String] {
      try await submit { try $0.query(sql).rows.compactMap { $0.optionalText(0) } }
    }

    /// Makes a checkpoint, with others that wait.
    func commit(_ checkpoint: TimedCheckpoint) async throws {
      try await withCheckedThrowingContinuation { continuation in
        let isTaken = checkpoints.add(
          PendingCheckpoint(timed: checkpoint) { continuation.resume(with: $0) })
        if !isTaken { continuation.resume(throwing: JournalError.closed) }
      }
    }
  }
#endif
