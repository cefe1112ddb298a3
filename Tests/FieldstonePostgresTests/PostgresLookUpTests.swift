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
    .timeLimit(.minutes(30)))
  struct PostgresLookUpTests {
    private let time = JournalTime(.system, boot: "boot")
    private static let many = 200

    private func starts(_ flow: String) -> [RunStart] {
      (0..<Self.many).map { _ in
        RunStart(id: RunID(at: time.date), flow: flow, version: 1, payload: Data("0".utf8))
      }
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

    /// A journal with many running runs, many paused ones and many in quarantine.
    private func journal(
      flows: [String] = ["run", "pause", "crash"]
    ) async throws -> (PostgresJournal, running: [RunClaim]) {
      let journal = try await PostgresServer.shared.journal()
      for flow in flows {
        for result in await journal.start(starts(flow), at: time) { _ = try result.get() }
      }
      for table in ["run", "step", "pause", "signal"] {
        _ = try await journal.texts("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
      }
      for run in try await claim(journal, "pause") {
        try await journal.pause(.run(run.id), until: nil, at: time)
      }
      _ = try await journal.texts(
        "UPDATE run SET quarantine = 1, crashes = 2 WHERE flow = 'crash'")
      return (journal, try await claim(journal, "run"))
    }

    /// The number of entries that were read up to now, by index.
    private func entries(_ journal: PostgresJournal) async throws -> [String: Int] {
      let sql = """
        SELECT indexrelname || ' ' || idx_tup_read FROM pg_stat_all_indexes \
        WHERE schemaname = current_schema()
        """
      let all = try await journal.texts(sql).map { $0.split(separator: " ") }
      return Dictionary(uniqueKeysWithValues: all.map { (String($0[0]), Int($0[1]) ?? 0) })
    }

    /// The number of entries that some work reads, by index; a connection reports them at its end.
    private func entriesRead(
      in journal: PostgresJournal, _ work: (PostgresJournal) async throws -> Void
    ) async throws -> [String: Int] {
      func end(_ journal: PostgresJournal, _ name: String) async throws {
        await journal.close()
        let watcher = try await PostgresServer.shared.journal()
        let sql = "SELECT pid::text FROM pg_stat_activity WHERE application_name = '\(name)'"
        while try await !watcher.texts(sql).isEmpty {}
        await watcher.close()
      }
      let server = PostgresServer.shared
      func open(_ name: String) async throws -> PostgresJournal {
        try await PostgresJournal(server.text(as: name), options: journal.options)
      }
      let name = "looks-up-\(journal.options.schema.replacing(" ", with: "-"))"
      let idle = try await open(name)
      try await end(idle, name)
      let reader = try await open("reader")
      let before = try await entries(reader)
      let worker = try await open(name)
      try await work(worker)
      try await end(worker, name)
      // A transaction may keep the figures that it has read.
      let after = try await entries(reader)
      await reader.close()
      return after.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    @Test(
      "A checkpoint reads the entries of its own run",
      arguments: [["run"], ["run", "pause", "crash"]]
    )
    func checkpoint(flows: [String]) async throws {
      let (journal, running) = try await journal(flows: flows)
      let read = try await entriesRead(in: journal) { journal in
        for run in running.prefix(10) {
          try await journal.checkpoint(
            Checkpoint(
              claim: run, version: 1, next: .stage(Data("1".utf8)), beganAt: time.date,
              lease: .seconds(600)), at: time)
        }
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      await journal.close()
    }

    @Test(
      "A renewal reads the entries of its own runs",
      arguments: [["run"], ["run", "pause", "crash"]])
    func renewal(flows: [String]) async throws {
      let (journal, running) = try await journal(flows: flows)
      let read = try await entriesRead(in: journal) { journal in
        for run in running.prefix(10) {
          let lost = try await journal.renew([run], lease: .seconds(600), at: time)
          #expect(lost.isEmpty)
        }
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      await journal.close()
    }

    @Test("A cancelled run ends its own pause alone")
    func cancellation() async throws {
      let (journal, _) = try await journal()
      let run = try #require(try await journal.pauses().first?.target.run)
      let read = try await entriesRead(in: journal) { journal in
        try await journal.change(run, .cancel, at: time)
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      #expect(try await journal.pauses().count == Self.many - 1)
      await journal.close()
    }

    @Test(
      "A claim reads the run that is due, and the signals of the names that it awaits",
      arguments: [ClaimRequest.Quarantine.disregarded, .left(after: 2)])
    func signals(quarantine: ClaimRequest.Quarantine) async throws {
      let (journal, running) = try await journal()
      let run = running[0]
      try await journal.checkpoint(
        Checkpoint(
          claim: run, version: 1,
          next: .receiving(Data("1".utf8), signals: ["go", "stop"], until: nil),
          beganAt: time.date, lease: .seconds(600)), at: time)
      for number in 0...Self.many {
        let signal = SignalRecord(
          id: "\(number)", name: number == Self.many ? "stop" : "other", payload: Data("1".utf8),
          sentAt: time.date)
        try await journal.signal(run.id, signal, at: time)
      }
      let all = try await entriesRead(in: journal) { journal in
        let claimed = try await claim(journal, "run", 1, quarantine: quarantine)
        #expect(claimed.map(\.id) == [run.id])
      }
      // Claims read all runs in quarantine, and the entries that nothing has vacuumed.
      let read = all.filter { !["run_quarantine", "run_ready"].contains($0.key) }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      await journal.close()
    }

    @Test("A completion of a run that is paused ends its own pause alone")
    func pausedCompletion() async throws {
      let (journal, running) = try await journal()
      let run = running[0]
      try await journal.pause(.run(run.id), until: nil, at: time)
      let read = try await entriesRead(in: journal) { journal in
        try await journal.checkpoint(
          Checkpoint(
            claim: run, version: 1, next: .completion(Data("1".utf8)), beganAt: time.date,
            lease: .seconds(600)), at: time)
      }
      #expect(!read.isEmpty && read.values.allSatisfy { $0 <= 50 }, "\(read)")
      #expect(try await journal.pauses().count == Self.many)
      await journal.close()
    }
  }

  extension PauseTarget {
    fileprivate var run: RunID? {
      if case .run(let id) = self { id } else { nil }
    }
  }
#endif
