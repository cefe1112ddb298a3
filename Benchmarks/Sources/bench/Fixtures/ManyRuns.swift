import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDBSQLite

/// A journal with many runs in one state, made when it is first asked.
actor ManyRuns {
  private let count: Int
  private let state: RunState
  private let crowd: Crowd
  private var made: (folder: BenchmarkFolder, journal: SQLiteJournal)?

  /// What stands between a claim and the runs.
  enum Crowd {
    /// Nothing: they are due in the order of their rows.
    case none
    /// They are due in an order in which the runs of a claim lie as far apart as those of `full`.
    case order
    /// They have priorities and concurrency keys: half of them the same key, and the others one for
    /// each ten, and of each key one may run at a time.
    case full
    /// 16 of them have begun, and no others may before these are over.
    case begun

    /// What is added to a run's due time, in SQL, by its number n.
    ///
    /// Of `full`, a claim gives one run of each key, and there is a key for each 20 rows.
    fileprivate var order: String {
      switch self {
      case .none, .begun: ""
      case .order: " - n % 20 * 3600.0"
      case .full: " - n % 7 * 3600.0"
      }
    }
  }

  init(_ count: Int, in state: RunState, crowd: Crowd = .none) {
    self.count = count
    self.state = state
    self.crowd = crowd
  }

  /// The time that so many claims take, in nanoseconds: the median of them for each.
  ///
  /// SQLite moves its log into the database at every thousandth page, which takes ten claims' time. It
  /// is by chance whether that falls into a claim or between two.
  func claim(times: Int) async throws -> Double {
    let journal = try await journal()
    let request = ClaimRequest(
      worker: "bench", flows: [.init(flow: "orders", version: 1, limit: 16)], lease: .seconds(30))
    var elapsed: [Duration] = []
    for _ in 0..<times {
      let start = ContinuousClock.now
      let claim = try await journal.claim(request, at: WorkingRuns.time)
      elapsed.append(ContinuousClock.now - start)
      guard claim.runs.count == 16 else { throw CocoaError(.fileReadUnknown) }
      for run in claim.runs {
        let claim = RunClaim(
          id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
        try await journal.park(Parking(claim: claim, reason: .shutdown), at: WorkingRuns.time)
      }
    }
    return elapsed.sorted()[times / 2] / .nanoseconds(1) * Double(times)
  }

  /// The time that so many pages take, in nanoseconds.
  func page(times: Int) async throws -> Double {
    let journal = try await journal()
    let befores = (0..<times).map { _ in
      RunID(Self.text(Int.random(in: 100..<count)))
    }
    let start = ContinuousClock.now
    for before in befores {
      let page = try await journal.runs(RunQuery(states: [.completed], before: before, limit: 50))
      guard page.runs.count == 50 else { throw CocoaError(.fileReadUnknown) }
    }
    return (ContinuousClock.now - start) / .nanoseconds(1)
  }

  /// The identifier of a run by its number.
  static func text(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 26 - digits.count) + digits
  }

  private func journal() async throws -> SQLiteJournal {
    if let made { return made.journal }
    let folder = try BenchmarkFolder()
    let path = folder.file.path()
    // Without waiting for the disk, which would be the same for both and hide the difference.
    let options = SQLiteJournalOptions(durability: .normal)
    let journal = try SQLiteJournal(path: path, options: options)
    try Self.fill(path, count, state, crowd: crowd)
    if crowd == .full {
      let limits = FlowLimits(runs: 1_000, perKey: .init(1, counting: .executing))
      try await journal.setLimits(limits, of: "orders", replacing: true, at: WorkingRuns.time)
      // The claims that bring the first run of each key in, which are not what is timed.
      let request = ClaimRequest(
        worker: "bench", flows: [.init(flow: "orders", version: 1, limit: 0)],
        lease: .seconds(30))
      for _ in 0...(count / 20 / 1_000) {
        _ = try await journal.claim(request, at: WorkingRuns.time)
      }
    }
    if crowd == .begun {
      let limits = FlowLimits(runs: 16, counting: .wholeRun)
      try await journal.setLimits(limits, of: "orders", replacing: true, at: WorkingRuns.time)
    }
    made = (folder, journal)
    return journal
  }

  /// Puts so many runs into a journal, past its own code.
  static func fill(
    _ path: String, _ count: Int, _ state: RunState, crowd: Crowd = .none
  ) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let payload = String(decoding: WorkingRuns.payload, as: UTF8.self)
    let sql = """
      WITH RECURSIVE runs (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM runs LIMIT \(count))
      INSERT INTO fieldstone_run (id, flow, version, state, sequence, fence, attempts, started_at,
      changed_at, waits, wakes_at, payload, priority, concurrency)
      SELECT printf('%026d', n), 'orders', 1, \(state == .ready ? 0 : 2), 0, 0, 0, 1e6 + n, 1e6 + n,
      0, 1e6 + n\(crowd.order), CAST('\(payload)' AS BLOB),
      \(crowd == .full ? "n % 7" : "0"),
      \(crowd == .full ? "CASE WHEN n % 2 = 0 THEN 'all' ELSE 'key ' || (n / 20) END" : "NULL")
      FROM runs;
      PRAGMA wal_checkpoint(TRUNCATE);
      """
    guard sqlite3_open(path, &connection) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw RawJournal.Failure(code: sqlite3_errcode(connection)) }
  }
}
