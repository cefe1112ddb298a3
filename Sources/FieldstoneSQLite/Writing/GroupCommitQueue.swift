#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import GRDB

  /// Commits all waiting writes together; writes that arrive during a commit join the next one.
  ///
  /// It is not a `DeliveryLine`, because writes are taken in batches and a turn may wait for other
  /// processes.
  final class GroupCommitQueue: Sendable {
    private struct State {
      var waiting: [PendingWrite] = []
      /// Whether a turn is under way or scheduled.
      var isBusy = false
      var isEnded = false
      /// The time at which the gate was first found closed.
      var blockedSince: Duration?
      var nap = GroupCommitQueue.firstNap
      /// The connection that writes while it holds the gate.
      var writing: ObjectIdentifier?
      /// The runs that the batch's bodies have started or signalled.
      var touched: [RunID] = []
    }

    private let writer: any DatabaseWriter
    private let gate: FairInterprocessLock
    private let bound: WALSizeLimiter?
    private let identity: JournalFileIdentity
    private let patience: Duration
    private let time: TimeSource
    private let state = Locked(State())
    /// Called after the commit with the runs that the app's bodies have started or signalled.
    private let onTouch: @Sendable ([RunID]) -> Void

    /// The maximum batch size; it bounds the time that a writer waits.
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

    /// Performs a write, and returns after its commit.
    ///
    /// - Throws: the body's error; `JournalError` if the database fails.
    func submit<Result: Sendable>(
      as kind: PendingWrite.Kind = .any,
      _ body: @escaping @Sendable (JournalTransaction) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        add(
          PendingWrite(
            kind: kind,
            perform: { transaction in
              let result = try body(transaction)
              return { continuation.resume(returning: result) }
            },
            fail: { continuation.resume(throwing: $0) }))
      }
    }

    /// Refuses a connection that is not in a body of this queue.
    ///
    /// While the gate is held no other process writes, and after each commit the files are compared
    /// with those at the path.
    func checkWriting(in database: Database) throws(JournalError) {
      let isWriting = state.withLock { $0.writing == ObjectIdentifier(database) }
      guard isWriting, database.isInsideTransaction else { throw .notInWrite }
    }

    /// Records that a body has started or signalled a run.
    func touch(_ id: RunID) {
      state.withLock { $0.touched.append(id) }
    }

    var waitingWrites: Int { state.withLock { $0.waiting.count } }

    /// Refuses all later writes, and returns when the earlier ones are answered.
    func end() async {
      await withCheckedContinuation { continuation in
        add(
          PendingWrite(
            kind: .rows, perform: { _ in { continuation.resume() } },
            fail: { _ in continuation.resume() }), isLast: true)
      }
    }

    private func add(_ write: PendingWrite, isLast: Bool = false) {
      let (isRefused, isFirst) = state.withLock { state in
        if state.isEnded { return (true, false) }
        state.isEnded = isLast
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

    /// Takes one turn; the app's own writes run between turns.
    private func turn(_ database: Database) {
      guard gate.tryEnter(isPassing: hasBeenPolite) else { return waitForGate() }
      let batch = state.withLock { state in
        state.writing = ObjectIdentifier(database)
        state.nap = Self.firstNap
        let batch = Array(state.waiting.prefix(Self.largestBatch))
        state.waiting.removeFirst(batch.count)
        if state.blockedSince != nil {
          state.blockedSince = nil
          // The rest has this process before it now.
          for index in state.waiting.indices { state.waiting[index].blockedSince = nil }
        }
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
      // These may include rolled-back runs: a needless look does no harm.
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
        // Checked after the commit: a write that other processes can't find at the path must fail.
        try identity.check()
      } catch {
        return batch.map { write in { write.fail(error) } }
      }
      bound?.check(database)
      return answers
    }

    /// Whether this writer has waited long enough to overtake the process at the front.
    private var hasBeenPolite: Bool {
      guard let since = state.withLock({ $0.blockedSince }) else { return false }
      return time.uptime - since >= FairInterprocessLock.politeness(within: patience)
    }

    private func waitForGate() {
      let now = time.uptime
      let (nap, refused, goesOn) = state.withLock { state in
        state.blockedSince = state.blockedSince ?? now
        let nap = state.nap
        state.nap = min(nap * 2, Self.longestNap)
        // Each write has the whole patience, also one that comes late. The latest are at the end.
        for index in state.waiting.indices.reversed() {
          guard state.waiting[index].blockedSince == nil else { break }
          state.waiting[index].blockedSince = now
        }
        let refused = Array(
          state.waiting.prefix { now - ($0.blockedSince ?? now) >= patience })
        state.waiting.removeFirst(refused.count)
        if state.waiting.isEmpty {
          state.blockedSince = nil
          state.isBusy = false
        }
        return (nap, refused, state.isBusy)
      }
      if !goesOn { gate.giveUp() }
      for write in refused { write.fail(JournalError.unavailable("another process is writing")) }
      guard goesOn else { return }
      // An alarm instead of a task: a renewal must not wait for the thread pool, which stages may
      // block.
      time.alarm(atUptime: now + nap) { self.takeTurn() }
    }
  }
#endif
