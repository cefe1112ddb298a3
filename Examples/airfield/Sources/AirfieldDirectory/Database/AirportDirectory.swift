package import FieldstoneSQLite
import Foundation
import GRDB

/// The airports in a SQLite file: stored in batches, searched, and read in pages.
public final class AirportDirectory: Sendable {
  /// How many airports a page has, the last one aside.
  public static let pageSize = 50

  /// The file that holds the airports.
  public let path: String

  /// The journal of the durable flows, in the same file as the airports: a checkpoint and what it
  /// stores are one transaction, on the directory's one writer.
  ///
  /// All that is written goes through it, edits too: it lets this process and others, as an import
  /// from the command line, write in turn.
  package let journal: SQLiteJournal

  let database: DatabasePool
  let countries = CountryNames()
  let mark = ChangeMark()

  private let onProblem: @Sendable (String) -> Void

  /// Opens the file, which it makes where there is none.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - onProblem: told on one line what keeps the file from being read, for a log.
  public init(
    path: String, onProblem: @escaping @Sendable (_ line: String) -> Void = { _ in }
  ) throws {
    self.path = path
    self.onProblem = onProblem
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    do {
      try Self.refuseForeign(path)
      database = try DatabasePool(path: path, configuration: configuration)
      // The journal in this file promises that what a checkpoint has answered outlives a loss of
      // power.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try DirectorySchema.migrator.migrate(database)
      journal = try SQLiteJournal(in: database)
    } catch let error where error is DatabaseError || error is RowDecodingError {
      throw DirectoryError.cannotOpen(path: path, cause: error)
    }
  }

  /// Waits for what is being written and closes the file, which then holds all of it by itself; nothing
  /// can be read or written any more.
  ///
  /// Other processes that have it open keep their log, and the last of them puts it into the file.
  public func close() async {
    try? await journal.close()
    // Before the writer: SQLite empties the log only when the last to close is one that can write.
    database.invalidateReadOnlyConnections()
    try? database.close()
  }

  /// Reads the state of one moment.
  ///
  /// - Throws: ``DirectoryError/unreadable(path:cause:)`` where the file is damaged, or holds a value
  ///   that airfield does not write; what `body` throws besides.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.read(body)
    } catch {
      throw told(error)
    }
  }

  /// What an error of the database means, which the log is told.
  func told(_ error: any Error) -> any Error {
    switch error {
    // Somebody has gone, and nobody waits for the answer any more.
    case let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT: return error
    case is DatabaseError, is RowDecodingError:
      // A value that it quotes may be of any length.
      let line = "cannot read \(path): \(error)".prefix(1_000)
      onProblem(line.split(whereSeparator: \.isNewline).joined(separator: " "))
      return DirectoryError.unreadable(path: path, cause: error)
    default: return error
    }
  }

  /// Refuses a database that another program made, before anything is written to it.
  private static func refuseForeign(_ path: String) throws {
    let size = try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize
    guard let size, size > 0 else { return }
    var configuration = Configuration()
    configuration.readonly = true
    let tables = try DatabaseQueue(path: path, configuration: configuration).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    guard tables.isEmpty || tables.contains("airport") else {
      throw DirectoryError.foreign(path: path)
    }
  }

  /// Stores airports in one transaction: all of them, or none where it throws.
  public func store(_ airports: [Airport]) async throws -> StoreResult {
    try await journal.write { [countries, mark] db in
      try AirportWriter(db, countries: countries, mark: mark).store(airports)
    }
  }

  /// A number that is another one whenever another process has changed airports.
  public func lastChangeByOthers() async throws -> Int {
    try await read { [mark] in try mark.lastOfOthers($0) }
  }

  /// How many airports there are.
  public func count() async throws -> Int {
    try await read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM airport") ?? 0
    }
  }

  /// The airport with this code, whatever the case of its letters.
  public func airport(icao: String) async throws -> Airport? {
    try await read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(Airport.columns) FROM airport WHERE icao = ?",
        arguments: [icao.uppercased()]
      ).map { try Airport(row: $0) }
    }
  }

  /// A page of the airports that a search finds, or of all, by name.
  ///
  /// Pages count from 1. A number below that gives the first page, one beyond the last gives the
  /// last, so that an address stays good when airports leave. Where a search spells a code in full,
  /// the airport that has it comes first. The cost grows with the number of airports found.
  public func page(_ number: Int, matching search: AirportSearch? = nil) async throws
    -> DirectoryPage
  {
    try await page(number, of: AirportQuery(search: search))
  }

  /// The English name of a country, or its code where there is none.
  public func countryName(_ code: String) -> String {
    countries.name(of: code)
  }
}
