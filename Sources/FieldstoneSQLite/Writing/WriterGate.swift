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
  /// same moment can damage the write-ahead log; and those who wait for its lock may starve. Here
  /// whoever wants in first holds the place in front of the door: who has just been in comes behind.
  final class WriterGate: Sendable {
    private let door: LockFile
    private let front: LockFile
    private let isInFront = Locked(false)

    init(beside path: String) throws(JournalError) {
      guard let door = LockFile.make(path + "-writer"),
        let front = LockFile.make(path + "-writer-next")
      else { throw .unavailable("no lock file can be made beside \(path)") }
      self.door = door
      self.front = front
    }

    deinit {
      front.close()
      door.close()
    }

    /// Goes in if nobody else is in; otherwise keeps the place in front where it can be had.
    func tryEnter() -> Bool {
      isInFront.withLock { isInFront in
        if !isInFront { isInFront = front.tryLock() }
        guard isInFront, door.tryLock() else { return false }
        front.unlock()
        isInFront = false
        return true
      }
    }

    func leave() { door.unlock() }

    /// Gives the place in front to others.
    func giveUp() {
      isInFront.withLock { isInFront in
        if isInFront { front.unlock() }
        isInFront = false
      }
    }

    /// Runs a body inside, on this thread, which waits.
    func held<Result>(for patience: Duration, _ body: () throws -> Result) throws -> Result {
      let deadline = TimeSource.system.uptime + patience
      while !tryEnter() {
        guard TimeSource.system.uptime < deadline else {
          giveUp()
          throw JournalError.unavailable("another process is writing")
        }
        // An initialiser is not asynchronous; SQLite's own waiting is no other.
        _ = poll(nil, 0, 1)
      }
      defer { leave() }
      return try body()
    }
  }
#endif
