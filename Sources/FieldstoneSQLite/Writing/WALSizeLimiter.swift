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

  /// Keeps the write-ahead log from growing for ever.
  ///
  /// SQLite moves the log into the database after every thousand pages, but begins it anew only when
  /// no reader looks at it; readers that follow each other closely would make it grow without end.
  final class WALSizeLimiter: Sendable {
    private let path: String
    private let limit: Int
    private let nextSize: Locked<Int>

    init(path: String, limit: Int) {
      self.path = path + "-wal"
      self.limit = limit
      nextSize = Locked(limit)
    }

    /// Empties the log if it is too long, waiting a little for readers.
    ///
    /// Called by the writer inside the gate.
    func check(_ database: Database) {
      var found = stat()
      guard stat(path, &found) == 0 else { return }
      let size = Int(found.st_size)
      guard size > nextSize.withLock({ $0 }) else { return }
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
