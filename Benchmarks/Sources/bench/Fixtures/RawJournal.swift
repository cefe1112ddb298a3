import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDBSQLite

/// The statements of a checkpoint through SQLite's own interface, on the tables of a journal.
final class RawJournal {
  struct Failure: Error {
    let code: Int32
  }

  private let folder: BenchmarkFolder
  private let run: String
  private var sequence: Int64 = 0
  private var connection: OpaquePointer?
  private var begin: OpaquePointer?
  private var held: OpaquePointer?
  private var keep: OpaquePointer?
  private var advance: OpaquePointer?
  private var commit: OpaquePointer?

  /// The strings and bytes that are bound live as long as the statement runs.
  private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init() async throws {
    folder = try BenchmarkFolder()
    let path = folder.file.path()
    let (journal, runs) = try await WorkingRuns.make(1, at: path)
    run = runs[0].id.description
    try await journal.close()
    try check(sqlite3_open(path, &connection))
    try check(
      sqlite3_exec(
        connection,
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON; PRAGMA wal_autocheckpoint = 1000;
        PRAGMA journal_size_limit = 8388608;
        """, nil, nil, nil))
    begin = try prepare("BEGIN IMMEDIATE")
    held = try prepare(
      """
      SELECT number FROM fieldstone_run WHERE id = ? AND sequence = ? AND fence = ? AND state = 1
      """)
    keep = try prepare(
      """
      INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at,
      ended_at, worker, error, payload)
      SELECT number, sequence, fence, 0, version, attempts, ?, ?, worker, error, payload
      FROM fieldstone_run WHERE number = ?
      """)
    advance = try prepare(
      """
      UPDATE fieldstone_run SET sequence = sequence + 1, version = ?, payload = ?,
      attempts = 1, changed_at = ?, awaited = NULL, lease_end = ?, error = NULL
      WHERE number = ? AND boot = ?
      """)
    commit = try prepare("COMMIT")
  }

  deinit {
    for statement in [begin, held, keep, advance, commit] { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  func checkpoint() throws {
    let now = WorkingRuns.time.date.timeIntervalSinceReferenceDate
    try step(begin)
    sqlite3_bind_text(held, 1, run, -1, transient)
    sqlite3_bind_int64(held, 2, sequence)
    sqlite3_bind_int64(held, 3, 1)
    guard sqlite3_step(held) == SQLITE_ROW else { throw Failure(code: sqlite3_errcode(connection)) }
    let number = sqlite3_column_int64(held, 0)
    try step(held)
    sqlite3_bind_double(keep, 1, now)
    sqlite3_bind_double(keep, 2, now)
    sqlite3_bind_int64(keep, 3, number)
    try step(keep)
    let payload = WorkingRuns.payload
    sqlite3_bind_int64(advance, 1, 1)
    payload.withUnsafeBytes { bytes in
      _ = sqlite3_bind_blob(advance, 2, bytes.baseAddress, Int32(bytes.count), transient)
    }
    sqlite3_bind_double(advance, 3, now)
    sqlite3_bind_int64(advance, 4, 1_030_000_000_000)
    sqlite3_bind_int64(advance, 5, number)
    sqlite3_bind_text(advance, 6, "boot", -1, transient)
    try step(advance)
    try step(commit)
    sequence += 1
  }

  private func step(_ statement: OpaquePointer?) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else {
      throw Failure(code: sqlite3_errcode(connection))
    }
    sqlite3_reset(statement)
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    return statement
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw Failure(code: code) }
  }
}
