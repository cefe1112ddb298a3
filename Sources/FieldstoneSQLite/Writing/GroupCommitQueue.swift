#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import GRDB

  /// Takes all writes that wait into one commit: what comes while one is under way goes into the
  /// next.
  ///
  /// It is no `DeliveryLine`: writes are taken by the batch, and a turn may wait for other processes.
  final class GroupCommitQueue: Sendable {
    private struct State {
      var waiting: [PendingWrite] = []
      /// Whether a turn is under way, or comes by itself.
      var isBusy = false
      var isEnded = false
      /// When the gate was found closed.
      var blockedSince: Duration?
      var nap = GroupCommitQueue.firstNap
      /// The connection that writes behind the gate.
      var writing: ObjectIdentifier?
      /// The runs that its bodies have started or signalled.
      var touched: [RunID] = []
    }

    private let writer: any DatabaseWriter
    private let gate: FairInterprocessLock
    private let bound: WALSizeLimiter?
    private let identity: JournalFileIdentity
    private let patience: Duration
    private let time: TimeSource
    private let state = Locked(State())
    /// Called with the runs that an app's bodies have started or signalled, after the commit.
    private let onTouch: @Sendable ([RunID]) -> Void

    /// More than these go into the next commit, so that no writer waits for very many.
    private static let largestBatch = 512
    private static let firstNap = Duration.microseconds(100)
    private static let longestNap = Duration.milliseconds(4)

    init(
      writer: any DatabaseWriter, gate: FairInterprocessLock, bound: WALSizeLimiter?,
      identity: JournalFileIdentity, patience: Duration, time: TimeSource,
      onTouch: @escaping @Sendable ([RunID]) -> Void
    ) {
      self.writer = writer
      self.gate = gate
      self.bound = bound
      self.identity = identity
      self.patience = patience
      self.time = time
      self.onTouch = onTouch
    }

    /// Writes, and returns once it is committed.
    ///
    /// - Parameter changesRowsOnly: see ``PendingWrite/changesRowsOnly``.
    /// - Throws: what the body throws; `JournalError` when the database fails.
    func submit<Result: Sendable>(
      changesRowsOnly: Bool = false,
      _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        add(
          PendingWrite(
            changesRowsOnly: changesRowsOnly,
            perform: { database in
              let result = try body(database)
              return { continuation.resume(returning: result) }
            },
            fail: { continuation.resume(throwing: $0) }))
      }
    }

    /// Refuses a connection that is not within a body of this queue.
    ///
    /// Behind the gate no other process writes, and after each commit the files are compared with
    /// those at the path.
    func checkWriting(in database: Database) throws(JournalError) {
      let isWriting = state.withLock { $0.writing == ObjectIdentifier(database) }
      guard isWriting, database.isInsideTransaction else { throw .notInWrite }
    }

    /// A body has started or signalled a run.
    func touch(_ id: RunID) {
      state.withLock { $0.touched.append(id) }
    }

    var waitingWrites: Int { state.withLock { $0.waiting.count } }

    /// Refuses what comes from now on.
    func end() {
      state.withLock { $0.isEnded = true }
    }

    private func add(_ write: PendingWrite) {
      let (isRefused, isFirst) = state.withLock { state in
        if state.isEnded { return (true, false) }
        state.waiting.append(write)
        defer { state.isBusy = true }
        return (false, !state.isBusy)
      }
      if isRefused { write.fail(JournalError.closed) }
      if isFirst { takeTurn() }
    }

    private func takeTurn() {
      writer.asyncWriteWithoutTransaction { self.turn($0) }
    }

    /// A turn at a time: an app's own writes come in between.
    private func turn(_ database: Database) {
      guard gate.tryEnter(isPassing: hasBeenPolite) else { return waitForGate() }
      let batch = state.withLock { state in
        state.writing = ObjectIdentifier(database)
        state.blockedSince = nil
        state.nap = Self.firstNap
        let batch = Array(state.waiting.prefix(Self.largestBatch))
        state.waiting.removeFirst(batch.count)
        return batch
      }
      let answers = commit(batch, in: database)
      let touched = state.withLock { state in
        state.writing = nil
        defer { state.touched = [] }
        return state.touched
      }
      gate.leave()
      for answer in answers { answer() }
      // Also those that were rolled back: a look more does no harm.
      if !touched.isEmpty { onTouch(touched) }
      let goesOn = state.withLock { state in
        state.isBusy = !state.waiting.isEmpty
        return state.isBusy
      }
      if goesOn { takeTurn() }
    }

    /// - Returns: closures that answer the waiting writers.
    private func commit(_ batch: [PendingWrite], in database: Database) -> [() -> Void] {
      let answers = Commit(database: database).run(batch)
      do throws(JournalError) {
        // After the commit: a write that other processes can't find at the path is not reported.
        try identity.check()
      } catch {
        return batch.map { write in { write.fail(error) } }
      }
      bound?.check(database)
      return answers
    }

    /// Whether it has waited so long that it need not wait for the writer in front.
    private var hasBeenPolite: Bool {
      guard let since = state.withLock({ $0.blockedSince }) else { return false }
      return time.uptime - since >= FairInterprocessLock.politeness(within: patience)
    }

    private func waitForGate() {
      let now = time.uptime
      let (nap, refused) = state.withLock { state in
        let since = state.blockedSince ?? now
        state.blockedSince = since
        let nap = state.nap
        state.nap = min(nap * 2, Self.longestNap)
        guard now - since >= patience else { return (nap, [PendingWrite]()) }
        defer {
          state.waiting = []
          state.blockedSince = nil
          state.isBusy = false
        }
        return (nap, state.waiting)
      }
      guard refused.isEmpty else {
        gate.giveUp()
        for write in refused { write.fail(JournalError.unavailable("another process is writing")) }
        return
      }
      // Not by a task: a renewal must not wait for the pool that stages may block.
      time.alarm(atUptime: now + nap) { self.takeTurn() }
    }
  }
#endif
