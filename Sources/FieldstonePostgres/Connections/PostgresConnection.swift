#if PostgreSQL
  import FieldstoneDurable
  package import Foundation

  /// The connection of a thread; it is opened again after a loss.
  package final class PostgresConnection {
    private let text: ConnectionText
    private let schema: String
    private let isPooled: Bool
    private let clock: (@Sendable () -> Date)?
    private let lockWait: LockWait
    private var session: PostgresSession? {
      didSet { attempts.countSessions((session == nil ? 0 : 1) - (oldValue == nil ? 0 : 1)) }
    }
    /// The attempts of all connections of a line.
    var attempts = ConnectionAttempts()
    /// The number of attempts before the work that uses the connection was added to the line.
    var attemptsBefore = 0

    /// After this many conflicts the caller decides.
    private static let mostTries = 4

    /// Whether there is a usable connection.
    var isOpen: Bool { session.map { !$0.isBroken } ?? false }

    package init(
      _ text: ConnectionText, schema: String, isPooled: Bool, lockWait: LockWait,
      clock: (@Sendable () -> Date)?
    ) {
      self.lockWait = lockWait
      self.isPooled = isPooled
      self.clock = clock
      self.text = text
      self.schema = schema
    }

    /// Uses the connection.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the body may be called again although it may have been committed.
    ///   - body: called again if the server has rolled its transaction back because of another one.
    /// - Throws: `JournalError`, and the error of a stage's own write; ``LockHeld`` if a statement of
    ///   the journal has waited for too long. Then its transaction was rolled back.
    func use<Result>(
      isRepeatable: Bool = false, _ body: (PostgresSession) throws -> Result
    ) throws -> Result {
      var tries = 1
      var attemptsBefore = attemptsBefore
      while true {
        do {
          return try body(try open(attemptsBefore: attemptsBefore))
        } catch {
          let (cause, isOwn) = (error as? WriteFailure).map { ($0.cause, true) } ?? (error, false)
          session?.rollBack()
          guard let failure = cause as? PostgresError else {
            if session?.isBroken ?? false { session = nil }
            throw cause
          }
          if failure.endsConnection || session?.isBroken ?? false { session = nil }
          let isAgain =
            failure.isConflict && session != nil || isRepeatable && session == nil
          if isAgain, tries < Self.mostTries {
            // An unreachable server is asked twice: each attempt may take the whole time-out.
            tries += failure.isUnreachable ? Self.mostTries - 1 : 1
            // Its own attempt has failed, so that it wants the outcome of another one.
            attemptsBefore = attempts.count
            continue
          }
          if failure.isLocked, !isOwn {
            // The thread belongs to the connection, so nothing else waits for it.
            if case .long = lockWait { Thread.sleep(forTimeInterval: LockWait.pause) }
            throw LockHeld()
          }
          throw isOwn && !failure.isOfServer ? failure : JournalError(failure)
        }
      }
    }

    /// - Throws: `PostgresError` of its own attempt to connect; `JournalError`, which is not tried
    ///   again, if another attempt has failed since.
    private func open(attemptsBefore: Int) throws -> PostgresSession {
      if let session, session.isAliveWhenIdle() { return session }
      session = nil
      if let failure = attempts.failure(after: attemptsBefore) { throw JournalError(failure) }
      let session = try attempts.make {
        try PostgresSession(
          text, schema: schema, isPooled: isPooled, lockWait: lockWait, clock: clock)
      }
      self.session = session
      return session
    }
  }
#endif
