#if SQLite
  public import FieldstoneCore
  package import FieldstoneDurable
  public import GRDB

  /// A journal in a SQLite database: on one machine, for any number of processes.
  ///
  /// ```swift
  /// let journal = try SQLiteJournal(path: "orders.sqlite")
  /// let runner = try DurableRunner(journal: journal, flows: flows)
  /// ```
  ///
  /// Writes that arrive during a commit share the next commit; a refused write rolls back only
  /// itself. Writers of different processes take turns with an operating-system lock on a file
  /// beside the database. That lock also keeps checkpoints of the write-ahead log apart from
  /// writes. Each worker with runs holds such a lock, too, while its process lives, so that the
  /// runs of a killed process are reclaimed at once.
  ///
  /// The database and the files beside it, whose names begin with its name, belong together; they
  /// need a local disk, not a network disk. The journal's files get the owner and the mode of the
  /// database. If the database or its log is deleted, moved or replaced, every later commit and
  /// read throws `JournalError.replaced`; a commit at that moment may be reported although no other
  /// process can find it. The journal's tables begin with `fieldstone_`. The app may have its own
  /// tables beside them (see ``SQLiteJournalOptions/joinsOtherTables``), and write them in the
  /// transaction of a checkpoint or with ``write(_:)``.
  public final class SQLiteJournal: Sendable {
    /// The path of the database, with symbolic links resolved.
    public let path: String

    /// The reads under way, which a close waits for.
    private struct Use {
      var isClosed = false
      var reads = 0
    }

    let options: SQLiteJournalOptions
    private let reader: any DatabaseReader
    private let line: GroupCommitQueue?
    private let identity: JournalFileIdentity
    private let workers: WorkerLocks
    private let ownsDatabase: Bool
    private let use = Locked(Use())
    private let readsEnded = OutcomePromise<Void>()
    private let closing = OutcomePromise<Void>()
    private let writeObservers: WriteObservers
    private let time: TimeSource

    /// Opens the journal in a file, and creates the file if it does not exist.
    ///
    /// The initialiser reads and may write before it returns. It waits for other processes up to
    /// ``SQLiteJournalOptions/busyTimeout``.
    ///
    /// - Parameters:
    ///   - path: the path of the database; its folder must exist.
    ///   - options: the journal's options.
    ///   - time: the clock for the time-outs of waits for other processes.
    /// - Throws: `JournalError.noJournal` if the file is something else, in which case nothing is
    ///   made beside it, `.newerSchema`, `.corrupt` and `.unavailable`.
    public convenience init(
      path: String, options: SQLiteJournalOptions = SQLiteJournalOptions(),
      time: TimeSource = .system
    ) throws {
      let file = try JournalFile(path)
      try file.check(options)
      let gate = try FairInterprocessLock(beside: file.path)
      let pool = try file.openToWrite(options, gate: gate)
      self.init(
        reader: pool, writer: pool, gate: gate,
        identity: JournalFileIdentity(at: file.path, opened: .toWrite), path: file.path,
        options: options, time: time, ownsDatabase: true)
    }

    /// Creates the journal in a database that the app has already opened.
    ///
    /// All writes of the app and the journal take turns on the database's one writer. Only writes
    /// with ``write(_:)`` take turns with other processes. The app decides how the database is
    /// synchronised and checkpointed; the journal sets nothing. GRDB opens a database in WAL mode
    /// with `synchronous = NORMAL`, after the closures of the configuration have run. With it a loss
    /// of power may undo the last commits, so raise it first:
    ///
    /// ```swift
    /// try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    /// let journal = try SQLiteJournal(in: pool)
    /// ```
    ///
    /// - Parameters:
    ///   - database: a database in a file, in WAL mode, with texts in UTF-8 as SQLite makes them.
    ///   - options: the journal's options; ``SQLiteJournalOptions/durability`` and `maximumReaders`
    ///     have no effect.
    ///   - time: the clock for the time-outs of waits for other processes.
    /// - Throws: `JournalError`, as for a path.
    public convenience init(
      in database: any DatabaseWriter, options: SQLiteJournalOptions = SQLiteJournalOptions(),
      time: TimeSource = .system
    ) throws {
      let file = try JournalFile(database.path)
      let gate = try FairInterprocessLock(beside: file.path)
      try file.prepare(database, joinsOtherTables: true, options, gate: gate)
      self.init(
        reader: database, writer: database, gate: gate,
        identity: JournalFileIdentity(at: file.path, opened: .toWrite), path: file.path,
        options: options, time: time, ownsDatabase: false)
    }

    /// Opens another process's journal read-only: it writes nothing and takes no writer's lock.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - options: the journal's options.
    /// - Returns: a journal whose writes throw `JournalError.unavailable`.
    /// - Throws: `JournalError.noJournal` if there is none, `.newerSchema`, `.corrupt` and
    ///   `.unavailable`.
    public static func reader(
      path: String, options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) throws -> SQLiteJournal {
      let file = try JournalFile(path)
      let (reader, identity) = try file.openToRead(options)
      return SQLiteJournal(
        reader: reader, writer: nil, gate: nil, identity: identity, path: file.path,
        options: options, time: .system, ownsDatabase: true)
    }

    private init(
      reader: any DatabaseReader, writer: (any DatabaseWriter)?, gate: FairInterprocessLock?,
      identity: JournalFileIdentity, path: String, options: SQLiteJournalOptions, time: TimeSource,
      ownsDatabase: Bool
    ) {
      self.path = path
      self.identity = identity
      self.options = options
      self.reader = reader
      self.ownsDatabase = ownsDatabase
      self.time = time
      workers = WorkerLocks(beside: path)
      let observers = WriteObservers()
      writeObservers = observers
      if let writer, let gate {
        let bound = ownsDatabase ? WALSizeLimiter(path: path, limit: options.logLimit) : nil
        line = GroupCommitQueue(
          writer: writer, gate: gate, bound: bound, identity: identity,
          patience: options.busyTimeout, time: time, onTouch: { observers.notify($0) })
      } else {
        line = nil
      }
    }

    deinit {
      // A closed journal has no connection any more.
      if !use.withLock({ $0.isClosed }) { leaveOtherFilesAlone() }
    }

    /// Waits for pending writes, closes the database, and releases the workers' locks.
    ///
    /// If no other connection is open, all data is then in the one file, without a write-ahead log.
    /// Later calls throw `JournalError.closed`, which ends runners. A deallocated journal closes
    /// itself. The app's own database stays open. A second call waits for the first and has the
    /// same result.
    ///
    /// - Throws: `JournalError`.
    public func close() async throws {
      let (wasClosed, isIdle) = use.withLock { use in
        defer { use.isClosed = true }
        return (use.isClosed, use.reads == 0)
      }
      if !wasClosed {
        if isIdle { readsEnded.end(with: .success(())) }
        do {
          try await closeFiles()
          closing.end(with: .success(()))
        } catch {
          closing.end(with: .failure(error))
        }
      }
      try await closing.outcome.get()
    }

    private func closeFiles() async throws {
      await line?.end()
      // GRDB's own barrier does not wait for reads that have no connection yet.
      _ = await readsEnded.outcome
      workers.release()
      guard ownsDatabase else { return }
      // The writer closes last: SQLite removes the log only if the last connection can write.
      if let pool = reader as? DatabasePool {
        // An answered read may still hold its connection.
        try mappingErrors { try pool.barrierWriteWithoutTransaction { _ in } }
        pool.invalidateReadOnlyConnections()
      }
      leaveOtherFilesAlone()
      try mappingErrors { try reader.close() }
    }

    /// Runs before the database is closed: SQLite must not remove another journal's log that is at
    /// the path by now.
    private func leaveOtherFilesAlone() {
      guard ownsDatabase, let writer = reader as? any DatabaseWriter, identity.isReplaced else {
        return
      }
      identity.keepLog(of: writer)
    }

    /// Runs the journal's statements in a transaction, alone or with other writes.
    func transact<Result: Sendable>(
      as kind: PendingWrite.Kind = .rows,
      _ body: @escaping @Sendable (JournalTransaction) throws -> Result
    ) async throws -> Result {
      try await openLine().submit(as: kind, body)
    }

    /// Reads a snapshot.
    ///
    /// The read ignores cancellation, because a runner parks runs while it shuts down.
    func read<Result: Sendable>(
      _ body: @escaping @Sendable (JournalTransaction) throws -> Result
    ) async throws -> Result {
      let isOpen = use.withLock { use in
        if !use.isClosed { use.reads += 1 }
        return !use.isClosed
      }
      guard isOpen else { throw JournalError.closed }
      return try await withCheckedThrowingContinuation { continuation in
        reader.asyncRead { [self] database in
          let result = Swift.Result {
            let result = Swift.Result {
              try mappingErrors {
                let database = try database.get()
                if line == nil { try JournalSchema.showMigrated(database) }
                return try body(JournalTransaction(database: database))
              }
            }
            // Checked first, because it may be the reason why the read failed.
            try identity.check()
            return try result.get()
          }
          endRead()
          continuation.resume(with: result)
        }
      }
    }

    private func endRead() {
      let isLast = use.withLock { use in
        use.reads -= 1
        return use.isClosed && use.reads == 0
      }
      if isLast { readsEnded.end(with: .success(())) }
    }

    /// The number of writes that wait for a commit that has not begun.
    package var waitingWrites: Int { line?.waitingWrites ?? 0 }

    func openLine() throws(JournalError) -> GroupCommitQueue {
      guard let line else { throw .unavailable("it was opened to be read only") }
      guard !use.withLock({ $0.isClosed }) else { throw .closed }
      return line
    }

    /// The clocks for the app's own transactions; they take no lease, so the boot does not matter.
    var ownTime: JournalTime { JournalTime(time, boot: "") }

    /// Observes the runs that the app's own transactions start or signal, after the commit.
    package func observeOwnWrites(
      _ body: @escaping @Sendable ([RunID]) -> Void
    ) -> Registration {
      writeObservers.add(body)
    }

    /// The locks of the workers.
    var workerLocks: WorkerLocks { workers }
  }
#endif
