#if PostgreSQL
  import FieldstoneDurable

  /// A checkpoint that waits for its commit.
  struct PendingCheckpoint: Sendable {
    let timed: TimedCheckpoint
    let limits: PayloadLimits
    let answer: @Sendable (Result<CheckpointReceipt, any Error>) -> Void
  }

  /// Commits a batch of checkpoints together, or one by one if that fails.
  enum CheckpointBatch {
    /// The maximum batch size; it bounds the time that a writer waits.
    static let largest = 256
    /// The maximum size of the next stages, except that of a single checkpoint.
    ///
    /// It bounds the memory, which holds them several times. Children and other starts do not count.
    static let mostBytes = StartBatch.mostBytes

    /// - Parameter free: called when only answers are left.
    static func perform(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection, free: () -> Void
    ) {
      // A stage's own writes, starts and signals may fail, and then roll back only its own
      // checkpoint.
      let own = batch.filter { $0.timed.checkpoint.doesMore }
      let shared = batch.filter { !$0.timed.checkpoint.doesMore }
      var loss: JournalError?
      if !shared.isEmpty {
        loss = performTogether(shared, connection) { if own.isEmpty { free() } }
      }
      performEach(own, connection, unless: loss) {
        try perform($0.timed, within: $0.limits, connection)
      }
    }

    /// - Parameter isSecond: whether a lock of another transaction has refused the batch before; then
    ///   its checkpoints that need such a lock are left out.
    /// - Returns: the error that broke the connection, if one did.
    @discardableResult
    private static func performTogether(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection, isSecond: Bool = false,
      willAnswer: () -> Void
    ) -> JournalError? {
      do {
        let results =
          try isSecond ? unlocked(batch, connection) : checkpoints(batch, connection)
        willAnswer()
        for (pending, result) in zip(batch, results) { pending.answer(result) }
        return nil
      } catch {
        // One checkpoint is at fault, or together they exceed a resource: one by one shows which.
        // If the answer was lost they are not repeated, because they may have been committed.
        // Each wait for a lock holds up all others, so a batch waits twice at most.
        let isLocked = error is LockHeld
        guard batch.count > 1, connection.isOpen, !isLocked || !isSecond else {
          for checkpoint in batch { checkpoint.answer(.failure(error)) }
          return loss(by: error, connection)
        }
        if isLocked {
          return performTogether(batch, connection, isSecond: true, willAnswer: willAnswer)
        }
        return performEach(batch, connection) {
          try perform($0.timed, within: $0.limits, connection)
        }
      }
    }

    /// Performs the checkpoints one by one until the connection is lost.
    ///
    /// The rest is not tried, because each could wait for an unreachable server. Once a lock was
    /// held, those that need such a lock are not tried either.
    @discardableResult
    private static func performEach(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection,
      unless loss: JournalError? = nil, _ body: (PendingCheckpoint) throws -> CheckpointReceipt
    ) -> JournalError? {
      var loss = loss
      var rest = batch[...]
      while let pending = rest.popFirst() {
        if let loss {
          pending.answer(.failure(loss))
          continue
        }
        do { pending.answer(.success(try body(pending))) } catch {
          loss = Self.loss(by: error, connection)
          if error is LockHeld, loss == nil { rest = answerLocked(rest, connection) }
          pending.answer(.failure(error))
        }
      }
      return loss
    }

    /// Answers the checkpoints that need a lock which another transaction has.
    ///
    /// - Returns: the others.
    private static func answerLocked(
      _ batch: ArraySlice<PendingCheckpoint>, _ connection: PostgresConnection
    ) -> ArraySlice<PendingCheckpoint> {
      guard !batch.isEmpty,
        let free = try? connection.use({
          try JournalStatements(session: $0).lockFree(batch.map(\.timed))
        })
      else { return batch }
      var others: [PendingCheckpoint] = []
      for (pending, isFree) in zip(batch, free) {
        if isFree { others.append(pending) } else { pending.answer(.failure(LockHeld())) }
      }
      return others[...]
    }

    private static func loss(
      by error: any Error, _ connection: PostgresConnection
    ) -> JournalError? {
      if connection.isOpen { return nil }
      if let error = error as? JournalError, error.isTransient { return error }
      return .unavailable("the connection was lost")
    }

    private typealias Results = [Result<CheckpointReceipt, any Error>]

    private static func checkpoints(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection
    ) throws -> Results {
      let made = try connection.use {
        try JournalStatements(session: $0).checkpoints(batch.map(\.timed))
      }
      return batch.indices.map { place in
        made[place].map { .success($0) } ?? .failure(batch[place].timed.lost)
      }
    }

    /// Commits the checkpoints that need no lock which another transaction has, together.
    private static func unlocked(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection
    ) throws -> Results {
      let timed = batch.map(\.timed)
      return try connection.use { session in
        try session.transaction {
          let statements = JournalStatements(session: session)
          let free = try statements.lockFree(timed)
          let places = timed.indices.filter { free[$0] }
          let made = try places.isEmpty ? [:] : statements.checkpoints(places.map { timed[$0] })
          var results: Results = timed.map { _ in .failure(LockHeld()) }
          for (number, place) in places.enumerated() {
            results[place] = made[number].map { .success($0) } ?? .failure(timed[place].lost)
          }
          return results
        }
      }
    }

    /// Commits a checkpoint by itself.
    static func perform(
      _ timed: TimedCheckpoint, within limits: PayloadLimits, _ connection: PostgresConnection
    ) throws -> CheckpointReceipt {
      let checkpoint = timed.checkpoint
      return try connection.use { session in
        let statements = JournalStatements(session: session)
        guard checkpoint.doesMore else {
          guard let receipt = try statements.checkpoints([timed])[0] else { throw timed.lost }
          return receipt
        }
        return try session.transaction {
          // Locked before the run: a transaction that pauses a key holds this lock and waits for
          // runs.
          if checkpoint.startsKeys { try statements.lockPauses(asReader: true) }
          guard let receipt = try statements.checkpoints([timed])[0] else { throw timed.lost }
          try statements.startChildren(checkpoint, within: limits)
          for start in checkpoint.starts { _ = try statements.start(start) }
          for signal in checkpoint.signals {
            _ = try statements.signal(signal.run, signal.signal)
          }
          for write in checkpoint.writes {
            try session.performOwn { try write.perform(in: $0) }
          }
          return receipt
        }
      }
    }
  }

  extension Checkpoint {
    /// Whether it starts a run with a concurrency key.
    fileprivate var startsKeys: Bool {
      starts.contains { $0.concurrencyKey != nil }
        || next.children.contains { $0.start.concurrencyKey != nil }
    }

    /// Whether another process may have work after it, or may wait for it.
    var concernsOthers: Bool {
      if case .stage = next { return doesMore }
      return true
    }

    fileprivate var doesMore: Bool {
      !writes.isEmpty || !starts.isEmpty || !signals.isEmpty || !next.children.isEmpty
    }
  }

  extension TimedCheckpoint {
    fileprivate var lost: JournalError { .claimLost(checkpoint.claim.id) }
  }
#endif
