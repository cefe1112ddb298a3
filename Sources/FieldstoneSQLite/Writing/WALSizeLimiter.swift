#if SQLite
  import FieldstoneCore
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Limits the size of the write-ahead log.
  ///
  /// SQLite moves the log into the database every 1,000 pages, but restarts the log only when no
  /// reader uses it. Overlapping readers would make it grow without limit.
  final class WALSizeLimiter: Sendable {
    private let path: String
    private let limit: Int
    private let nextSize: Locked<Int>

    init(path: String, limit: Int) {
      self.path = path + "-wal"
      self.limit = limit
      nextSize = Locked(limit)
    }

    /// Truncates the log if it is too long, after a short wait for readers.
    ///
    /// The writer calls it while it holds the gate.
    func check(_ database: Database) {
      var found = stat()
      guard stat(path, &found) == 0 else { return }
      let size = Int(found.st_size)
      let isDue = nextSize.withLock { nextSize in
        // SQLite itself has restarted the log, so the next growth begins at the limit again.
        if size <= limit { nextSize = limit }
        return size > nextSize
      }
      guard isDue else { return }
      do {
        let timeout = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 50")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(timeout)") }
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let isBusy = row.map { $0[0] != 0 } ?? true
        nextSize.withLock { $0 = isBusy ? size + limit / 4 : limit }
      } catch {
        nextSize.withLock { $0 = size + limit / 4 }
      }
    }
  }
#endif
