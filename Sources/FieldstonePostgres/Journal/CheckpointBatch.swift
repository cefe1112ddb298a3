#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable

  /// A checkpoint that waits for its commit.
  struct PendingCheckpoint: Sendable {
    let timed: TimedCheckpoint
    let limits: PayloadLimits
    let answer: @Sendable (Result<CheckpointReceipt, any Error>) -> Void
  }

  /// Commits checkpoints together, and each alone where they can't be.
  enum CheckpointBatch {
    /// More than these go into the next statement, so that no writer waits for very many.
    static let largest = 256

    static func perform(_ batch: [PendingCheckpoint], _ connection: PostgresConnection) {
      // What a stage writes, starts and signals may fail, and undoes nothing but its own checkpoint.
      let own = batch.filter { $0.timed.checkpoint.doesMore }
      let shared = batch.filter { !$0.timed.checkpoint.doesMore }
      let loss = shared.isEmpty ? nil : performTogether(shared, connection)
      performEach(own, connection, unless: loss) { try perform($0, connection) }
    }

    /// - Returns: the error that has cost the connection, if one has.
    @discardableResult
    private static func performTogether(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection
    ) -> JournalError? {
      do {
        let made = try checkpoints(batch, connection)
        for (place, pending) in batch.enumerated() {
          pending.answer(made[place].map { .success($0) } ?? .failure(pending.lost))
        }
        return nil
      } catch {
        // One of them is to blame, or together they need more than there is: alone each shows. Not
        // where the answer was lost: then they may have been made.
        guard batch.count > 1, connection.isOpen else {
          for checkpoint in batch { checkpoint.answer(.failure(error)) }
          return loss(by: error, connection)
        }
        return performEach(batch, connection) { pending in
          guard let receipt = try checkpoints([pending], connection)[0] else { throw pending.lost }
          return receipt
        }
      }
    }

    /// Performs one after the other until the connection is lost: those behind it are not tried, as each
    /// might wait for a server that is not there.
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

    private static func perform(
      _ pending: PendingCheckpoint, _ connection: PostgresConnection
    ) throws -> CheckpointReceipt {
      try connection.use { session in
        try session.transaction {
          let statements = JournalStatements(session: session)
          let checkpoint = pending.timed.checkpoint
          // Before the run: a transaction that pauses a key holds this and waits for runs.
          if checkpoint.startsKeys { try statements.lockPauses(asReader: true) }
          guard let receipt = try statements.checkpoints([pending.timed])[0] else {
            throw pending.lost
          }
          try statements.startChildren(checkpoint, within: pending.limits)
          for start in checkpoint.starts { _ = try statements.start(start) }
          for signal in checkpoint.signals {
            _ = try statements.signal(signal.run, signal.signal)
          }
          for write in checkpoint.writes {
            try perform(write, in: session)
          }
          return receipt
        }
      }
    }

    private static func perform(_ write: CheckpointWrite, in session: PostgresSession) throws {
      do { try write.perform(in: PostgresTransaction(session: session)) } catch {
        throw WriteFailure(cause: error)
      }
      guard session.isTransactionSound else {
        throw WriteFailure(
          cause: MessageError(
            "A write has ended the transaction that it was given, or has passed over an error in it; "
              + "leave its end to the journal, and throw what a statement throws."))
      }
    }
  }

  extension Checkpoint {
    /// Whether a run that it starts has a concurrency key.
    fileprivate var startsKeys: Bool {
      starts.contains { $0.concurrencyKey != nil }
        || next.children.contains { $0.start.concurrencyKey != nil }
    }

    /// Whether another process may have something to do after it, or may wait for it.
    var concernsOthers: Bool {
      if case .stage = next { return doesMore }
      return true
    }

    fileprivate var doesMore: Bool {
      !writes.isEmpty || !starts.isEmpty || !signals.isEmpty || !next.children.isEmpty
    }
  }

  extension PendingCheckpoint {
    fileprivate var lost: JournalError { .claimLost(timed.checkpoint.claim.id) }
  }
#endif
