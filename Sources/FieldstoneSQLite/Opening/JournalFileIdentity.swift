#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import GRDB
  import GRDBSQLite

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Compares the open database and write-ahead log of a journal with the files at its path.
  ///
  /// A process that has a deleted file open writes to it without an error, and no other process
  /// ever reads that. So each commit and each read compares the files' inode numbers. It looks the
  /// files up by name only: opening and closing the database would drop SQLite's locks.
  struct JournalFileIdentity: Sendable {
    /// How the journal opened its files.
    enum Access: Sendable {
      /// For writing: the connection keeps the log in place.
      case toWrite
      /// For reading with other processes: the log may appear and disappear.
      case toRead
      /// For reading a file that no process has open, and that must not change.
      case toReadClosed
    }

    /// Identifies a file on this machine.
    private struct FileNumber: Hashable {
      var device: UInt64
      var inode: UInt64
    }

    /// Detects whether a file was written.
    private struct FileVersion: Hashable {
      var size: Int64
      var seconds: Int
      var nanoseconds: Int
    }

    private struct Found {
      var number: FileNumber
      var version: FileVersion

      init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        number = FileNumber(
          device: UInt64(truncatingIfNeeded: found.st_dev),
          inode: UInt64(truncatingIfNeeded: found.st_ino))
        #if canImport(Darwin)
          let changed = found.st_mtimespec
        #else
          let changed = found.st_mtim
        #endif
        version = FileVersion(
          size: Int64(found.st_size), seconds: changed.tv_sec, nanoseconds: changed.tv_nsec)
      }
    }

    private let path: String
    private let access: Access
    private let database: Found?
    private let log: FileNumber?

    /// Records the files at a path that the journal has just opened.
    init(at path: String, opened access: Access) {
      self.path = path
      self.access = access
      database = Found(path)
      log = Found(path + "-wal")?.number
    }

    /// Compares the files; two system calls.
    ///
    /// - Throws: `JournalError.replaced` if the path leads to another database or to none, and
    ///   `.unavailable` if another process has opened a closed file.
    func check() throws(JournalError) {
      let found = Found(path)
      guard let found, found.number == database?.number else { throw .replaced(path) }
      switch access {
      case .toRead: break
      case .toWrite:
        guard log == nil || Found(path + "-wal")?.number == log else { throw .replaced(path) }
      case .toReadClosed:
        guard found.version == database?.version, Found(path + "-wal") == nil else {
          throw .unavailable("another process has opened it since; open it anew")
        }
      }
    }

    /// Whether the path leads to other files now.
    var isReplaced: Bool {
      do { try check() } catch { return true }
      return false
    }

    /// Keeps SQLite from removing the log at the path when it closes the database.
    ///
    /// SQLite removes the log by its name, which may now belong to another journal's log.
    func keepLog(of writer: any DatabaseWriter) {
      writer.unsafeReentrantWrite { database in
        var isKept: CInt = 1
        sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
      }
    }
  }
#endif
