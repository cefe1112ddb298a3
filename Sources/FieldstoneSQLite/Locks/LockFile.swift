#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A file that is there to be locked: the system releases the lock when its process ends.
  struct LockFile: Sendable {
    private let file: Int32

    /// Opens the file, and makes it where there is none; nil when that can't be done.
    ///
    /// - Parameter database: the file whose owner and mode it takes, as SQLite's own files do: an
    ///   operator's command must not lock out the service that owns the database.
    static func make(_ path: String, like database: String) -> LockFile? {
      guard let file = find(path) ?? open(path, flags: O_RDWR | O_CREAT) else { return nil }
      file.takeOwnerAndMode(of: database)
      return file
    }

    /// Opens the file if it is there.
    static func find(_ path: String) -> LockFile? {
      if let file = open(path, flags: O_RDWR) { return file }
      // A lock needs no right to write.
      return errno == EACCES || errno == EROFS ? open(path, flags: O_RDONLY) : nil
    }

    private static func open(_ path: String, flags: Int32) -> LockFile? {
      while true {
        let file = systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
        if file >= 0 { return LockFile(file: file) }
        if errno != EINTR { return nil }
      }
    }

    /// Takes the owner, the group and the mode of a file, as far as this process may give them.
    ///
    /// A lock file is an empty file of one name. Another one is left as it is: in a folder that others
    /// may write, it may be a second name of a file that is not theirs.
    func takeOwnerAndMode(of path: String) {
      var (own, other) = (stat(), stat())
      guard stat(path, &other) == 0, fstat(file, &own) == 0 else { return }
      guard own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1, own.st_size == 0 else { return }
      if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
        // Only root gives a file away; a member of the group may give it to the group.
        if fchown(file, other.st_uid, other.st_gid) != 0 {
          _ = fchown(file, own.st_uid, other.st_gid)
        }
      }
      let permissions = other.st_mode & 0o777
      if own.st_mode & 0o777 != permissions { _ = fchmod(file, permissions) }
    }

    private init(file: Int32) { self.file = file }

    /// Takes the lock if it is free.
    func tryLock() -> Bool { lock(LOCK_EX | LOCK_NB) }

    /// Whether the lock is held; two callers that ask at once don't disturb each other.
    func isHeld() -> Bool {
      guard lock(LOCK_SH | LOCK_NB) else { return true }
      unlock()
      return false
    }

    func unlock() { _ = lock(LOCK_UN) }

    /// Lets go of the lock and the file.
    ///
    /// Closing alone would let go only once every child of this process has become another program:
    /// until then it has the file open, too.
    func close() {
      unlock()
      _ = systemClose(file)
    }

    /// Whether the file still has this name; a process that removed it meanwhile has made this the
    /// lock of nothing.
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
