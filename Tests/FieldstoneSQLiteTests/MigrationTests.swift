#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("A journal that 0.1.0 wrote", .timeLimit(.minutes(20)))
  struct MigrationTests {
    let folder: Folder

    init() throws {
      folder = try Folder()
      let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/journal-0.1.0.sqlite")
      try FileManager.default.copyItem(at: fixture, to: URL(filePath: folder.path))
    }

    private func states(of journal: SQLiteJournal) async throws -> [String: RunRecord] {
      var states: [String: RunRecord] = [:]
      for run in try await journal.runs(RunQuery(limit: 100)).runs where run.flow != "samples" {
        states[run.flow] = run
      }
      return states
    }

    private func examine(_ journal: SQLiteJournal) async throws {
      let runs = try await states(of: journal)
      let wanted: [String: RunState] = [
        "once": .running, "advanced": .running, "waiting": .ready, "receiving": .ready,
        "failed": .ready, "dead": .dead, "blocked": .blocked, "completed": .completed,
        "cancelled": .cancelled, "ready": .ready,
      ]
      #expect(runs.mapValues(\.state) == wanted)
      #expect(runs.mapValues(\.crashes).allSatisfy { $0.value == 0 })
      #expect(runs["failed"]?.attempts == 1 && runs["once"]?.attempts == 1)
      #expect(runs["advanced"]?.sequence == 1 && runs["completed"]?.sequence == 1)
      let completed = try #require(runs["completed"])
      #expect(try await journal.chain(of: completed.id).map(\.attempts) == [1])
    }

    @Test("It is read as it is, by who may only read")
    func reading() async throws {
      let before = folder.bytes()
      let journal = try SQLiteJournal.reader(path: folder.path)
      try await examine(journal)
      let run = try #require(try await journal.run(sampleID(0)))
      #expect(run.state == .running && run.attempts == 5 && run.crashes == 0)
      #expect(run.deadline == nil && run.attributes == [:] && run.trace == [:])
      #expect(run.origin == nil)
      #expect(try await journal.audit(AuditQuery()).records == [])
      var query = RunQuery()
      query.attributes = ["customer": "ada"]
      #expect(try await journal.runs(query).runs == [])
      query = RunQuery(flow: "waiting")
      query.waiting = .time
      #expect(try await journal.runs(query).runs.count == 1)
      #expect(try await journal.count(RunQuery(states: [.dead])) == RunCount(1))
      // Fingerprints come with the schema of today.
      #expect(try await journal.errorGroups(atMost: 10) == [])
      #expect(try await journal.schedules() == [])
      #expect(try await journal.standing(of: run.id)?.record == run)
      try await journal.close()
      #expect(folder.bytes() == before)
    }

    @Test("Who has it open to read sees what is there after its migration")
    func migratedMeanwhile() async throws {
      // Keeps the log in place.
      let app = try DatabasePool(path: folder.path)
      let reader = try SQLiteJournal.reader(path: folder.path)
      try await examine(reader)
      #expect(try await reader.pauses() == [])
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.pause(.flow("once"), until: nil, by: "ada", at: .at(0))
      for _ in 0..<2 {
        #expect(try await reader.pauses().map(\.target) == [.flow("once")])
        #expect(try await reader.audit(AuditQuery()).records.map(\.actor) == ["ada"])
        try await examine(reader)
      }
      try await journal.close()
      try await reader.close()
      try app.close()
    }

    @Test("A view of the app's that lacks its table keeps no journal from its migration")
    func brokenView() async throws {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: "CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone")
      }
      try queue.close()
      let journal = try SQLiteJournal(path: folder.path)
      try await examine(journal)
      #expect(try await journal.findings() == [])
      try await journal.close()
    }

    @Test("Opened to write, it has the schema of today; attempts that no error ended were crashes")
    func migrating() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await examine(journal)
      for number in 0..<17 {
        let run = try #require(try await journal.run(sampleID(number)))
        #expect(run.attempts == 1 && run.crashes == (number == 0 ? 4 : 1), "\(number)")
      }
      let groups = try await journal.errorGroups(atMost: 10)
      #expect(groups.reduce(0) { $0 + $1.runs.number } == 2)
      #expect(groups.allSatisfy { $0.fingerprint == ErrorFingerprint(of: $0.sample) })
      try await journal.close()
      try await SQLiteJournal(path: folder["new.sqlite"]).close()
      let migrated = try await columns(of: DatabaseQueue(path: folder.path))
      #expect(try await columns(of: DatabaseQueue(path: folder["new.sqlite"])) == migrated)
    }

    private func columns(of queue: DatabaseQueue) async throws -> [String] {
      try await queue.read { database in
        try String.fetchAll(
          database,
          sql: """
            SELECT m.type || ' ' || m.name || ' ' || IFNULL(c.name || c.type || c."notnull", '') \
            FROM sqlite_schema AS m LEFT JOIN pragma_table_info(m.name) AS c ORDER BY 1
            """)
      }
    }

    @Test("Its runs go on: sixteen whose worker was killed twice at once, signals, pauses")
    func goingOn() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      func claim(
        _ flow: String, _ quarantine: ClaimRequest.Quarantine, at seconds: Double
      ) async throws -> Claim {
        try await journal.claim(
          ClaimRequest(
            worker: "new", flows: [.init(flow: flow, version: 1, limit: 100)],
            lease: .seconds(60), quarantine: quarantine), at: .at(seconds))
      }
      let left = try await claim("samples", .left(after: 2), at: 1_000)
      #expect(left.runs.isEmpty && left.quarantined == .groups)
      let group = try await claim("samples", .alone(after: 2), at: 1_000)
      #expect(group.runs.map(\.record.id) == (1..<17).map(sampleID))
      #expect(group.runs.allSatisfy { $0.record.crashes == 2 && $0.record.attempts == 1 })
      for run in group.runs {
        try await journal.checkpoint(run.record.checkpoint(), at: .at(1_001))
      }
      let lone = try await claim("samples", .alone(after: 2), at: 1_002)
      #expect(lone.runs.map(\.record.id) == [sampleID(0)] && lone.runs.allSatisfy(\.isAlone))
      let received = try await claim("receiving", .left(after: 2), at: 1_002)
      #expect(received.runs.map(\.signal?.id) == ["1"])
      #expect(try await claim("failed", .left(after: 2), at: 1_002).runs.isEmpty)
      // The clock is set back to a time before the pause began.
      #expect(try await claim("failed", .left(after: 2), at: -1).runs.count == 1)
      #expect(try await claim("waiting", .left(after: 2), at: -1).runs.isEmpty)
      #expect(try await claim("waiting", .left(after: 2), at: 86_401).runs.count == 1)
    }
  }
#endif
