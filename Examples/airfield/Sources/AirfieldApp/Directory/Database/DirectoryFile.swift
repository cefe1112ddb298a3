import Fieldstone
import Foundation
import GRDB

/// The file of a directory: whether it is one, and how it is opened.
struct DirectoryFile {
  let path: String

  /// Told of each connection before it is used.
  private let onOpen: @Sendable (Database) -> Void

  init(_ path: String, onOpen: @escaping @Sendable (Database) -> Void) {
    self.path = path
    self.onOpen = onOpen
  }

  /// Whether the file can be written, and its log beside it; one that is not there yet is made.
  var canBeWritten: Bool {
    guard FileManager.default.fileExists(atPath: path) else { return true }
    return [file, file.deletingLastPathComponent()].allSatisfy { access($0.path, W_OK) == 0 }
  }

  /// Where a link leads: SQLite keeps its log there.
  private var file: URL { URL(filePath: path).resolvingSymlinksInPath() }

  /// Refuses a database that another program made, before anything is written to it.
  func refuseForeign() throws {
    let size = try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize
    guard let size, size > 0 else { return }
    let isOurs = try reading { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      // Others may have a table of that name, and none has been brought to where ours begin.
      return try tables.isEmpty
        || tables.contains("airport") && !DirectorySchema.migrator.appliedMigrations(db).isEmpty
    }.1
    guard isOurs else { throw DirectoryError.foreign(path: path) }
  }

  /// Opens the file, and brings it up to date.
  func openToWrite() throws -> DatabasePool {
    let database = try DatabasePool(path: path, configuration: configuration)
    // The journal in this file promises that what a checkpoint has answered outlives a loss of
    // power. For each row with a trigger SQLite notes what would undo it: in a file, unless told to do so
    // in memory. A batch of an import fits the cache, and writes each page once.
    try database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA temp_store = MEMORY;
          PRAGMA cache_size = -16000;
          """)
    }
    try DirectorySchema.migrator.migrate(database)
    return database
  }

  func openToRead() throws -> any DatabaseReader {
    let (database, isNewest) = try reading {
      try DirectorySchema.migrator.hasCompletedMigrations($0)
    }
    guard isNewest else { throw DirectoryError.outdated(path: path) }
    return database
  }

  /// Opens the file to be read, and reads something of it.
  private func reading<Value>(
    _ body: (Database) throws -> Value
  ) throws -> (any DatabaseReader, Value) {
    var configuration = self.configuration
    configuration.readonly = true
    do {
      let database = try DatabasePool(path: path, configuration: configuration)
      return (database, try database.unsafeRead(body))
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && isClosed
    {
      // Where no file can be made beside it, SQLite reads it by this name alone.
      let location = URL(filePath: path).absoluteString + "?immutable=1"
      let database = try DatabaseQueue(path: location, configuration: configuration)
      return (database, try database.unsafeRead(body))
    }
  }

  /// Whether no process has it open: the last to close it has put its log into it.
  private var isClosed: Bool { !FileManager.default.fileExists(atPath: file.path + "-wal") }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { [onOpen] db in
      db.add(function: SortKey.function)
      db.addGathering()
      onOpen(db)
    }
    return configuration
  }
}

enum DirectoryError: DescribedError {
  case cannotOpen(path: String, cause: any Error)

  /// There is no file there, and none is to be made.
  case missing(path: String)

  /// The file is damaged, or holds a value that airfield does not write.
  case unreadable(path: String, cause: any Error)
  case foreign(path: String)

  /// Nothing can be written to the file, or somebody has asked that nothing is.
  case readOnly(path: String, isAsked: Bool)

  /// The file is not to be written, and was made by an airfield whose files this one can't read.
  case outdated(path: String)

  var message: String {
    switch self {
    case .cannotOpen(let path, let cause):
      "cannot use \(path) as the database: \(reason(cause)); give another with --database"
    case .missing(let path):
      "there is no database at \(path); make one with airfield import"
    case .unreadable(let path, let cause):
      "The database \(path) can’t be read: \(reason(cause)). "
        + (isPassing(cause)
          ? "Try again; if that does not help, start airfield anew."
          : "Put back a copy of it, or import the airports into another.")
    case .foreign(let path):
      "\(path) is a database of another program, and nothing was written to it; give another with"
        + " --database"
    case .readOnly(let path, isAsked: true):
      "Nothing is written to the database \(path). Leave --read-only out to change it."
    case .readOnly(let path, isAsked: false):
      "The database \(path) can’t be written. Copy it to where it can be, and serve the copy."
    case .outdated(let path):
      "\(path) was made by an older airfield, and is not brought up to date where nothing is to be"
        + " written; run airfield serve once on a copy that can be written, and use that"
    }
  }

  var underlyingErrors: [any Error] {
    switch self {
    case .cannotOpen(_, let cause), .unreadable(_, let cause): [cause]
    case .missing, .foreign, .readOnly, .outdated: []
    }
  }

  /// Whether the file may be whole all the same.
  private func isPassing(_ cause: any Error) -> Bool {
    let codes: [ResultCode] = [
      .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_FULL,
    ]
    return (cause as? DatabaseError).map { codes.contains($0.resultCode) } ?? false
  }

  private func reason(_ cause: any Error) -> String {
    switch cause {
    case let error as DatabaseError: error.message ?? "\(error)"
    // It tells of the whole row, which may be of any length.
    case is RowDecodingError: "a value in it is of another type than airfield writes"
    default: "\(cause)"
    }
  }
}
