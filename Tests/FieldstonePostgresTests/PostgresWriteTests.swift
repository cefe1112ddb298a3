#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "Writes of the app's own by a journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresWriteTests {
    struct Refusal: Error {}

    /// A journal beside a table with a row, whose numbers may be the same until a commit.
    private func opened(_ table: String) async throws -> PostgresJournal {
      let journal = try await PostgresServer.shared.journal()
      let columns = "number int UNIQUE DEFERRABLE INITIALLY DEFERRED"
      _ = try await journal.texts("CREATE TABLE public.\(table) (\(columns))")
      _ = try await journal.texts("INSERT INTO public.\(table) VALUES (1)")
      return journal
    }

    private func numbers(_ table: String, _ journal: PostgresJournal) async throws -> [String] {
      try await journal.texts("SELECT number::text FROM public.\(table) ORDER BY number")
    }

    @Test("A write is committed, and returns what its body returns")
    func committed() async throws {
      let journal = try await opened("own_committed")
      let changed = try await journal.write { transaction in
        try transaction.execute("INSERT INTO public.own_committed VALUES ($1), (3)", ["2"])
      }
      #expect(changed == 2)
      #expect(try await numbers("own_committed", journal) == ["1", "2", "3"])
      await journal.close()
      await #expect(throws: JournalError.closed) { try await journal.write { _ in } }
    }

    @Test("A write that throws is rolled back, and its error comes as it is")
    func thrown() async throws {
      let journal = try await opened("own_thrown")
      await #expect(throws: Refusal.self) {
        try await journal.write { transaction in
          try transaction.execute("INSERT INTO public.own_thrown VALUES (2)")
          throw Refusal()
        }
      }
      await #expect {
        try await journal.write { try $0.execute("INSERT INTO public.nothing VALUES (2)") }
      } throws: { ($0 as? PostgresError)?.sqlState == "42P01" }
      #expect(try await numbers("own_thrown", journal) == ["1"])
      await journal.close()
    }

    @Test(
      "A write must not end its transaction, begin another one, nor pass over an error in it",
      .serialized,
      arguments: [
        ["COMMIT"], ["SELECT 1 / 0"], ["COMMIT", "BEGIN"], ["ROLLBACK", "BEGIN"],
        ["END AND CHAIN"], ["rollback and chain"], ["COMMIT AND CHAIN"],
        ["INSERT INTO public.own_ended VALUES (1)", "COMMIT", "BEGIN"],
      ])
    func ended(bad: [String]) async throws {
      let journal = try await opened("own_ended")
      await #expect {
        try await journal.write { transaction in
          try transaction.execute("INSERT INTO public.own_ended VALUES (7)")
          for sql in bad { _ = try? transaction.execute(sql) }
          _ = try? transaction.execute("INSERT INTO public.own_ended VALUES (8)")
        }
      } throws: { "\($0)".contains("leave its end to the journal") }
      #expect(try await !numbers("own_ended", journal).contains("8"))
      // The connection serves the next write.
      _ = try await journal.write { try $0.execute("DROP TABLE public.own_ended") }
      await journal.close()
    }

    @Test("A write may return to its own savepoint")
    func savepoint() async throws {
      let journal = try await opened("own_savepoint")
      try await journal.write { transaction in
        try transaction.execute("SAVEPOINT chain")
        try transaction.execute("INSERT INTO public.own_savepoint VALUES (7)")
        try transaction.execute("ROLLBACK TO chain")
        try transaction.execute("INSERT INTO public.own_savepoint VALUES (8)")
      }
      #expect(try await numbers("own_savepoint", journal) == ["1", "8"])
      await journal.close()
    }

    @Test("A constraint that is checked at the commit is the write's error, and no damage")
    func deferred() async throws {
      let journal = try await opened("own_deferred")
      await #expect {
        try await journal.write { try $0.execute("INSERT INTO public.own_deferred VALUES (1)") }
      } throws: { ($0 as? PostgresError)?.sqlState == "23505" }
      #expect(try await numbers("own_deferred", journal) == ["1"])
      await journal.close()
    }

    @Test("A deferred trigger waits for locks as the write's own statements do")
    func deferredWait() async throws {
      let journal = try await opened("own_waits")
      _ = try await journal.texts("CREATE TABLE public.own_wait (text text)")
      _ = try await journal.texts(
        """
        CREATE FUNCTION public.own_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        INSERT INTO public.own_wait VALUES (current_setting('lock_timeout')); RETURN NULL; END $$
        """)
      _ = try await journal.texts(
        "CREATE CONSTRAINT TRIGGER note AFTER INSERT ON public.own_waits DEFERRABLE "
          + "INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.own_note()")
      let shown = "SELECT current_setting('lock_timeout')"
      let before = try await journal.texts(shown)
      _ = try await journal.write { try $0.execute("INSERT INTO public.own_waits VALUES (2)") }
      #expect(try await journal.texts("SELECT text FROM public.own_wait") == ["0"])
      #expect(try await journal.texts(shown) == before && before != ["0"])
      await journal.close()
    }

    @Test("A text without a statement changes nothing, and ends neither write nor connection")
    func emptyStatement() async throws {
      let options = PostgresJournalOptions(connections: 1)
      let journal = try await PostgresServer.shared.journal(options: options)
      _ = try await journal.texts("CREATE TABLE public.own_empty (number int)")
      let process = "SELECT pg_backend_pid()::text"
      let before = try await journal.texts(process)
      let counts = try await journal.write { transaction in
        try ["", "-- a note", ";", "INSERT INTO public.own_empty VALUES (1)"].map {
          try transaction.execute($0)
        }
      }
      #expect(counts == [0, 0, 0, 1])
      #expect(try await numbers("own_empty", journal) == ["1"])
      #expect(try await journal.texts(process) == before)
      await journal.close()
    }

    @Test(
      "A write that fails for good has its own error, whatever its code",
      arguments: [
        ("COPY public.own_failing FROM STDIN", "0A000"), ("EXECUTE nothing", "26000"),
        ("SET LOCAL ROLE pg_monitor; INSERT INTO public.own_failing VALUES (2)", "42501"),
        ("SET LOCAL statement_timeout = '1ms'; SELECT pg_sleep(60)", "57014"),
        ("SET CONSTRAINTS ALL IMMEDIATE; INSERT INTO public.own_failing VALUES (1)", "23505"),
      ])
    func failsForGood(sql: String, code: String) async throws {
      let journal = try await PostgresServer.shared.journal()
      let name = "own_failing_\(code.lowercased())"
      _ = try await journal.texts(
        "CREATE TABLE public.\(name) (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
      _ = try await journal.texts("INSERT INTO public.\(name) VALUES (1)")
      let statements = sql.replacing("own_failing", with: name).split(separator: "; ")
      await #expect {
        try await journal.write { for sql in statements { try $0.execute("\(sql)") } }
      } throws: { ($0 as? PostgresError)?.sqlState == code }
      #expect(try await numbers(name, journal) == ["1"])
      await journal.close()
    }

    @Test(
      "An attempt whose write fails for good is counted, and the run is dead after its last one")
    func deadByItsWrite() async throws {
      let journal = try await PostgresServer.shared.journal()
      let script = Errand.Script { _, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("SET LOCAL ROLE pg_monitor")
          try transaction.execute("CREATE TABLE public.own_dead (number int)")
        }
      }
      let options = FlowOptions<Errand>(
        retryPolicy: { _ in StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero) })
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: script, options: options)])
      let handle: RunHandle<String> = try await runner.start(Errand(name: "one", number: 1))
      let work = Task { try await runner.run() }
      await #expect {
        try await handle.value
      } throws: { "\($0)".contains("permission denied") }
      #expect(try await journal.run(handle.id)?.attempts == 2)
      await runner.shutdown()
      try await work.value
      await journal.close()
    }

    @Test("A trigger that refuses at the commit is the write's error, and one that warns is none")
    func triggers() async throws {
      let journal = try await opened("own_triggers")
      let trigger = """
        CREATE FUNCTION public.own_say() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF NEW.number > 5 THEN RAISE 'too large'; END IF; RAISE WARNING 'hm'; RETURN NULL; END $$
        """
      _ = try await journal.texts(trigger)
      _ = try await journal.texts(
        "CREATE CONSTRAINT TRIGGER say AFTER INSERT ON public.own_triggers DEFERRABLE "
          + "INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.own_say()")
      _ = try await journal.write { try $0.execute("INSERT INTO public.own_triggers VALUES (2)") }
      await #expect {
        try await journal.write { try $0.execute("INSERT INTO public.own_triggers VALUES (7)") }
      } throws: { ($0 as? PostgresError)?.sqlState == "P0001" }
      #expect(try await numbers("own_triggers", journal) == ["1", "2"])
      await journal.close()
    }

    @Test(
      "What a write sets for the session is gone after it",
      arguments: [
        "SET search_path TO public", "SET ROLE pg_monitor", "SET SESSION AUTHORIZATION pg_monitor",
        "SET default_transaction_read_only = on", "SELECT set_config('search_path', '', false)",
      ], [false, true])
    func settings(sql: String, isPooled: Bool) async throws {
      let options = PostgresJournalOptions(
        checkpointConnections: 1, connections: 1, isPooled: isPooled)
      let journal = try await PostgresServer.shared.journal(options: options)
      let asked = """
        SELECT current_setting(n) FROM unnest('{search_path,role,session_authorization,\
        default_transaction_read_only,enable_seqscan,TimeZone}'::text[]) AS n
        """
      let before = try await journal.texts(asked)
      _ = try await journal.write { try $0.execute(sql) }
      #expect(try await journal.texts(asked) == before)
      for end in ["COMMIT", "COMMIT AND CHAIN"] {
        await #expect(throws: (any Error).self) {
          try await journal.write { transaction in
            try transaction.execute(sql)
            try transaction.execute(end)
          }
        }
        #expect(try await journal.texts(asked) == before)
      }
      #expect(try await journal.pauses() == [])
      await journal.close()
    }
  }
#endif
