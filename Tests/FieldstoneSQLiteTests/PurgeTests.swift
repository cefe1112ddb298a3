#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("A purge")
  struct PurgeTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// Counts the rows that go in each transaction.
    private final class Counter: TransactionObserver {
      let counts = Locked<[Int]>([])
      private let count = Locked(0)

      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        eventKind.tableName == "gone"
      }

      func databaseDidChange(with event: DatabaseEvent) { count.withLock { $0 += 1 } }

      func databaseDidCommit(_ database: Database) {
        let count = count.withLock { count in
          defer { count = 0 }
          return count
        }
        if count > 0 { counts.withLock { $0.append(count) } }
      }

      func databaseDidRollback(_ database: Database) { count.withLock { $0 = 0 } }
    }

    @Test("keeps the signals of a run that is retried before it is gone")
    func retried() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      for number in 0..<600 {
        let signal = SignalRecord(
          id: "\(number)", name: "go", payload: Data("1".utf8), sentAt: JournalTime.at(0).date)
        try await journal.signal(id, signal, at: .at(0))
      }
      try await journal.change(id, .cancel, by: nil, at: .at(1))
      let gate = Gate()
      async let opening: Void = journal.write { _ in
        gate.open()
        while journal.waitingWrites < 2 { sched_yield() }
      }
      await gate.wait()
      let purge = Task { try await journal.purge(id, by: "ada", at: .at(2)) }
      while journal.waitingWrites < 1 { await Task.yield() }
      let retry = Task { try await journal.change(id, .retry, by: "bob", at: .at(2)) }
      try await opening
      _ = await (purge.result, retry.result)
      let queue = try DatabaseQueue(path: folder.path)
      let left = try await queue.read {
        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM fieldstone_signal")
      }
      let isThere = try await journal.run(id) != nil
      #expect(left == (isThere ? 600 : 0))
    }

    @Test("removes the finished runs of all flows, also of one without a name")
    func flows() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let flows = ["", "a", "samples", "\u{10FFFF}"]
      for (number, flow) in flows.enumerated() {
        for run in 0..<3 {
          _ = try await journal.start(.sample(number * 3 + run, flow: flow), at: .at(0))
        }
        let request = ClaimRequest(
          worker: "worker", flows: [.init(flow: flow, version: 1, limit: 3)], lease: .seconds(60))
        let runs = try await journal.claim(request, at: .at(0)).runs.map(\.record)
        try await journal.checkpoint(runs[0].checkpoint(.completion(Data("1".utf8))), at: .at(1))
        try await journal.change(runs[1].id, .cancel, at: .at(1))
      }
      let retention = JournalRetention(runs: .seconds(10))
      #expect(try await journal.purge(retention, at: .at(5)) == 0)
      #expect(try await journal.purge(retention, at: .at(20)) == 2 * flows.count)
      let left = try await journal.runs(RunQuery(limit: 100)).runs
      #expect(left.count == flows.count && left.allSatisfy { $0.state == .running })
      try await journal.close()
    }

    @Test("lets others write after some hundred runs that are still needed")
    func needed() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let last = try await journal.start(1)[0]
      try await journal.change(last, .cancel, by: nil, at: .at(3))
      try await journal.start(1_201, from: 1)
      try await journal.close()
      var configuration = Configuration()
      let commits = Locked(0)
      configuration.prepareDatabase { database in
        database.trace(options: .statement) { event in
          guard case .statement(let statement) = event else { return }
          if statement.sql.hasPrefix("COMMIT") { commits.withLock { $0 += 1 } }
        }
      }
      let pool = try DatabasePool(path: folder.path, configuration: configuration)
      try await pool.write { database in
        // Cancelled before the last run, and children of a stage whose parent still waits for them.
        try database.execute(
          sql: """
            UPDATE fieldstone_run SET state = 5, gate = 0, changed_at = changed_at + 1 \
            WHERE number > 2;
            UPDATE fieldstone_run SET join_sequence = 1 WHERE number = 2;
            UPDATE fieldstone_run SET parent = 2, parent_sequence = 1, ordinal = number \
            WHERE number > 2
            """)
      }
      let purging = try SQLiteJournal(
        in: pool, options: SQLiteJournalOptions(joinsOtherTables: true))
      func purge(_ age: Duration) async throws -> (runs: Int, commits: Int) {
        let before = commits.withLock { $0 }
        let runs = try await purging.purge(JournalRetention(runs: age), at: .at(5))
        return (runs, commits.withLock { $0 } - before)
      }
      let idle = try await purge(.seconds(60))
      #expect(idle.runs == 0)
      // Instead of one transaction for all of them: 500, 500 and the rest.
      let whole = try await purge(.zero)
      #expect(whole.runs == 1)
      #expect(whole.commits >= idle.commits + 2)
      #expect(try await purging.run(last) == nil)
      #expect(try await purging.count(RunQuery(states: [.cancelled])).number == 1_200)
    }

    @Test("lets others write after some hundred rows, however much hangs on a run")
    func short() async throws {
      let pool = try DatabasePool(path: folder.path)
      let journal = try SQLiteJournal(
        in: pool, options: SQLiteJournalOptions(joinsOtherTables: true))
      try await journal.start(5)
      try await pool.write { database in
        // A table of rows that go: not of every kind of table does SQLite tell.
        try database.execute(
          sql: """
            CREATE TABLE gone (run INTEGER);
            CREATE TRIGGER step_gone AFTER DELETE ON fieldstone_step
            BEGIN INSERT INTO gone VALUES (old.run); END;
            CREATE TRIGGER signal_gone AFTER DELETE ON fieldstone_signal
            BEGIN INSERT INTO gone VALUES (old.run); END;
            CREATE TRIGGER run_gone AFTER DELETE ON fieldstone_run
            BEGIN INSERT INTO gone VALUES (old.number); END;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1299)
            INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at,
            ended_at, payload) SELECT number, i, 1, 0, 1, 1, 0, 0, x'' FROM fieldstone_run, n;
            INSERT INTO fieldstone_signal (run, id, name, sent_at, consumed_by, payload)
            SELECT run, sequence, 'go', 0, sequence, x'' FROM fieldstone_step;
            UPDATE fieldstone_run SET sequence = 1300;
            UPDATE fieldstone_run SET state = 2 WHERE number <= 3;
            """)
      }
      let counter = Counter()
      pool.add(transactionObserver: counter, extent: .observerLifetime)
      let count = try await journal.purge(
        JournalRetention(runs: .zero, stepsPerRun: 100), at: .at(1))
      #expect(count == 3)
      let counts = counter.counts.withLock { $0 }
      // Three whole runs, and of two the oldest steps with their signals.
      let (whole, surplus) = (3 * 2_601, 2 * 2_400)
      let sum = counts.reduce(0, +)
      #expect(sum == whole + surplus)
      #expect(counts.allSatisfy { $0 <= 1_000 }, "\(counts)")
      let left = try await pool.read { database -> [[Int]] in
        try Row.fetchAll(
          database,
          sql: "SELECT run, COUNT(*), MIN(sequence) FROM fieldstone_step GROUP BY run ORDER BY run"
        ).map { row in
          let numbers: [Int] = [row[0], row[1], row[2]]
          return numbers
        }
      }
      let wanted: [[Int]] = [[4, 100, 1_200], [5, 100, 1_200]]
      #expect(left == wanted)
      let signals = try await pool.read { database in
        try Int.fetchAll(database, sql: "SELECT DISTINCT run FROM fieldstone_signal ORDER BY run")
      }
      #expect(signals == [4, 5])
      #expect(try await journal.runs(RunQuery()).runs.count == 2)
    }
  }
#endif
