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
  /// Checkpoints that arrive during a commit share the next statement; a refused checkpoint rolls
  /// back only itself. Renewals have a separate connection, so that a busy journal loses no lease.
  /// A lost connection is opened again with the next call. Calls that were under way throw
  /// `JournalError.unavailable`, and runners look up whether they were committed before they repeat
  /// them. A write is never cancelled.
  ///
  /// Waits and leases use the server's clock; the workers' clocks decide nothing but the dates that
  /// stages make of them. A change of the server's clock repeats or delays work, and breaks no chain.
  public final class PostgresJournal: Sendable {
    /// What opening the journal may change.
    package enum Access: Sendable {
      /// Creates the tables if they do not exist, and migrates them to this code's schema.
      case making
      /// Uses the existing tables.
      case existing
      /// Reads the existing tables; a standby works, too.
      case reading
    }

    package let options: PostgresJournalOptions
    /// A call on a connection; the closure says that the connection is needed no more.
    typealias Call = @Sendable (PostgresConnection, () -> Void) -> Void

    private let calls: ConnectionLine<Call>
    /// The calls and checkpoints that need a lock which another transaction keeps; they take turns.
    private let waits: ConnectionLine<Call>
    private let renewals: ConnectionLine<Call>
    private let checkpoints: ConnectionLine<PendingCheckpoint>
    let wakeUps: WakeUps
    /// The runs of claims whose commit was not answered, by worker; its next claim releases them.
    let unansweredClaims = Locked<[String: [RunClaim]]>([:])
    /// The last announcements of this process's workers, by their names.
    let announcements = Locked<[String: Announcement]>([:])
    let pauseWaits = Locked(PauseWaits())

    /// A worker's last announcement.
    struct Announcement {
      /// By the server's clock.
      var date: Date
      /// Whether another worker has announced itself by the same name since.
      var isDuplicate = false
    }

    /// The waits of claims for the lock of the pauses.
    ///
    /// An app's transaction may keep it for minutes, and each claim would wait for the same pauses.
    struct PauseWaits {
      /// When the last one began.
      private var last: Duration?

      /// Begins a wait, unless another one began less than a second before.
      mutating func isTurn(at uptime: Duration) -> Bool {
        if let last, last <= uptime, uptime < last + .seconds(1) { return false }
        last = uptime
        return true
      }
    }

    /// Connects, and creates the journal's tables or migrates them to this code's schema.
    ///
    /// The server must be PostgreSQL 13 or newer, and not a standby. Beyond the loopback address
    /// the connection is encrypted and the server's certificate verified, unless `sslmode` says
    /// otherwise.
    ///
    /// - Parameters:
    ///   - connection: a connection string for libpq, a URL or `host=… dbname=…`, also with several
    ///     hosts. Keep the password in `PGPASSWORD` or `~/.pgpass`; no error ever contains it.
    ///   - options: the journal's options.
    /// - Throws: `JournalError.unavailable` if the server is unreachable or refuses,
    ///   `.newerSchema`, `.noJournal` if the schema holds other tables or can't have its name,
    ///   `.notPermitted` if the role lacks a right, and `.corrupt`.
    public convenience init(
      _ connection: String, options: PostgresJournalOptions = PostgresJournalOptions()
    ) async throws {
      try await self.init(connection, options: options, serverClock: nil)
    }

    /// Connects, with a replacement for the server's clock: for tests.
    package init(
      _ connection: String, options: PostgresJournalOptions, access: Access = .making,
      time: TimeSource = .system, serverClock: (@Sendable () -> Date)?
    ) async throws {
      try PostgresSchema.check(name: options.schema)
      let text = try ConnectionText(connection, isReading: access == .reading)
      let schema = options.schema
      func connect(_ lockWait: LockWait) -> @Sendable () -> PostgresConnection {
        {
          PostgresConnection(
            text, schema: schema, isPooled: options.isPooled, lockWait: lockWait,
            clock: serverClock)
        }
      }
      func line(
        _ name: String, _ threads: Int, _ lockWait: LockWait = .short
      ) -> ConnectionLine<Call> {
        ConnectionLine(name: name, threads: threads, makeConnection: connect(lockWait)) {
          calls, connection, free in
          for call in calls { call(connection, free) }
        }
      }
      self.options = options
      calls = line("fieldstone.postgres", options.connections)
      waits = line("fieldstone.postgres.waits", 2, .long)
      renewals = line("fieldstone.postgres.renewals", 1)
      checkpoints = ConnectionLine(
        name: "fieldstone.postgres.checkpoints", threads: options.checkpointConnections,
        largestBatch: CheckpointBatch.largest, heaviestBatch: CheckpointBatch.mostBytes,
        weight: { $0.timed.checkpoint.next.payload.count }, makeConnection: connect(.short),
        perform: CheckpointBatch.perform)
      // A pooler gives the listening session to other clients, and a standby has no notifications.
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

    deinit {
      end()
      waits.end()
    }

    /// Waits for pending writes, and closes the connections.
    ///
    /// Later calls throw `JournalError.closed`, which ends runners. Calls that wait for a lock of
    /// another transaction are tried once more. If the lock is still held they throw it, too, and
    /// have changed nothing. A deallocated journal closes itself.
    public func close() async {
      end()
      await wakeUps.waitUntilEnded()
      await calls.waitUntilEnded()
      await renewals.waitUntilEnded()
      await checkpoints.waitUntilEnded()
      // What the others have found locked.
      waits.end()
      await waits.waitUntilEnded()
    }

    private func end() {
      wakeUps.end()
      calls.end()
      renewals.end()
      checkpoints.end()
    }

    /// Performs work on a connection; cancelling the waiting task does not stop it.
    ///
    /// - Parameter isRepeatable: whether the work is repeated on another connection if the answer
    ///   is lost: it only reads, or it is idempotent.
    func submit<Value: Sendable>(
      asRenewal: Bool = false, isRepeatable: Bool = false,
      _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
      let make: @Sendable (PostgresConnection) throws -> Value = {
        try $0.use(isRepeatable: isRepeatable, body)
      }
      return try await withCheckedThrowingContinuation { continuation in
        (asRenewal ? renewals : calls).perform(make, retryingIn: waits) {
          continuation.resume(with: $0)
        }
      }
    }

    /// Performs work in a transaction of its own.
    func transact<Value: Sendable>(
      isRepeatable: Bool = false, _ body: @escaping @Sendable (JournalStatements) throws -> Value
    ) async throws -> Value {
      try await submit(isRepeatable: isRepeatable) { session in
        try session.transaction { try body(JournalStatements(session: session)) }
      }
    }

    /// The first column of a statement's result, without NULLs; for tests.
    package func texts(_ sql: String) async throws -> [String] {
      try await submit { try $0.query(sql).rows.compactMap { $0.optionalText(0) } }
    }

    /// The number of calls that wait for a connection; for tests.
    package var waitingCalls: Int { calls.waiting }

    /// The number of checkpoints that wait for a connection; for tests.
    package var waitingCheckpoints: Int { checkpoints.waiting }

    /// The number of calls and checkpoints that wait for their turn to wait for a lock; for tests.
    package var waitingForLocks: Int { waits.waiting }

    /// Commits a checkpoint, together with other waiting ones.
    func commit(_ checkpoint: TimedCheckpoint) async throws -> CheckpointReceipt {
      try await withCheckedThrowingContinuation { continuation in
        let limits = limits
        let pending = PendingCheckpoint(timed: checkpoint, limits: limits) { [waits] result in
          guard result.isLockHeld else { return continuation.resume(with: result) }
          let make: @Sendable (PostgresConnection) throws -> CheckpointReceipt = {
            try CheckpointBatch.perform(checkpoint, within: limits, $0)
          }
          waits.perform(make, retryingIn: waits) { continuation.resume(with: $0) }
        }
        if !checkpoints.add(pending) { continuation.resume(throwing: JournalError.closed) }
      }
    }
  }

  extension ConnectionLine where Work == PostgresJournal.Call {
    /// Performs a call, and answers it once.
    ///
    /// A call that has found a lock held goes to the end of another line, as often as needed, until
    /// that line has ended. The thread that has found the lock puts it there: the line of that thread
    /// does not end before, so that closing loses no call.
    fileprivate func perform<Value: Sendable>(
      _ make: @escaping @Sendable (PostgresConnection) throws -> Value,
      retryingIn waits: ConnectionLine,
      _ answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      let isTaken = add { connection, free in
        let result = Result { try make(connection) }
        free()
        if result.isLockHeld {
          waits.perform(make, retryingIn: waits, answer)
        } else {
          answer(result)
        }
      }
      if !isTaken { answer(.failure(JournalError.closed)) }
    }
  }

  extension Result where Failure == any Error {
    /// Whether the call was rolled back because of the lock of another transaction.
    fileprivate var isLockHeld: Bool {
      if case .failure(let error) = self { error is LockHeld } else { false }
    }
  }
#endif
