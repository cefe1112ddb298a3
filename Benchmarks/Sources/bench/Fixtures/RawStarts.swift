import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDBSQLite

/// Inserts of runs through SQLite's own interface, into the tables of a journal.
final class RawStarts {
  private let folder: BenchmarkFolder
  private var connection: OpaquePointer?
  private var begin: OpaquePointer?
  private var insert: OpaquePointer?
  private var commit: OpaquePointer?
  private let ids: [String]
  private var next = 0

  /// The strings and bytes that are bound live as long as the statement runs.
  private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ count: Int) async throws {
    folder = try BenchmarkFolder()
    let path = folder.file.path()
    try await SQLiteJournal(path: path).close()
    ids = (0..<count).map { _ in RunID(at: Date()).description }
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
    insert = try prepare(
      """
      INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts,
      started_at, changed_at, waits, wakes_at, payload)
      VALUES (?, 'orders', 1, ?, 0, 0, 0, 0, ?, ?, 0, ?, ?)
      """)
    commit = try prepare("COMMIT")
  }

  deinit {
    for statement in [begin, insert, commit] { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  /// Inserts runs in one transaction.
  func start(_ count: Int) throws {
    try step(begin)
    for _ in 0..<count { try insertNext() }
    try step(commit)
  }

  private func insertNext() throws {
    let now = Date().timeIntervalSinceReferenceDate
    sqlite3_bind_text(insert, 1, ids[next], -1, transient)
    sqlite3_bind_text(insert, 2, "order \(next)", -1, transient)
    for place in Int32(3)...5 { sqlite3_bind_double(insert, place, now) }
    WorkingRuns.payload.withUnsafeBytes { bytes in
      _ = sqlite3_bind_blob(insert, 6, bytes.baseAddress, Int32(bytes.count), transient)
    }
    try step(insert)
    next += 1
  }

  private func step(_ statement: OpaquePointer?) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else {
      throw RawJournal.Failure(code: sqlite3_errcode(connection))
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
    if code != SQLITE_OK { throw RawJournal.Failure(code: code) }
  }
}

/// Starts by a runner, in a journal of their own.
final class RunnerStarts: Sendable {
  private let folder: BenchmarkFolder
  private let runner: DurableRunner

  init() async throws {
    folder = try BenchmarkFolder()
    let journal = try SQLiteJournal(path: folder.file.path())
    runner = try DurableRunner(journal: journal, flows: [DurableFlow(RunnerRuns.Order.self)])
  }

  /// Starts runs one after the other, each by a call of its own.
  func startEach(_ count: Int) async throws {
    for number in 0..<count {
      _ = try await runner.start(RunnerRuns.Order.first, key: "order \(number)")
    }
  }

  /// Starts runs by one call.
  func startAll(_ count: Int) async throws {
    let answers = try await runner.start(
      all: (0..<count).lazy.map { StageStart(RunnerRuns.Order.first, key: "order \($0)") })
    guard answers.allSatisfy({ (try? $0.get()) != nil }) else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
