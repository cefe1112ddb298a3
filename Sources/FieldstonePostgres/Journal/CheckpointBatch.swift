#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable

  /// A checkpoint that waits for its commit.
  struct PendingCheckpoint: Sendable {
    let timed: TimedCheckpoint
    let answer: @Sendable (Result<Void, any Error>) -> Void
  }

  /// Commits checkpoints together, and each alone where they can't be.
  enum CheckpointBatch {
    /// More than these go into the next statement, so that no writer waits for very many.
    static let largest = 256

    static func perform(_ batch: [PendingCheckpoint], _ connection: PostgresConnection) {
      // What a stage writes, starts and signals may fail, and undoes nothing but its own checkpoint.
      let own = batch.filter { $0.timed.checkpoint.doesMore }
      let shared = batch.filter { !$0.timed.checkpoint.doesMore }
      if !shared.isEmpty { performTogether(shared, connection) }
      for checkpoint in own { performAlone(checkpoint, connection) }
    }

    private static func performTogether(
      _ batch: [PendingCheckpoint], _ connection: PostgresConnection
    ) {
      do {
        let made = try connection.use { session in
          try JournalStatements(session: session).checkpoints(batch.map(\.timed))
        }
        for (place, pending) in batch.enumerated() {
          pending.answer(made.contains(place) ? .success(()) : .failure(pending.lost))
        }
      } catch {
        // One of them is to blame, or together they need more than there is: alone each shows. Not
        // where the answer was lost: then they may have been made.
        if batch.count > 1, connection.isOpen {
          for checkpoint in batch { performTogether([checkpoint], connection) }
        } else {
          for checkpoint in batch { checkpoint.answer(.failure(error)) }
        }
      }
    }

    private static func performAlone(
      _ pending: PendingCheckpoint, _ connection: PostgresConnection
    ) {
      pending.answer(
        Result {
          try connection.use { session in
            try session.transaction {
              let statements = JournalStatements(session: session)
              let (checkpoint, time) = (pending.timed.checkpoint, pending.timed.time)
              guard try !statements.checkpoints([pending.timed]).isEmpty else { throw pending.lost }
              for start in checkpoint.starts { _ = try statements.start(start, at: time) }
              for signal in checkpoint.signals {
                _ = try statements.signal(signal.run, signal.signal, at: time)
              }
              for write in checkpoint.writes {
                try perform(write, in: session)
              }
            }
          }
        })
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
    fileprivate var doesMore: Bool { !writes.isEmpty || !starts.isEmpty || !signals.isEmpty }
  }

  extension PendingCheckpoint {
    fileprivate var lost: JournalError { .claimLost(timed.checkpoint.claim.id) }
  }
#endif
