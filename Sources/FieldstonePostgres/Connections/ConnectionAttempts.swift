#if PostgreSQL
  import FieldstoneCore

  /// The attempts of a line's threads to connect.
  ///
  /// A call that was in the line when a failed attempt began gets its error, while no thread has a
  /// session. Otherwise each of them would wait for the unreachable server itself, one after the
  /// other. A server that only refuses another connection goes on with those that it has.
  final class ConnectionAttempts: Sendable {
    private struct State {
      var count = 0
      /// The number of threads with a session.
      var sessions = 0
      /// The latest attempt that has ended, by its number; its error if the server was unreachable.
      var latest: (number: Int, error: PostgresError?) = (0, nil)
    }

    private let state = Locked(State())

    /// The number of attempts that have begun.
    var count: Int { state.withLock { $0.count } }

    /// The error of the latest attempt, if it has failed and has begun after so many others, and no
    /// thread has a session.
    func failure(after count: Int) -> PostgresError? {
      state.withLock { state in
        state.sessions == 0 && state.latest.number > count ? state.latest.error : nil
      }
    }

    /// Notes that a thread has a session more, or less.
    func countSessions(_ change: Int) { state.withLock { $0.sessions += change } }

    /// Makes an attempt.
    func make<Result>(_ body: () throws -> Result) throws -> Result {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      do {
        let result = try body()
        end(number, with: nil)
        return result
      } catch let error as PostgresError where error.isUnreachable {
        end(number, with: error)
        throw error
      }
    }

    private func end(_ number: Int, with error: PostgresError?) {
      state.withLock { state in
        if number > state.latest.number { state.latest = (number, error) }
      }
    }
  }
#endif
