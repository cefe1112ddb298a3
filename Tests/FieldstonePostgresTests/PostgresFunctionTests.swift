#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// What other programs do by the functions of the schema.
  @Suite(
    "Starts and signals by SQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresFunctionTests {
    private let time = JournalTime(.system, boot: "boot")

    /// A journal and its schema, and one connection of another program, whose search path does not
    /// lead to its tables.
    private func scene() async throws -> (
      journal: PostgresJournal, app: PostgresJournal, schema: String
    ) {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let app = try await server.journal(options: PostgresJournalOptions(connections: 1))
      return (journal, app, "\"\(journal.options.schema)\"")
    }

    /// Claims what is due, at most a few runs.
    private func claim(_ journal: PostgresJournal) async throws -> [ClaimedRun] {
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "errand", version: 1, limit: 10)],
        lease: .seconds(60), limit: 10)
      return try await journal.claim(request, at: time).runs
    }

    /// Has a claimed run wait for the signal `paid`.
    private func wait(_ run: ClaimedRun, _ journal: PostgresJournal) async throws {
      let claim = RunClaim(
        id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
      try await journal.checkpoint(
        Checkpoint(
          claim: claim, version: 1,
          next: .receiving(Data("2".utf8), signals: ["refused", "paid"], until: nil),
          beganAt: time.date, lease: .seconds(60)), at: time)
    }

    /// The error of a statement.
    private func refusal(_ app: PostgresJournal, _ sql: String) async -> String {
      do { return "no error: \(try await app.texts(sql))" } catch { return "\(error)" }
    }

    @Test("What SQL starts has what it was given, and workers do it; a key is taken once")
    func start() async throws {
      let (journal, app, schema) = try await scene()
      let text = try await app.texts(
        """
        SELECT \(schema).start('errand', '{"name": "é", "number": 2}', 3, 'one', priority => 2,
          concurrency_key => 'ä', deadline => '2100-01-01 00:00:00Z',
          attributes => '{"customer": "ada", "amount": 12, "isGift": true}')
        """)
      let id = try #require(RunID(text[0]))
      let run = try #require(try await journal.run(id))
      #expect(run.flow == "errand")
      #expect(run.version == 3)
      #expect(run.payload == Data(#"{"name": "é", "number": 2}"#.utf8))
      #expect(run.key == "one")
      #expect(run.priority == 2)
      #expect(run.concurrencyKey == "ä")
      #expect(run.deadline == Date(timeIntervalSince1970: 4_102_444_800))
      #expect(run.attributes == ["customer": "ada", "amount": 12, "isGift": true])
      #expect(run.state == .ready)
      #expect(id.slot == RunID.slot(of: "errand", key: "ä"))
      var query = RunQuery()
      query.attributes = ["amount": 12]
      #expect(try await journal.runs(query).runs.map(\.id) == [id])
      // The identifier has the time of the start, in milliseconds.
      #expect(id > RunID.lowest(at: run.startedAt - 0.001))
      #expect(id < RunID.highest(at: run.startedAt + 0.001))
      let again = try await app.texts("SELECT \(schema).start('errand', '1', key => 'one')")
      #expect(again == text)
      let others = try await app.texts(
        """
        SELECT \(schema).start('errand', ('{"name":"' || i || '","number":1}')::json, key => i::text)
        FROM generate_series(1, 20) AS i
        """)
      #expect(Set(others).count == 20)
      // It is of a version that this code does not know.
      _ = try await journal.change(id, .cancel, at: time)
      let names = (1...20).map { "\($0)" }
      #expect(try await PostgresJournal.run(names, stages: 1, on: [journal]) == names)
      let ids = Set(try await journal.runs(RunQuery(limit: 100)).runs.map(\.id.description))
      #expect(ids == Set(others + text))
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [])
      await journal.close()
    }

    @Test("A run that waits for its time, or behind others, is due when a runner's own would be")
    func waiting() async throws {
      let (journal, app, schema) = try await scene()
      _ = try await journal.setLimits(
        FlowLimits(perKey: .init(1)), of: "errand", replacing: true, at: time)
      _ = try await journal.pause(.concurrencyKey("paused", flow: "errand"), until: nil, at: time)
      let texts = try await app.texts(
        """
        SELECT \(schema).start('errand', '1', not_before => clock_timestamp() + interval '1 day')
        UNION ALL SELECT \(schema).start('errand', '1', concurrency_key => 'full')
        UNION ALL SELECT \(schema).start('errand', '1', concurrency_key => 'full')
        UNION ALL SELECT \(schema).start('errand', '1', concurrency_key => 'paused')
        UNION ALL SELECT \(schema).start('errand', '1', priority => 1)
        """)
      let claimed = try await claim(journal).map(\.record.id.description)
      #expect(claimed == [texts[4], texts[1]])
      let id = try #require(RunID(texts[0]))
      let later = try #require(try await journal.run(id))
      #expect(try #require(later.dueAt).timeIntervalSince(later.startedAt) > 86_000)
      // What was full and what was paused come in once that ends, as others do.
      _ = try await journal.change(#require(RunID(texts[1])), .cancel, at: time)
      #expect(try await claim(journal).map(\.record.id.description) == [texts[2]])
      _ = try await journal.resume(.concurrencyKey("paused", flow: "errand"), at: time)
      #expect(try await claim(journal).map(\.record.id.description) == [texts[3]])
      await journal.close()
    }

    @Test("The article's transaction: what is rolled back leaves nothing, what commits has both")
    func transactions() async throws {
      let (journal, app, schema) = try await scene()
      let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(
          path: "../../Sources/FieldstonePostgres/FieldstonePostgres.docc/FieldstonePostgres.md")
      let code = try #require(
        String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")
          .first { $0.hasPrefix("sql") })
      let statements = code.dropFirst(3).replacing("fieldstone.", with: "\(schema).")
        .split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        .filter { !$0.isEmpty }
      #expect(statements.first == "BEGIN" && statements.last == "COMMIT")
      _ = try await app.texts("CREATE TABLE public.purchase (number int, amount int)")
      for end in ["ROLLBACK", "COMMIT"] {
        for statement in statements.dropLast() + [end] { _ = try await app.texts(statement) }
        let runs = try await journal.runs(RunQuery()).runs
        #expect(runs.map(\.key) == (end == "COMMIT" ? ["order 17"] : []))
        #expect(runs.map(\.flow) == runs.map { _ in "sale" })
      }
      #expect(try await app.texts("SELECT count(*)::text FROM public.purchase") == ["1"])
      await journal.close()
    }

    @Test("A signal by SQL is received, once for each identifier")
    func signal() async throws {
      let (journal, app, schema) = try await scene()
      let text = try await app.texts("SELECT \(schema).start('errand', '1')")[0]
      let id = try #require(RunID(text))
      let send = "SELECT \(schema).signal('\(text.lowercased())', 'paid', '{\"by\": 1}', 's')::text"
      #expect(try await app.texts(send) == ["true"])
      #expect(try await app.texts(send) == ["false"])
      try await wait(#require(try await claim(journal).first), journal)
      let woken = try #require(try await claim(journal).first)
      #expect(woken.signal?.payload == Data(#"{"by": 1}"#.utf8))
      _ = try await journal.change(id, .cancel, at: time)
      #expect(
        await refusal(app, "SELECT \(schema).signal('\(text)', 'late')").contains("SQLSTATE 55000"))
      await journal.close()
    }

    @Test("A signal by SQL with an actor leaves one audit row, in its transaction")
    func audit() async throws {
      let (journal, app, schema) = try await scene()
      let text = try await app.texts("SELECT \(schema).start('errand', '1')")[0]
      let id = try #require(RunID(text))
      func send(_ id: String, _ actor: String) -> String {
        "SELECT \(schema).signal('\(text)', 'paid “now\"', '9876', '\(id)', actor => \(actor))::text"
      }
      #expect(try await app.texts(send("own", "NULL")) == ["true"])
      for statement in ["BEGIN", send("none", "'ada'"), "ROLLBACK"] {
        _ = try await app.texts(statement)
      }
      #expect(try await journal.audit(AuditQuery()).records.isEmpty)
      #expect(try await app.texts(send("a/b", "'ada'")) == ["true"])
      #expect(try await app.texts(send("a/b", "'bob'")) == ["false"])
      let rows = try await journal.audit(AuditQuery(subject: .run(id))).records
      #expect(rows.map(\.action) == [.signal] && rows.map(\.actor) == ["ada"])
      #expect(rows.first?.before == nil)
      #expect(
        rows.first?.after.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
          == ["id": "a/b", "name": "paid “now\""])
      #expect(try await journal.audit(AuditQuery()).records == rows)
      await journal.close()
    }

    @Test("A signal by SQL wakes the run that waits for it")
    func waking() async throws {
      let (journal, app, schema) = try await scene()
      let text = try await app.texts("SELECT \(schema).start('errand', '1')")[0]
      try await wait(#require(try await claim(journal).first), journal)
      for name in ["other", "paid"] {
        #expect(try await claim(journal).isEmpty)
        #expect(
          try await app.texts("SELECT \(schema).signal('\(text)', '\(name)', '1')::text") == [
            "true"
          ])
      }
      #expect(try await claim(journal).count == 1)
      await journal.close()
    }

    @Test(
      "What can't be stored is refused with its reason and a hint",
      arguments: [
        ("start(NULL, '1')", "22004"), ("start('errand', NULL)", "22004"),
        ("start('errand', '{')", "22P02"),
        ("start('errand', '1', key => repeat('k', 1025))", "54000"),
        ("start('errand', to_json(repeat('s', 1048576)))", "54000"),
        ("start('errand', '1', attributes => '{\"a\": 1.5}')", "22023"),
        ("start('errand', '1', attributes => '{\"a\": null}')", "22023"),
        ("signal('nobody', 'paid')", "22023"), ("signal(NULL, 'paid')", "22023"),
        ("signal('00000000000000000000000000', 'paid')", "P0002"),
        ("signal('00000000000000000000000000', E'a\\x1fb')", "22023"),
        ("signal('00000000000000000000000000', NULL)", "22004"),
        ("signal('00000000000000000000000000', 'a', actor => repeat('a', 1025))", "54000"),
      ])
    func refusals(call: String, state: String) async throws {
      let (journal, app, schema) = try await scene()
      #expect(await refusal(app, "SELECT \(schema).\(call)").contains("SQLSTATE \(state)"))
      #expect(try await journal.runs(RunQuery()).runs.isEmpty)
      await journal.close()
    }

    @Test(
      "A start with a concurrency key needs a transaction that sees the newest pauses",
      arguments: ["REPEATABLE READ", "SERIALIZABLE", "READ COMMITTED", "READ UNCOMMITTED"])
    func isolation(level: String) async throws {
      let (journal, app, schema) = try await scene()
      _ = try await app.texts("BEGIN ISOLATION LEVEL \(level)")
      _ = try await app.texts("SELECT 1")
      try await journal.pause(.concurrencyKey("k", flow: "errand"), until: nil, at: time)
      let plain = try await app.texts("SELECT \(schema).start('errand', '1')")
      let call = "SELECT \(schema).start('errand', '1', concurrency_key => 'k')"
      if level.hasPrefix("READ") {
        _ = try await app.texts(call)
        _ = try await app.texts("COMMIT")
        #expect(try await claim(journal).map(\.record.id.description) == plain)
        #expect(try await journal.runs(RunQuery()).runs.count == 2)
      } else {
        let error = await refusal(app, call)
        #expect(error.contains("SQLSTATE 0A000") && error.contains("READ COMMITTED"))
        #expect(try await journal.runs(RunQuery()).runs.isEmpty)
      }
      await journal.close()
    }

    @Test("Slots and identifiers are those of Swift")
    func identifiers() async throws {
      let (journal, app, schema) = try await scene()
      var random = SeededGenerator(seed: 7)
      for number in 0..<50 {
        let length = Int.random(in: 0...40, using: &random)
        let key = String((0..<length).map { _ in "aé😀0'"[Int.random(in: 0...4, using: &random)] })
        let quoted = key.replacing("'", with: "''")
        #expect(
          try await app.texts("SELECT \(schema).run_slot('flow \(number)', '\(quoted)')::text")
            == ["\(RunID.slot(of: "flow \(number)", key: key))"], "seed 7")
        let id = RunID(at: Date(timeIntervalSince1970: 1e9 * Double(number)), using: &random)
        #expect(
          try await app.texts("SELECT \(schema).run_id(\(schema).run_uuid('\(id)'))") == ["\(id)"],
          "seed 7")
      }
      await journal.close()
    }

    @Test("In one of several journals a start has a key, and a slot of this one")
    func slots() async throws {
      let (journal, app, schema) = try await scene()
      let slot = RunID.slot(of: "errand", key: "here")
      #expect(
        try await journal.setSlots(from: nil, to: JournalSlots(group: "two", ranges: [slot...slot]))
      )
      #expect(
        try await app.texts("SELECT \(schema).start('errand', '1', key => 'here')").count == 1)
      #expect(
        await refusal(app, "SELECT \(schema).start('errand', '1')").contains("SQLSTATE 22023"))
      await #expect(throws: JournalError.foreignSlot) {
        _ = try await app.texts("SELECT \(schema).start('errand', '1', key => 'there')")
      }
      #expect(try await journal.runs(RunQuery()).runs.count == 1)
      await journal.close()
    }

    @Test("A run of a flow on one shard has the slot of its flow, with a key and without one")
    func flowOnOneShard() async throws {
      let (journal, app, schema) = try await scene()
      let slot = RunID.slot(of: "errand", key: "")
      let slots = JournalSlots(
        group: "two", ranges: [slot...slot], flowsOnOneShard: ["other", "errand"])
      #expect(try await journal.setSlots(from: nil, to: slots))
      for arguments in ["", ", key => 'one'", ", concurrency_key => 'two'"] {
        let text = try await app.texts("SELECT \(schema).start('errand', '1'\(arguments))")[0]
        #expect(RunID(text)?.slot == slot)
      }
      await #expect(throws: JournalError.foreignSlot) {
        _ = try await app.texts("SELECT \(schema).start('third', '1', key => 'there')")
      }
      await journal.close()
    }
  }

  extension String {
    fileprivate subscript(place: Int) -> Character { self[index(startIndex, offsetBy: place)] }
  }
#endif
