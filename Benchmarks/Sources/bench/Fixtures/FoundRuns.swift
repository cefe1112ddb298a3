import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDBSQLite

/// A journal with many runs that are found by what they are, made when it is first asked.
///
/// Each customer has two hundred of them, whatever their number, one every ten seconds: a tenth is dead, a
/// tenth awaits a signal, a tenth a time, and the others are completed.
actor FoundRuns {
  private let count: Int
  private var made: (folder: BenchmarkFolder, journal: SQLiteJournal)?

  init(_ count: Int) { self.count = count }

  private static let runsEach = 200
  /// The start of the first run, in milliseconds since 1970.
  private static let first = 1_700_000_000_000

  /// The time that so many rounds of queries take, in nanoseconds.
  func query(times: Int) async throws -> Double {
    let journal = try open().journal
    let customers = (0..<times).map { _ in Int.random(in: 0..<(count / Self.runsEach)) }
    let start = ContinuousClock.now
    for customer in customers {
      for query in queries(of: customer) {
        let page = try await journal.runs(query)
        // The last page of some is shorter.
        guard page.runs.count >= 5 else { throw CocoaError(.fileReadUnknown) }
      }
      guard try await journal.count(queries(of: customer)[0]).number > 100 else {
        throw CocoaError(.fileReadUnknown)
      }
    }
    return (ContinuousClock.now - start) / .nanoseconds(1)
  }

  private func queries(of customer: Int) -> [RunQuery] {
    var attribute = RunQuery(flow: "orders", states: [.completed])
    attribute.attributes = ["customer": .integer(customer)]
    var error = RunQuery()
    error.error = ErrorFingerprint(String(repeating: "0", count: 8) + Self.hexadecimal(customer))
    var signal = RunQuery(flow: "orders")
    signal.waiting = .signal("paid \(customer)")
    var key = RunQuery()
    key.keyPrefix = "\(customer)-"
    // From the middle of all on.
    let middle = Date(
      timeIntervalSince1970: Double(Self.first) / 1_000 + Double(count / 2 + customer) * 10)
    var until = RunQuery(flow: "orders", states: [.dead])
    until.until = middle
    var stopped = RunQuery(flow: "orders", states: [.dead])
    stopped.order = .lastStoppedFirst
    stopped.stoppedUntil = middle
    var oldest = RunQuery(flow: "orders", states: [.completed])
    oldest.order = .oldestFirst
    oldest.since = middle
    return [attribute, error, signal, key, until, stopped, oldest]
  }

  private static func hexadecimal(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The journal, and its folder.
  func open() throws -> (folder: BenchmarkFolder, journal: SQLiteJournal) {
    if let made { return made }
    let folder = try BenchmarkFolder()
    let path = folder.file.path()
    let journal = try SQLiteJournal(path: path, options: SQLiteJournalOptions(durability: .normal))
    try Self.fill(path, count)
    made = (folder, journal)
    return (folder, journal)
  }

  /// Puts so many runs into a journal, past its own code.
  private static func fill(_ path: String, _ count: Int) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let payload = String(decoding: WorkingRuns.payload, as: UTF8.self)
    // The ten characters of the time, then the number.
    let digits = stride(from: 45, through: 0, by: -5).map {
      "substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((t >> \($0)) & 31) + 1, 1)"
    }.joined(separator: " || ")
    let customers = count / runsEach
    let sql = """
      CREATE TEMP TABLE runs AS WITH RECURSIVE runs (n) AS
      (SELECT 0 UNION ALL SELECT n + 1 FROM runs LIMIT \(count))
      SELECT n, t, \(digits) || printf('%016d', n) AS id, n / 10 % \(customers) AS customer
      FROM (SELECT n, \(first) + n * 10000 AS t FROM runs);
      INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts,
      started_at, changed_at, due_at, waits, wakes_at, awaited, error, fingerprint, payload)
      SELECT id, 'orders', 1, customer || '-' || n, CASE n % 10 WHEN 0 THEN 3 WHEN 1 THEN 0
      WHEN 2 THEN 0 ELSE 2 END, 1, 1, 0, t / 1000.0 - 978307200, t / 1000.0 - 978307200 + 5,
      IIF(n % 10 IN (1, 2), 9e9, NULL), n % 10 IN (1, 2), 9e9,
      IIF(n % 10 = 1, 'paid ' || customer, NULL), IIF(n % 10 = 0, 'no', NULL),
      IIF(n % 10 = 0, customer, NULL), CAST('\(payload)' AS BLOB) FROM runs;
      INSERT INTO fieldstone_attribute SELECT 'customer', 'i:' || customer, id FROM runs;
      PRAGMA wal_checkpoint(TRUNCATE);
      """
    guard sqlite3_open(path, &connection) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw RawJournal.Failure(code: sqlite3_errcode(connection)) }
  }
}
