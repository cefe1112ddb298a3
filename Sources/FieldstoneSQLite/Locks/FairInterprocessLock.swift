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

  /// Lets one writer of all processes in at a time, in turns.
  ///
  /// SQLite has a lock of its own, but before 3.51.3 two connections that write or checkpoint at the
  /// same moment can damage the write-ahead log; and waiters for its lock may starve. Here
  /// a process that wants in first holds the place in front of the door, and one that has just been
  /// in comes behind.
  final class FairInterprocessLock: Sendable {
    private struct State {
      var isInFront = false
      /// The process in front did not go in.
      var isFrontStuck = false
    }

    private let door: LockFile
    private let front: LockFile
    private let state = Locked(State())

    init(beside path: String) throws(JournalError) {
      guard let door = LockFile.make(path + "-writer", like: path),
        let front = LockFile.make(path + "-writer-next", like: path)
      else { throw .unavailable("no lock file can be made beside \(path)") }
      self.door = door
      self.front = front
    }

    deinit {
      front.close()
      door.close()
    }

    /// Gives its files the owner and the mode of a database that was made after them.
    func takeOwnerAndMode(of path: String) {
      door.takeOwnerAndMode(of: path)
      front.takeOwnerAndMode(of: path)
    }

    /// How long a writer waits before it passes the writer that stands in front.
    ///
    /// A process that runs goes in within milliseconds once the door is free; one that was stopped
    /// would keep all others out for as long as that lasts.
    static func politeness(within patience: Duration) -> Duration {
      min(.seconds(1), patience / 2)
    }

    /// Goes in if no other writer is in; otherwise keeps the place in front where it can be had.
    ///
    /// - Parameter isPassing: whether to go in past the process in front.
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

    /// Gives the place in front to others.
    func giveUp() {
      state.withLock { state in
        if state.isInFront { front.unlock() }
        state.isInFront = false
      }
    }

    /// Runs a body inside, on this thread, which waits.
    func held<Result>(for patience: Duration, _ body: () throws -> Result) throws -> Result {
      let begin = TimeSource.system.uptime
      var waited = Duration.zero
      while !tryEnter(isPassing: waited >= Self.politeness(within: patience)) {
        guard waited < patience else {
          giveUp()
          throw JournalError.unavailable("another process is writing")
        }
        // An initialiser is not asynchronous; SQLite's own waiting is no other.
        _ = poll(nil, 0, 1)
        waited = TimeSource.system.uptime - begin
      }
      defer { leave() }
      return try body()
    }
  }
#endif
