#if PostgreSQL
  package import FieldstoneCore
  import FieldstoneDurable
  package import Foundation

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
  /// Waits and leases go by the server's clock, those of the workers decide nothing. A server whose
  /// clock is set makes work repeat or wait, and breaks no chain.
  public final class PostgresJournal: Sendable {
    /// What opening it may do.
    package enum Access: Sendable {
      /// Makes the tables where there are none, and brings them to what this code knows.
      case making
      /// Works in the tables that are there.
      case existing
      /// Reads the tables that are there; a standby can be asked, too.
      case reading
    }

    package let options: PostgresJournalOptions
    private let calls: ConnectionLine<@Sendable (PostgresConnection) -> Void>
    private let renewals: ConnectionLine<@Sendable (PostgresConnection) -> Void>
    private let checkpoints: ConnectionLine<PendingCheckpoint>
    let wakeUps: WakeUps
    /// What claims have taken whose commit had no answer; the next claim gives it back.
    let unansweredClaims = Locked<[RunClaim]>([])

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
    public convenience init(
      _ connection: String, options: PostgresJournalOptions = PostgresJournalOptions()
    ) async throws {
      try await self.init(connection, options: options, serverClock: nil)
    }

    /// Connects, with something else for the server's clock: for tests.
    package init(
      _ connection: String, options: PostgresJournalOptions, access: Access = .making,
      time: TimeSource = .system, serverClock: (@Sendable () -> Date)?
    ) async throws {
      let text = try ConnectionText(connection, isReading: access == .reading)
      let schema = options.schema
      let connect: @Sendable () -> PostgresConnection = {
        PostgresConnection(
          text, schema: schema, isPooled: options.isPooled, clock: serverClock)
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
      // A pooler gives the session that listens to others, and a standby has no notifications.
      let listen: @Sendable () throws -> PostgresSession = {
        try PostgresSession(text, schema: schema)
      }
      wakeUps = WakeUps(
        calls: calls, time: time,
        connect: options.isPooled || access == .reading ? nil : listen)
      try await submit { session in
        if access == .making {
          try PostgresSchema.migrate(session, to: schema)
        } else {
          try PostgresSchema.require(session, in: schema)
        }
      }
    }

    deinit { end() }

    /// Waits for what is being written, and closes the connections.
    ///
    /// What is asked for afterwards throws `JournalError.closed`, and runners end with that. A journal
    /// that is released closes by itself.
    public func close() async {
      end()
      await wakeUps.waitUntilEnded()
      await calls.waitUntilEnded()
      await renewals.waitUntilEnded()
      await checkpoints.waitUntilEnded()
    }

    private func end() {
      wakeUps.end()
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

    /// How many checkpoints wait for a connection, for tests.
    package var waitingCheckpoints: Int { checkpoints.waiting }

    /// Makes a checkpoint, with others that wait.
    func commit(_ checkpoint: TimedCheckpoint) async throws -> CheckpointReceipt {
      try await withCheckedThrowingContinuation { continuation in
        let isTaken = checkpoints.add(
          PendingCheckpoint(timed: checkpoint, limits: limits) { continuation.resume(with: $0) })
        if !isTaken { continuation.resume(throwing: JournalError.closed) }
      }
    }
  }
#endif
