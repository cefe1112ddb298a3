#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  /// A server that has never analyzed a table takes it for a small one, and a connection keeps the
  /// plans that it makes then.
  @Suite(
    "Few among many runs in PostgreSQL, in tables that were never analyzed",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresLookUpTests {
    private let time = JournalTime(.system, boot: "boot")
    private static let many = 200

    /// A journal with many running runs, many paused ones and many in quarantine.
    private struct Scene {
      let options: PostgresJournalOptions
      let running: [RunClaim]
      let paused: [RunID]

      /// Opens the journal with connections of a name of its own.
      func open(_ name: String) async throws -> PostgresJournal {
        try await PostgresJournal(
          PostgresServer.shared.text(as: self.name(name)), options: options)
      }

      /// Closes a journal; returns when the server has the figures of its connections, which they
      /// report at their end.
      func close(_ journal: PostgresJournal, _ name: String) async throws {
        await journal.close()
        let watcher = try await PostgresServer.shared.journal()
        let sql =
          "SELECT pid::text FROM pg_stat_activity WHERE application_name = '\(self.name(name))'"
        while try await !watcher.texts(sql).isEmpty {}
        await watcher.close()
      }

      private func name(_ name: String) -> String {
        "\(name)-\(options.schema.replacing(" ", with: "-"))"
      }
    }

    /// Makes the scene, and whatever else a test needs.
    private func scene(
      flows: [String] = ["run", "pause", "crash"],
      preparing: (PostgresJournal, [RunClaim]) async throws -> Void = { _, _ in }
    ) async throws -> Scene {
      var options = PostgresJournalOptions()
      options.schema = PostgresServer.shared.newSchema()
      var scene = Scene(options: options, running: [], paused: [])
      let journal = try await scene.open("prepares")
      for table in ["run", "step", "pause", "signal"] {
        _ = try await journal.texts("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
      }
      for flow in flows {
        let starts = (0..<Self.many).map { _ in
          RunStart(id: RunID(at: time.date), flow: flow, version: 1, payload: Data("0".utf8))
        }
        for result in await journal.start(starts, at: time) { _ = try result.get() }
      }
      let paused = try await claim(journal, "pause").map(\.id)
      for id in paused { try await journal.pause(.run(id), until: nil, at: time) }
      _ = try await journal.texts(
        "UPDATE run SET quarantine = 1, crashes = 2 WHERE flow = 'crash'")
      scene = Scene(
        options: options, running: try await claim(journal, "run"), paused: paused)
      try await preparing(journal, scene.running)
      try await scene.close(journal, "prepares")
      return scene
    }

    /// Claims the runs of a flow, at most a number.
    private func claim(
      _ journal: PostgresJournal, _ flow: String, _ limit: Int = many,
      quarantine: ClaimRequest.Quarantine = .disregarded
    ) async throws -> [RunClaim] {
      var request = ClaimRequest(
        worker: "worker", flows: [.init(flow: flow, version: 1, limit: limit)],
        lease: .seconds(600))
      request.quarantine = quarantine
      return try await journal.claim(request, at: time).runs.map {
        RunClaim(id: $0.record.id, sequence: $0.record.sequence, fence: $0.record.fence)
      }
    }

    /// Takes a run on.
    private func checkpoint(
      _ journal: PostgresJournal, _ run: RunClaim, _ next: Checkpoint.Next
    ) async throws {
      try await journal.checkpoint(
        Checkpoint(
          claim: run, version: 1, next: next, beganAt: time.date, lease: .seconds(600)), at: time)
    }

    /// The number of entries that were read up to now, by index.
    private func entries(_ scene: Scene) async throws -> [String: Int] {
      // A connection may keep the figures that it has read.
      let reader = try await scene.open("reads")
      let sql = """
        SELECT indexrelname || ' ' || idx_tup_read FROM pg_stat_all_indexes \
        WHERE schemaname = current_schema()
        """
      let all = try await reader.texts(sql).map { $0.split(separator: " ") }
      try await scene.close(reader, "reads")
      return Dictionary(uniqueKeysWithValues: all.map { (String($0[0]), Int($0[1]) ?? 0) })
    }

    /// The number of rows that were read up to now without an index, by table.
    private func scanned(_ scene: Scene) async throws -> [String: Int] {
      let reader = try await scene.open("reads")
      let sql = """
        SELECT relname || ' ' || seq_tup_read FROM pg_stat_all_tables \
        WHERE schemaname = current_schema()
        """
      let all = try await reader.texts(sql).map { $0.split(separator: " ") }
      try await scene.close(reader, "reads")
      return Dictionary(uniqueKeysWithValues: all.map { (String($0[0]), Int($0[1]) ?? 0) })
    }

    /// The number of entries that some work reads, by index.
    private func entriesRead(
      in scene: Scene, _ work: (PostgresJournal) async throws -> Void
    ) async throws -> [String: Int] {
      let before = try await entries(scene)
      let worker = try await scene.open("works")
      try await work(worker)
      try await scene.close(worker, "works")
      return try await entries(scene).merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    @Test(
      "A checkpoint reads the entries of its own run",
      arguments: [["run"], ["run", "pause", "crash"]])
    func checkpoint(flows: [String]) async throws {
      let scene = try await scene(flows: flows)
      let read = try await entriesRead(in: scene) { journal in
        for run in scene.running.prefix(10) {
          try await checkpoint(journal, run, .stage(Data("1".utf8)))
        }
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test("A look for work of one flow reads nothing of the ready runs of another")
    func otherFlow() async throws {
      let scene = try await scene(flows: []) { journal, _ in
        let starts = (0...Self.many).map { number in
          RunStart(
            id: RunID(at: time.date), flow: number == 0 ? "later" : "busy", version: 1,
            payload: Data("0".utf8), notBefore: number == 0 ? time.date + 600 : nil)
        }
        for result in await journal.start(starts, at: time) { _ = try result.get() }
      }
      let read = try await entriesRead(in: scene) { journal in
        let claimed = try await claim(journal, "later")
        #expect(claimed.isEmpty)
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test(
      "A claim of one of many ready runs of a flow reads few of them, with limits and without",
      arguments: [false, true])
    func ready(hasLimits: Bool) async throws {
      let scene = try await scene(flows: []) { journal, _ in
        let starts = (0..<Self.many).map { _ in
          RunStart(id: RunID(at: time.date), flow: "ready", version: 1, payload: Data("0".utf8))
        }
        for result in await journal.start(starts, at: time) { _ = try result.get() }
        guard hasLimits else { return }
        try await journal.setLimits(FlowLimits(runs: 10), of: "ready", replacing: true, at: time)
      }
      let read = try await entriesRead(in: scene) { journal in
        let claimed = try await claim(journal, "ready", 1)
        #expect(claimed.count == 1)
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test("A claim reads the expired lease of one of many running runs, and few others")
    func expired() async throws {
      let scene = try await scene { journal, running in
        // As if its worker had died; of the others, the leases have ten minutes to go.
        _ = try await journal.texts(
          """
          UPDATE run SET lease_end = clock_timestamp() - interval '1 s', \
          check_at = clock_timestamp() - interval '1 s' WHERE id = (SELECT id FROM run \
          WHERE flow = 'run' ORDER BY id LIMIT 1)
          """)
      }
      let first = try #require(scene.running.map(\.id).min())
      let read = try await entriesRead(in: scene) { journal in
        let claimed = try await claim(journal, "run", 1)
        #expect(claimed.map(\.id) == [first])
        #expect(claimed.map(\.fence) == [2])
      }
      // Claims read all runs in quarantine, and the entries that nothing has vacuumed.
      let others = read.filter { !["run_quarantine", "run_ready"].contains($0.key) }
      #expect(!others.isEmpty && others.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test(
      "A renewal reads the entries of its own runs",
      arguments: [["run"], ["run", "pause", "crash"]])
    func renewal(flows: [String]) async throws {
      let scene = try await scene(flows: flows)
      let read = try await entriesRead(in: scene) { journal in
        for run in scene.running.prefix(10) {
          let lost = try await journal.renew([run], lease: .seconds(600), at: time)
          #expect(lost.isEmpty)
        }
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test("A cancelled run ends its own pause alone")
    func cancellation() async throws {
      let scene = try await scene()
      let read = try await entriesRead(in: scene) { journal in
        try await journal.change(scene.paused[0], .cancel, at: time)
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      let journal = try await scene.open("looks")
      #expect(try await journal.pauses().count == Self.many - 1)
      await journal.close()
    }

    @Test(
      "A claim reads the run that is due, and the signals of the names that it awaits",
      arguments: [ClaimRequest.Quarantine.disregarded, .left(after: 2)])
    func signals(quarantine: ClaimRequest.Quarantine) async throws {
      let scene = try await scene { journal, running in
        let next = Checkpoint.Next.receiving(
          Data("1".utf8), signals: ["go", "stop"], until: nil)
        try await checkpoint(journal, running[0], next)
        for number in 0...Self.many {
          let signal = SignalRecord(
            id: "\(number)", name: number == Self.many ? "stop" : "other",
            payload: Data("1".utf8), sentAt: time.date)
          try await journal.signal(running[0].id, signal, at: time)
        }
      }
      let all = try await entriesRead(in: scene) { journal in
        let claimed = try await claim(journal, "run", 1, quarantine: quarantine)
        #expect(claimed.map(\.id) == [scene.running[0].id])
      }
      // Claims read all runs in quarantine, and the entries that nothing has vacuumed.
      let read = all.filter { !["run_quarantine", "run_ready"].contains($0.key) }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
    }

    @Test("Changes since a mark read nothing of before, however old another transaction is")
    func changes() async throws {
      let scene = try await scene()
      let app = try await PostgresServer.shared.journal()
      let held = await HeldTransaction("CREATE TABLE note (text text)", in: app)
      let writer = try await scene.open("writes")
      for run in scene.running.prefix(100) {
        try await checkpoint(writer, run, .stage(Data("1".utf8)))
      }
      let mark = try await writer.changes(since: nil).mark
      try await checkpoint(writer, scene.running[100], .stage(Data("1".utf8)))
      let read = try await entriesRead(in: scene) { journal in
        let changes = try await journal.changes(since: mark)
        #expect(changes.runs == [scene.running[100].id: .running])
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      try await held.end()
      await writer.close()
      await app.close()
    }

    @Test("A poll tells the changed runs, however many steps each of them has made")
    func manySteps() async throws {
      let scene = try await scene()
      let journal = try await scene.open("works")
      let mark = try await journal.changes(since: nil).mark
      let changed = scene.running.prefix(2).map(\.id)
      for run in scene.running.prefix(2) {
        try await checkpoint(journal, run, .stage(Data("1".utf8)))
      }
      _ = try await journal.texts(
        """
        INSERT INTO step (run, sequence, version, payload) SELECT run, sequence + n, 1, payload \
        FROM step, generate_series(1, 10001) AS n WHERE sequence = 1
        """)
      let changes = try await journal.changes(since: mark)
      #expect(changes.runs == [changed[0]: .running, changed[1]: .running])
      await journal.close()
    }

    @Test("The pages of a copy's signals read each signal about once")
    func copiedSignals() async throws {
      let count = 8 * Self.many
      let scene = try await scene(flows: ["run"]) { journal, _ in
        _ = try await journal.texts(
          """
          INSERT INTO signal (run, id, name, sent_at, payload) \
          SELECT run.id, n::text, 'go', now(), '' FROM generate_series(1, 8) AS n, run
          """)
      }
      let table = try #require(CopiedTable.all.first { $0.identity == .signals })
      let before = try await scanned(scene)["signal"] ?? 0
      var numbers: [CopiedCell: Int] = [:]
      let read = try await entriesRead(in: scene) { journal in
        var mark: [CopiedCell]?
        while true {
          let page = try await journal.rows(of: table, after: mark)
          if page.rows.isEmpty { return }
          for row in page.rows { numbers[row[0], default: 0] += 1 }
          mark = page.mark
        }
      }
      #expect(numbers.count == Self.many && numbers.values.allSatisfy { $0 == 8 })
      let sum = read.values.reduce(0, +) + (try await scanned(scene)["signal"] ?? 0) - before
      #expect(sum >= count && sum < 2 * count, "\(sum)")
    }

    @Test("The pages of a purge of steps read each run about once")
    func purgedSteps() async throws {
      let count = 3_000
      let scene = try await scene(flows: []) { journal, _ in
        let starts = (0..<count).map { _ in
          RunStart(id: RunID(at: time.date), flow: "long", version: 1, payload: Data("0".utf8))
        }
        for result in await journal.start(starts, at: time) { _ = try result.get() }
        _ = try await journal.texts("UPDATE run SET sequence = 2")
        _ = try await journal.texts("VACUUM run")
      }
      let read = try await entriesRead(in: scene) { journal in
        _ = try await journal.purge(JournalRetention(stepsPerRun: 1), at: time)
        #expect(try await journal.texts("SELECT run::text FROM step").isEmpty)
      }
      // Several for each run whose steps go; a page that begins at the first run reads 1,500 more.
      let entries = try #require(read["run_pkey"])
      #expect(entries >= count && entries < 10 * count, "\(read)")
    }

    @Test("A completion of a run that is paused ends its own pause alone")
    func pausedCompletion() async throws {
      let scene = try await scene { journal, running in
        try await journal.pause(.run(running[0].id), until: nil, at: time)
      }
      let read = try await entriesRead(in: scene) { journal in
        try await checkpoint(journal, scene.running[0], .completion(Data("1".utf8)))
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      let journal = try await scene.open("looks")
      #expect(try await journal.pauses().count == Self.many)
      await journal.close()
    }
  }
#endif
