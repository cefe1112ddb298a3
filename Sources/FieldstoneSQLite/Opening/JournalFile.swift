#if SQLite
  import FieldstoneDurable
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file of a journal: verifies and opens it.
  struct JournalFile {
    /// The maximum size of the writer's cache, in KiB.
    ///
    /// SQLite's default of 2 MB has no room for the inner pages of the indices of a million runs. A
    /// claim then reads them again each time, and takes up to a tenth longer.
    private static let cacheKibibytes = 8_000

    /// The maximum number of links from the path to the file, as on most systems.
    private static let maximumLinks = 40

    /// The path with links resolved, so that all processes use the same files beside it.
    let path: String

    init(_ path: String) throws(JournalError) {
      guard !path.isEmpty else { throw .noJournal("An empty path") }
      guard !path.utf8.contains(0) else { throw .noJournal(path) }
      guard path != ":memory:" else { throw .noJournal("“:memory:”, which is no file,") }
      self.path = try Self.resolved(path)
    }

    /// Resolves links, also those to a file that does not exist yet, which `realpath` refuses.
    private static func resolved(_ path: String) throws(JournalError) -> String {
      let circle = JournalError.noJournal("\(path), whose symbolic links form a circle,")
      var place = path
      for _ in 0...maximumLinks {
        if let real = Self.real(place) { return real }
        guard errno != ELOOP else { throw circle }
        // The file does not exist yet, but its folder does.
        let cut = place.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = cut.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
        let name = cut.map { String(place[place.utf8.index(after: $0)...]) } ?? place
        guard !name.isEmpty else { throw .noJournal(path) }
        guard let real = Self.real(folder) else {
          // No later try finds a folder that is missing.
          if errno == ENOENT || errno == ENOTDIR {
            let shown = place == path ? path : "\(path), a symbolic link to \(place)"
            throw .noJournal("\(shown), whose folder does not exist,")
          }
          throw .unavailable("the folder \(folder) can't be opened")
        }
        let parent = real == "/" ? "/" : real + "/"
        place = parent + name
        guard let target = Self.target(ofLink: place) else { return place }
        place = target.utf8.first == UInt8(ascii: "/") ? target : parent + target
      }
      throw circle
    }

    /// Refuses a path at which something else is, before a file is made beside it.
    ///
    /// A file that is empty or does not exist yet passes.
    func check(_ options: SQLiteJournalOptions) throws {
      try refuseOtherKinds()
      guard isThere else { return }
      try refuseForbidden(R_OK | W_OK)
      let queue = try openingErrors {
        try DatabaseQueue(path: path, configuration: Self.plain(options))
      }
      try openingErrors {
        try queue.unsafeRead { database in
          try JournalSchema.check(database, path, joinsOtherTables: options.joinsOtherTables)
        }
        try queue.close()
      }
    }

    /// Opens a file that ``check(_:)`` has passed.
    func openToWrite(_ options: SQLiteJournalOptions, gate: FairInterprocessLock) throws
      -> DatabasePool
    {
      try gate.held(for: options.busyTimeout) {
        try openingErrors {
          let pool = try DatabasePool(path: path, configuration: Self.configuration(options))
          try pool.writeWithoutTransaction { database in
            try database.execute(
              sql: """
                PRAGMA synchronous = \(options.durability.pragma);
                PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON;
                PRAGMA wal_autocheckpoint = 1000;
                PRAGMA journal_size_limit = 8388608;
                PRAGMA cache_size = -\(Self.cacheKibibytes);
                """)
            try JournalSchema.migrate(database, path, joinsOtherTables: options.joinsOtherTables)
          }
          gate.takeOwnerAndMode(of: path)
          shareLogFiles()
          return pool
        }
      }
    }

    func prepare(
      _ database: any DatabaseWriter, joinsOtherTables: Bool, _ options: SQLiteJournalOptions,
      gate: FairInterprocessLock
    ) throws {
      try gate.held(for: options.busyTimeout) {
        try openingErrors {
          try database.writeWithoutTransaction { database in
            try JournalSchema.migrate(database, path, joinsOtherTables: joinsOtherTables)
          }
          gate.takeOwnerAndMode(of: path)
          shareLogFiles()
        }
      }
    }

    /// - Returns: the database, and the identity of its files.
    func openToRead(
      _ options: SQLiteJournalOptions
    ) throws -> (any DatabaseReader, JournalFileIdentity) {
      try refuseOtherKinds()
      guard isThere else { throw JournalError.noJournal(path) }
      try refuseForbidden(R_OK)
      return try openingErrors {
        var configuration = Self.configuration(options)
        configuration.readonly = true
        configuration.prepareDatabase { try JournalSchema.showAsNewest($0) }
        do {
          let pool = try DatabasePool(path: path, configuration: configuration)
          try pool.unsafeRead { try JournalSchema.check($0, path, joinsOtherTables: false) }
          shareLogFiles()
          return (pool, JournalFileIdentity(at: path, opened: .toRead))
        } catch let error as DatabaseError
          where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && isClosed
        {
          let identity = JournalFileIdentity(at: path, opened: .toReadClosed)
          let queue = try DatabaseQueue(path: closedLocation, configuration: configuration)
          try queue.unsafeRead { try JournalSchema.check($0, path, joinsOtherTables: false) }
          return (queue, identity)
        }
      }
    }

    /// Whether no process has it open: the last process to close it removes the write-ahead log.
    private var isClosed: Bool {
      var found = stat()
      return stat(path + "-wal", &found) != 0 && errno == ENOENT
    }

    /// The URL with which SQLite opens a closed database and creates no files beside it.
    ///
    /// SQLite can't create files in a folder without write permission. ``JournalFileIdentity``
    /// detects when another process opens the database.
    private var closedLocation: String {
      let escaped = path.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
          String(UnicodeScalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
      }
      return "file://" + escaped.joined() + "?immutable=1"
    }

    private var isThere: Bool {
      var found = stat()
      return stat(path, &found) == 0 && found.st_size > 0
    }

    /// Throws for a folder, a pipe or a device.
    private func refuseOtherKinds() throws(JournalError) {
      var found = stat()
      if stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG { throw .noJournal(path) }
    }

    /// Throws if this user can't use the file so, which no later try overcomes.
    private func refuseForbidden(_ use: Int32) throws(JournalError) {
      if access(path, use) != 0, [EACCES, EPERM, EROFS].contains(errno) {
        throw .notPermitted(path)
      }
    }

    /// Gives the write-ahead log and its index the group of the database, if this user made them.
    ///
    /// SQLite copies the mode only, so users who share the database by its group would be locked
    /// out. The files are changed by name: opening and closing them would drop SQLite's locks.
    private func shareLogFiles() {
      var database = stat()
      guard stat(path, &database) == 0 else { return }
      for name in [path + "-wal", path + "-shm"] {
        var found = stat()
        guard lstat(name, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_nlink == 1,
          found.st_uid == geteuid(), found.st_gid != database.st_gid
        else { continue }
        // A user who is no member of the group can't give the file to it.
        _ = lchown(name, found.st_uid, database.st_gid)
      }
    }

    /// Maps errors; a file that is not a database is not a journal, either.
    private func openingErrors<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
        throw JournalError.noJournal(path)
      } catch let error as DatabaseError {
        throw JournalError(error)
      }
    }

    private static func plain(_ options: SQLiteJournalOptions) -> Configuration {
      var configuration = Configuration()
      let timeout = min(max(options.busyTimeout / .seconds(1), 0.001), 86_400)
      configuration.busyMode = .timeout(timeout)
      return configuration
    }

    private static func configuration(_ options: SQLiteJournalOptions) -> Configuration {
      var configuration = plain(options)
      configuration.label = "fieldstone.journal"
      configuration.maximumReaderCount = max(1, options.maximumReaders)
      return configuration
    }

    private static func real(_ path: String) -> String? {
      guard let found = realpath(path, nil) else { return nil }
      defer { free(found) }
      return String(cString: found)
    }

    /// The path that a link contains; nil if it is no link.
    private static func target(ofLink path: String) -> String? {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = readlink(path, start, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
      }
    }
  }
#endif
