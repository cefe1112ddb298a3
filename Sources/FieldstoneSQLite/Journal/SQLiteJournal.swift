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
  /// Writes that come while another is being committed share the next commit: one that is refused
  /// undoes nothing but itself. Between processes the writers take
  /// turns by a lock of the system on a file beside the database, which also keeps checkpoints of the
  /// write-ahead log apart from writes. Each worker with runs holds such a lock, too, for as
  /// long as its process lives, so that the runs of one that was killed are taken over at once.
  ///
  /// The database and the files beside it, whose names begin with its name, belong together; they
  /// are for a local disk, not for one on the network. Files that the journal makes have the owner
  /// and the mode of the database. When the database or its log is deleted, moved or replaced
  /// meanwhile, every later commit and read throws `JournalError.replaced`; a commit that is under
  /// way at that moment may be reported although no other process can find it. The tables of the journal begin with
  /// `fieldstone_`; the app may have its own tables beside them (see
  /// ``SQLiteJournalOptions/joinsOtherTables``), and write them in the transaction of a checkpoint or
  /// by ``write(_:)``.
  public final class SQLiteJournal: Sendable {
    /// The path of the database, without links.
    public let path: String

    let options: SQLiteJournalOptions
    private let reader: any DatabaseReader
    private let line: GroupCommitQueue?
    private let identity: JournalFileIdentity
    private let workers: WorkerLocks
    private let ownsDatabase: Bool
    private let isClosed = Locked(false)
    private let closing = OutcomePromise<Void>()
    private let writeObservers: WriteObservers
    private let time: TimeSource

    /// Opens the journal in a file, and makes it where there is none.
    ///
    /// It reads and may write before it returns, and waits for other processes as long as the
    /// options say.
    ///
    /// - Parameters:
    ///   - path: the path of the database; its folder must be there.
    ///   - options: how it works.
    ///   - time: by what it waits for other processes.
    /// - Throws: `JournalError.noJournal` when the file is something else, `.newerSchema`, `.corrupt`
    ///   and `.unavailable`.
    public convenience init(
      path: String, options: SQLiteJournalOptions = SQLiteJournalOptions(),
      time: TimeSource = .system
    ) throws {
      let file = try JournalFile(path)
      let gate = try FairInterprocessLock(beside: file.path)
      let pool = try file.openToWrite(options, gate: gate)
      self.init(
        reader: pool, writer: pool, gate: gate,
        identity: JournalFileIdentity(at: file.path, opened: .toWrite), path: file.path,
        options: options, time: time, ownsDatabase: true)
    }

    /// Puts the journal into a database that the app has open already.
    ///
    /// The app's own writes and the journal's take turns on its one writer; with those of other
    /// processes only writes by ``write(_:)`` do. How the database is
    /// synchronised and checkpointed is then the app's affair: the journal sets nothing, so give its
    /// configuration `PRAGMA synchronous = FULL`.
    ///
    /// - Parameters:
    ///   - database: a database in a file, in WAL mode.
    ///   - options: how it works; ``SQLiteJournalOptions/durability`` and `maximumReaders` have no
    ///     effect.
    ///   - time: by what it waits for other processes.
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

    /// Opens the journal of another process to look at it: nothing is written and no lock of a
    /// writer is taken.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - options: how it works.
    /// - Returns: a journal whose writes throw `JournalError.unavailable`.
    /// - Throws: `JournalError.noJournal` when there is none, `.newerSchema`, `.corrupt` and
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
      // One that was closed has no connection any more.
      if !isClosed.withLock({ $0 }) { leaveOtherFilesAlone() }
    }

    /// Waits for what is being written, closes the database, and lets go of the workers' locks.
    ///
    /// If no other connection is open, all is then in the one file, and the write-ahead log is gone.
    /// What is asked for afterwards throws `JournalError.closed`, and runners end with that. A journal
    /// that is released closes by itself. A database of the app's own stays open. Closed again, it
    /// waits for the first close, and ends as that does.
    ///
    /// - Throws: `JournalError`.
    public func close() async throws {
      let wasClosed = isClosed.withLock { isClosed in
        defer { isClosed = true }
        return isClosed
      }
      if !wasClosed {
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
      // Writes that came before are answered before.
      _ = try? await line?.submit { _ in }
      line?.end()
      workers.release()
      guard ownsDatabase else { return }
      // Before the writer: SQLite empties the log only when the last to close is one that can write.
      if let pool = reader as? DatabasePool {
        // An answered read may still have its connection.
        try mappingErrors { try pool.barrierWriteWithoutTransaction { _ in } }
        pool.invalidateReadOnlyConnections()
      }
      leaveOtherFilesAlone()
      try mappingErrors { try reader.close() }
    }

    /// Before the database is closed: SQLite must not remove the log of another journal that stands
    /// at the path by now.
    private func leaveOtherFilesAlone() {
      guard ownsDatabase, let writer = reader as? any DatabaseWriter, identity.isReplaced else {
        return
      }
      identity.keepLog(of: writer)
    }

    /// Writes what is the journal's in a transaction, alone or with others.
    ///
    /// - Parameter hasOwnWrites: whether something of the app's is written with it.
    func transact<Result: Sendable>(
      hasOwnWrites: Bool = false,
      _ body: @escaping @Sendable (JournalTransaction) throws -> Result
    ) async throws -> Result {
      let line = try openLine()
      return try await line.submit(changesRowsOnly: !hasOwnWrites) {
        try body(JournalTransaction(database: $0))
      }
    }

    /// Reads the state of one moment.
    ///
    /// A cancelled task reads all the same: a runner that parks runs while it is shut down needs it.
    func read<Result: Sendable>(
      _ body: @escaping @Sendable (JournalTransaction) throws -> Result
    ) async throws -> Result {
      guard !isClosed.withLock({ $0 }) else { throw JournalError.closed }
      return try await withCheckedThrowingContinuation { [identity] continuation in
        reader.asyncRead { database in
          continuation.resume(
            with: Swift.Result {
              let result = Swift.Result {
                try mappingErrors { try body(JournalTransaction(database: database.get())) }
              }
              // First, for it may be the reason why the database can't be read.
              try identity.check()
              return try result.get()
            })
        }
      }
    }

    /// How many writes wait for a commit that has not begun.
    package var waitingWrites: Int { line?.waitingWrites ?? 0 }

    func openLine() throws(JournalError) -> GroupCommitQueue {
      guard let line else { throw .unavailable("it was opened to be read only") }
      guard !isClosed.withLock({ $0 }) else { throw .closed }
      return line
    }

    /// The clocks for what an app's own transaction does; it takes no lease, so the boot does not count.
    var ownTime: JournalTime { JournalTime(time, boot: "") }

    /// Hears of the runs that an app's own transactions have started or signalled, after the commit.
    package func observeOwnWrites(
      _ body: @escaping @Sendable ([RunID]) -> Void
    ) -> Registration {
      writeObservers.add(body)
    }

    /// The locks of the workers.
    var workerLocks: WorkerLocks { workers }
  }
#endif
