#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The connection of a thread, which is made anew once it is lost.
  final class PostgresConnection {
    private let text: ConnectionText
    private let schema: String
    private let isPooled: Bool
    private let clock: (@Sendable () -> Date)?
    private var session: PostgresSession?

    /// After so many conflicts with others the caller decides.
    private static let mostTries = 4

    /// Whether there is a connection that is of use.
    var isOpen: Bool { session.map { !$0.isBroken } ?? false }

    init(
      _ text: ConnectionText, schema: String, isPooled: Bool, clock: (@Sendable () -> Date)?
    ) {
      self.isPooled = isPooled
      self.clock = clock
      self.text = text
      self.schema = schema
    }

    /// Uses the connection.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the body may be called again though it may have been done already.
    ///   - body: is called again when the server has undone its transaction for another's sake.
    /// - Throws: `JournalError`, and what a stage's own write throws.
    func use<Result>(
      isRepeatable: Bool = false, _ body: (PostgresSession) throws -> Result
    ) throws -> Result {
      var tries = 1
      while true {
        do {
          return try body(try open())
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
            // A server that is not there is asked twice: each time may take the time-out.
            tries += failure.isUnreachable ? Self.mostTries / 2 : 1
            continue
          }
          throw isOwn && !failure.isUnavailable ? failure : JournalError(failure)
        }
      }
    }

    private func open() throws -> PostgresSession {
      if let session, session.isAliveWhenIdle() { return session }
      session = nil
      let session = try PostgresSession(
        text, schema: schema, isPooled: isPooled, clock: clock)
      self.session = session
      return session
    }
  }
#endif
