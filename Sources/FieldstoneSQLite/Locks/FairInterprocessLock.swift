#if SQLite
  import FieldstoneCore
  import FieldstoneDurable

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A fair lock that admits one writer of all processes at a time.
  ///
  /// SQLite has its own lock. But before 3.51.3 two connections that write or checkpoint at the
  /// same moment can damage the write-ahead log, and waiters may starve. This lock queues one
  /// process at the front; a process that has just released the lock queues behind it.
  final class FairInterprocessLock: Sendable {
    private struct State {
      var isInFront = false
      /// The process at the front did not enter in time.
      var isFrontStuck = false
    }

    private let door: LockFile
    private let front: LockFile
    private let state = Locked(State())

    init(beside path: String) throws(JournalError) {
      guard let door = LockFile.make(path + "-writer", like: path),
        let front = LockFile.make(path + "-writer-next", like: path)
      else { throw Self.failure(beside: path, errno) }
      self.door = door
      self.front = front
    }

    /// The error if no lock file can be made; no later try overcomes most reasons.
    private static func failure(beside path: String, _ number: Int32) -> JournalError {
      switch number {
      case EACCES, EPERM, EROFS: .notPermitted(path)
      case ENAMETOOLONG, EISDIR, ELOOP:
        .noJournal(
          "\(path), beside which no lock file can be made (\(String(cString: strerror(number)))),")
      default: .unavailable("no lock file can be made beside \(path)")
      }
    }

    deinit {
      front.close()
      door.close()
    }

    /// Gives the lock's files the owner and the mode of a database that was created after them.
    func takeOwnerAndMode(of path: String) {
      door.takeOwnerAndMode(of: path)
      front.takeOwnerAndMode(of: path)
    }

    /// The time after which a writer overtakes the process at the front.
    ///
    /// A running process enters within milliseconds of the release; a stopped process would block
    /// all others for as long as it is stopped.
    static func politeness(within patience: Duration) -> Duration {
      min(.seconds(1), patience / 2)
    }

    /// Enters if no other writer is inside; otherwise takes the front if it is free.
    ///
    /// - Parameter isPassing: whether to overtake the process at the front.
    func tryEnter(isPassing: Bool) -> Bool {
      state.withLock { state in
        if !state.isInFront, front.tryLock() {
          state.isInFront = true
          state.isFrontStuck = false
        }
        guard state.isInFront || state.isFrontStuck || isPassing, door.tryLock() else {
          return false
        }
        if state.isInFront { front.unlock() } else { state.isFrontStuck = true }
        state.isInFront = false
        return true
      }
    }

    func leave() { door.unlock() }

    /// Releases the front.
    func giveUp() {
      state.withLock { state in
        if state.isInFront { front.unlock() }
        state.isInFront = false
      }
    }

    /// Runs a body while the lock is held; blocks this thread.
    func held<Result>(for patience: Duration, _ body: () throws -> Result) throws -> Result {
      let begin = TimeSource.system.uptime
      var waited = Duration.zero
      while !tryEnter(isPassing: waited >= Self.politeness(within: patience)) {
        guard waited < patience else {
          giveUp()
          throw JournalError.unavailable("another process is writing")
        }
        // An initialiser can't suspend; SQLite's own wait blocks its thread, too.
        _ = poll(nil, 0, 1)
        waited = TimeSource.system.uptime - begin
      }
      defer { leave() }
      return try body()
    }
  }
#endif
