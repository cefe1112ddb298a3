#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import JournalModel
  import Testing

  /// The statements of the article that give each role its rights.
  @Suite(
    "Roles of a journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresRolesTests {
    private let server = PostgresServer.shared
    private let time = JournalTime(.system, boot: "boot")

    private func statements() throws -> [String] {
      let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(
          path: "../../Sources/FieldstonePostgres/FieldstonePostgres.docc/PostgresInProduction.md")
      let text = try String(contentsOf: article, encoding: .utf8)
      let parts = text.components(separatedBy: "```")
      let code = try #require(parts.first { $0.hasPrefix("sql") && $0.contains("GRANT") })
      return code.dropFirst(3).split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }.filter { !$0.isEmpty }
    }

    /// The owner's journal in a schema of its own, whose roles begin with a prefix.
    private func journal(
      _ prefix: String, serverClock: (@Sendable () -> Date)? = nil
    ) async throws -> PostgresJournal {
      let owner = try await server.journal(serverClock: serverClock)
      for statement in try statements() {
        _ = try await owner.texts(
          statement.replacing("SCHEMA fieldstone", with: "SCHEMA \"\(owner.options.schema)\"")
            .replacing("fieldstone.", with: "\"\(owner.options.schema)\".")
            .replacing("orders_", with: "\(prefix)_"))
      }
      return owner
    }

    /// The owner's journal, opened as a role.
    private func open(
      _ owner: PostgresJournal, as role: String, serverClock: (@Sendable () -> Date)? = nil
    ) async throws -> PostgresJournal {
      try await PostgresJournal(
        server.text() + " user=\(role)", options: owner.options, serverClock: serverClock)
    }

    @Test("A worker makes no tables, a reader changes nothing, an app only starts and signals")
    func rights() async throws {
      let owner = try await journal("orders")
      let schema = owner.options.schema
      let worker = try await open(owner, as: "orders_worker")
      #expect(try await PostgresJournal.run(["one"], stages: 2, on: [worker]) == ["one"])
      #expect(try await worker.areChainsWhole(1, stages: 2))
      try await worker.pause(.flow("errand"), until: nil, at: time)
      #expect(try await worker.resume(.flow("errand"), at: time))
      #expect(try await worker.purge(JournalRetention(runs: .zero), at: time) == 1)
      for role in ["orders_worker", "orders_operator"] {
        var none = owner.options
        none.schema = server.newSchema()
        await #expect(throws: JournalError.self) {
          _ = try await PostgresJournal(server.text() + " user=\(role)", options: none)
        }
      }

      let text = try await server.text() + " user=orders_reader"
      var generator = SeededGenerator(seed: 2)
      let start = RunStart(
        id: RunID(at: time.date, using: &generator), flow: "errand", version: 1,
        payload: Data("0".utf8))
      _ = try await owner.start(start, at: time)
      for access in [PostgresJournal.Access.existing, .reading] {
        let reader = try await PostgresJournal(
          text, options: owner.options, access: access, serverClock: nil)
        #expect(try await reader.runs(RunQuery()).runs.map(\.id) == [start.id])
        await #expect(throws: JournalError.self) {
          _ = try await reader.change(start.id, .cancel, at: time)
        }
      }
      #expect(try await owner.run(start.id)?.state == .ready)

      let app = try await server.journal(options: PostgresJournalOptions(connections: 1))
      let call = "SELECT \"\(schema)\".start('errand', '1')"
      _ = try await app.texts("SET ROLE orders_app")
      let id = try await app.texts(call)[0]
      #expect(try await owner.run(#require(RunID(id)))?.state == .ready)
      let signal = "SELECT \"\(schema)\".signal('\(id)', 'paid')::text"
      #expect(try await app.texts(signal) == ["true"])
      let named = "SELECT \"\(schema)\".signal('\(id)', 'paid', actor => 'ada')::text"
      #expect(try await app.texts(named) == ["true"])
      for table in ["run", "step", "signal", "audit"] {
        await #expect(throws: JournalError.self) {
          _ = try await app.texts("SELECT count(*)::text FROM \"\(schema)\".\(table)")
        }
      }
      for role in ["orders_reader", "orders_worker", "orders_operator"] {
        _ = try await app.texts("SET ROLE \(role)")
        for call in [call, signal] {
          await #expect(throws: JournalError.self) { _ = try await app.texts(call) }
        }
      }
    }

    @Test("An operator can make all changes of the command and the inspector, and no other")
    func operators() async throws {
      let now = Locked(Date.distantPast)
      let clock: @Sendable () -> Date = { now.withLock { $0 } }
      let owner = try await journal("changes", serverClock: clock)
      let worker = try await open(owner, as: "changes_worker", serverClock: clock)
      let journal = JournalOfTwoRoles(
        worker, operators: try await open(owner, as: "changes_operator", serverClock: clock))
      // The model says what each request comes to: one that a role may not make comes to another.
      var trial = RandomRequestTrial(isInDatabase: true)
      for seed in 0..<UInt64(max(40, Rounds.of(200))) {
        _ = try await owner.texts(PostgresModelTests.empty)
        let failure = try await trial.failure(of: journal, seed: seed) { date in
          now.withLock { $0 = date }
        }
        if let failure {
          Issue.record("\(failure)")
          return
        }
      }
      #expect(trial.missing(usual: Rounds.of(4), seldom: nil) == [])
    }

    @Test("An operator can't claim, renew, write checkpoints or limits, or change the audit log")
    func operatorsDoNotWork() async throws {
      let owner = try await journal("work")
      let operators = try await open(owner, as: "work_operator")
      let held = try #require(try await owner.claimed(1, seed: 3, at: time).first)
      var generator = SeededGenerator(seed: 4)
      let due = RunStart(
        id: RunID(at: time.date, using: &generator), flow: "flow", version: 1,
        payload: Data("0".utf8))
      _ = try await operators.start(due, at: time)
      let claim = RunClaim(id: held.id, sequence: held.sequence, fence: held.fence)
      let request = ClaimRequest(
        worker: "operator", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
      func checkpoint(_ next: Checkpoint.Next) -> Checkpoint {
        Checkpoint(claim: claim, version: 1, next: next, beganAt: time.date, lease: .seconds(60))
      }
      let record = WorkerRecord(
        name: "operator", machine: "here", process: 1, protocolVersion: 2, flows: [],
        startedAt: time.date, lastSeenAt: time.date, interval: .seconds(20))
      let work: [(String, @Sendable () async throws -> Void)] = [
        ("claim", { [time] in _ = try await operators.claim(request, at: time) }),
        (
          "stage",
          { [time, stage = checkpoint(.stage(Data("1".utf8)))] in
            try await operators.checkpoint(stage, at: time)
          }
        ),
        (
          "end",
          { [time, end = checkpoint(.completion(Data("1".utf8)))] in
            try await operators.checkpoint(end, at: time)
          }
        ),
        (
          "renewal",
          { [time] in _ = try await operators.renew([claim], lease: .seconds(60), at: time) }
        ),
        (
          "parking",
          { [time] in try await operators.park(Parking(claim: claim, reason: .shutdown), at: time) }
        ),
        ("worker", { [time] in try await operators.setWorker("operator", to: record, at: time) }),
        (
          "limits",
          { [time] in
            try await operators.setLimits(
              FlowLimits(runs: 1), of: "flow", replacing: true, by: "ada", at: time)
          }
        ),
      ]
      for (name, attempt) in work {
        do {
          try await attempt()
          Issue.record("\(name) was allowed.")
        } catch let error as JournalError {
          #expect(error.message.contains("permission denied"), "\(name): \(error)")
        }
      }
      for statement in [
        "UPDATE audit SET actor = NULL", "DELETE FROM audit", "CREATE TABLE more (number int)",
        "ALTER TABLE run ADD COLUMN more int", "DROP TABLE log", "UPDATE step SET payload = ''",
      ] {
        await #expect(throws: JournalError.self) { _ = try await operators.texts(statement) }
      }
      #expect(try await owner.run(held.id) == held)
      // Its worker loses the run by the operator's cancellation, and the trail says who did it.
      let cancelled = try await operators.change(held.id, .cancel, by: "ada", at: time)
      #expect(cancelled.worker == nil)
      await #expect(throws: JournalError.claimLost(held.id)) {
        try await owner.checkpoint(checkpoint(.stage(Data("1".utf8))), at: time)
      }
      let retention = JournalRetention(runs: .zero, audit: .zero)
      #expect(try await operators.purge(retention, at: time) == 1)
      #expect(try await operators.audit(AuditQuery()).records.map(\.actor) == ["ada"])
      _ = try await owner.purge(retention, at: time)
      #expect(try await owner.audit(AuditQuery()).records == [])
    }
  }

  /// Makes the changes of operators by their journal, and all other calls by that of workers.
  private struct JournalOfTwoRoles: JournalDecorator {
    let decorated: any Journal
    private let operators: PostgresJournal

    init(_ workers: PostgresJournal, operators: PostgresJournal) {
      decorated = workers
      self.operators = operators
    }

    func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      // A fork has a key of its own, and takes no other's.
      let isFork = start.origin != nil && start.ifTaken == .existing
      return try await (isFork ? operators : decorated).start(start, at: time)
    }

    func signal(
      _ id: RunID, _ signal: SignalRecord, at time: JournalTime
    ) async throws -> SignalReceipt {
      try await operators.signal(id, signal, at: time)
    }

    func change(
      _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
    ) async throws -> RunRecord {
      try await operators.change(id, change, by: actor, at: time)
    }

    func pause(
      _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
    ) async throws {
      try await operators.pause(target, until: date, by: actor, at: time)
    }

    func resume(
      _ target: PauseTarget, by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      try await operators.resume(target, by: actor, at: time)
    }

    func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      let isPlain = starts.allSatisfy { $0.ifTaken == .existing }
      return try await (isPlain ? operators : decorated).setSchedule(
        name, from: old, to: new, starting: starts, by: actor, at: time)
    }

    func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
      try await operators.purge(retention, at: time)
    }

    func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
      try await operators.purge(id, by: actor, at: time)
    }

    func audit(_ query: AuditQuery) async throws -> AuditPage { try await operators.audit(query) }
    func runs(_ query: RunQuery) async throws -> RunPage { try await operators.runs(query) }
    func schedules() async throws -> [ScheduleRecord] { try await operators.schedules() }

    func findingsInTables() async throws -> [JournalFinding] {
      try await operators.findingsInTables()
    }
  }
#endif
