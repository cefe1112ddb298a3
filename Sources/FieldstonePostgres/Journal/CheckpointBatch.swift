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

    /// - Returns: the error that broke the connection, if one did.
    @discardableResult
    private static func performTogether(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection, willAnswer: () -> Void
    ) -> JournalError? {
      do {
        let made = try checkpoints(batch, connection)
        willAnswer()
        for (place, pending) in batch.enumerated() {
          pending.answer(made[place].map { .success($0) } ?? .failure(pending.timed.lost))
        }
        return nil
      } catch {
        // One checkpoint is at fault, or together they exceed a resource: one by one shows which.
        // If the answer was lost they are not repeated, because they may have been committed.
        guard batch.count > 1, connection.isOpen else {
          for checkpoint in batch { checkpoint.answer(.failure(error)) }
          return loss(by: error, connection)
        }
        return performEach(batch, connection) {
          try perform($0.timed, within: $0.limits, connection)
        }
      }
    }

    /// Performs the checkpoints one by one until the connection is lost.
    ///
    /// The rest is not tried, because each could wait for an unreachable server.
    @discardableResult
    private static func performEach(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection,
      unless loss: JournalError? = nil, _ body: (PendingCheckpoint) throws -> CheckpointReceipt
    ) -> JournalError? {
      var loss = loss
      for pending in batch {
        if let loss {
          pending.answer(.failure(loss))
          continue
        }
        do { pending.answer(.success(try body(pending))) } catch {
          loss = Self.loss(by: error, connection)
          pending.answer(.failure(error))
        }
      }
      return loss
    }

    private static func loss(
      by error: any Error, _ connection: PostgresConnection
    ) -> JournalError? {
      if connection.isOpen { return nil }
      if let error = error as? JournalError, error.isTransient { return error }
      return .unavailable("the connection was lost")
    }

    private static func checkpoints(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection
    ) throws -> [Int: CheckpointReceipt] {
      try connection.use { try JournalStatements(session: $0).checkpoints(batch.map(\.timed)) }
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
