#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A file used only for locking: the system releases the lock when its process ends.
  struct LockFile: Sendable {
    private let file: Int32

    /// Opens the file, and creates it if it does not exist; nil if that fails.
    ///
    /// - Parameter database: the file whose owner and mode it copies, as SQLite's own files do: an
    ///   operator's command must not lock out the service that owns the database.
    static func make(_ path: String, like database: String) -> LockFile? {
      guard let file = find(path) ?? open(path, flags: O_RDWR | O_CREAT) else { return nil }
      file.takeOwnerAndMode(of: database)
      return file
    }

    /// Opens the file if it exists.
    static func find(_ path: String) -> LockFile? {
      if let file = open(path, flags: O_RDWR) { return file }
      // A lock needs no write permission.
      return errno == EACCES || errno == EROFS ? open(path, flags: O_RDONLY) : nil
    }

    private static func open(_ path: String, flags: Int32) -> LockFile? {
      while true {
        let file = systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
        if file >= 0 { return LockFile(file: file) }
        if errno != EINTR { return nil }
      }
    }

    /// Copies the owner, the group and the mode of a file, as far as this process is permitted.
    ///
    /// It changes only a plain file: see ``isPlain(_:)``.
    func takeOwnerAndMode(of path: String) {
      var (own, other) = (stat(), stat())
      guard stat(path, &other) == 0, fstat(file, &own) == 0, Self.isPlain(own) else { return }
      if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
        // Only root can change the owner; a member of the group may set the group.
        if fchown(file, other.st_uid, other.st_gid) != 0 {
          _ = fchown(file, own.st_uid, other.st_gid)
        }
      }
      let permissions = other.st_mode & 0o777
      if own.st_mode & 0o777 != permissions { _ = fchmod(file, permissions) }
    }

    /// Whether a file is empty and has a single link, as each lock file.
    ///
    /// A file that holds something is another's. In a folder that others can write, another file
    /// may be a second link to a foreign file. The file is not opened: closing a database would
    /// drop SQLite's locks.
    static func isPlain(_ path: String) -> Bool {
      var found = stat()
      return lstat(path, &found) == 0 && isPlain(found)
    }

    private static func isPlain(_ found: stat) -> Bool {
      found.st_mode & S_IFMT == S_IFREG && found.st_nlink == 1 && found.st_size == 0
    }

    private init(file: Int32) { self.file = file }

    /// Takes the lock if it is free.
    func tryLock() -> Bool { lock(LOCK_EX | LOCK_NB) }

    /// Whether the lock is held; concurrent callers do not affect each other.
    func isHeld() -> Bool {
      guard lock(LOCK_SH | LOCK_NB) else { return true }
      unlock()
      return false
    }

    func unlock() { _ = lock(LOCK_UN) }

    /// Releases the lock and closes the file.
    ///
    /// Closing alone is not enough: forked children have the file open, too, until they execute
    /// another program.
    func close() {
      unlock()
      _ = systemClose(file)
    }

    /// Whether the file still has this name; if a process has removed it meanwhile, the lock
    /// protects nothing.
    func isNamed(_ path: String) -> Bool {
      var (held, named) = (stat(), stat())
      return fstat(file, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev
        && held.st_ino == named.st_ino
    }

    private func lock(_ operation: Int32) -> Bool {
      while true {
        if flock(file, operation) == 0 { return true }
        if errno != EINTR { return false }
      }
    }
  }

  private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
  }

  private func systemClose(_ file: Int32) -> Int32 { close(file) }
#endif
