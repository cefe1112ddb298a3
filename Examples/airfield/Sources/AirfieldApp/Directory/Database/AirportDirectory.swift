import FieldstoneSQLite
import GRDB

/// The airports in a SQLite file: stored in batches, searched, and read in pages.
final class AirportDirectory: Sendable {
  let path: String

  /// The journal of the durable flows, in the same file as the airports: a checkpoint and what it
  /// stores are one transaction, on the directory's one writer.
  ///
  /// All that is written goes through it, edits too: it lets this process and others, as an import
  /// from the command line, write in turn.
  let journal: SQLiteJournal

  /// Whether it can be read and not written: neither edited nor imported into.
  var isReadOnly: Bool { readOnly != nil }

  /// Why it can't be written; nil where it can.
  let readOnly: DirectoryError?

  let database: any DatabaseReader
  let countries = CountryNames()
  let mark = ChangeMark()
  let rankings = RankingCache()

  private let onProblem: @Sendable (String) -> Void

  /// Opens the file, which it makes where there is none.
  ///
  /// One that can't be written, or whose folder can't, is opened to be read.
  ///
  /// - Parameters:
  ///   - toRead: whether nothing is to be written, also where it can be.
  ///   - onProblem: told on one line what keeps the file from being read, for a log.
  init(
    path: String, toRead: Bool = false,
    onProblem: @escaping @Sendable (_ line: String) -> Void = { _ in }
  ) throws {
    self.path = path
    self.onProblem = onProblem
    let file = DirectoryFile(path) { [rankings] in rankings.begin($0) }
    readOnly =
      toRead || !file.canBeWritten
      ? .readOnly(path: path, isAsked: toRead && file.canBeWritten) : nil
    do {
      try file.refuseForeign()
      if readOnly != nil {
        database = try file.openToRead()
        journal = try SQLiteJournal.reader(path: path)
      } else {
        let pool = try file.openToWrite()
        database = pool
        journal = try SQLiteJournal(in: pool)
      }
    } catch let error where error is DatabaseError || error is RowDecodingError {
      throw DirectoryError.cannotOpen(path: path, cause: error)
    }
  }

  /// Waits for what is being written and closes the file, which then holds all of it by itself; nothing
  /// can be read or written any more.
  ///
  /// Other processes that have it open keep their log, and the last of them puts it into the file.
  func close() async {
    try? await journal.close()
    // Before the writer: SQLite empties the log only when the last to close is one that can write.
    (database as? DatabasePool)?.invalidateReadOnlyConnections()
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

  /// Writes in one transaction: all of it, or nothing where it throws.
  ///
  /// - Throws: ``DirectoryError``; what `body` and the journal throw besides.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let readOnly { throw readOnly }
    do {
      return try await journal.write(body)
    } catch let error as RowDecodingError {
      throw told(error)
    }
  }

  /// What an error of the database means, which the log is told.
  func told(_ error: any Error) -> any Error {
    switch error {
    // Somebody has gone or the file was closed, and nobody waits for the answer any more.
    case let error as DatabaseError
    where [.SQLITE_INTERRUPT, .SQLITE_MISUSE].contains(error.resultCode):
      return error
    case is DatabaseError, is RowDecodingError:
      // A value that it quotes may be of any length.
      let line = "cannot read \(path): \(error)".prefix(1_000)
      onProblem(line.split(whereSeparator: \.isNewline).joined(separator: " "))
      return DirectoryError.unreadable(path: path, cause: error)
    default: return error
    }
  }

  /// A number that is another one whenever another process has changed airports.
  func lastChangeByOthers() async throws -> Int {
    try await read { [mark] in try mark.lastOfOthers($0) }
  }
}
