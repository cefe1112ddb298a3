#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Mistakes of operators and apps: the error says which, and no error calls the journal damaged.
  @Suite(
    "Mistakes with PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresMistakeTests {
    private let server = PostgresServer.shared
    private let time = JournalTime(.system, boot: "boot")

    private func refusal(
      _ text: String, options: PostgresJournalOptions = PostgresJournalOptions(),
      access: PostgresJournal.Access = .making
    ) async throws -> JournalError {
      do {
        let journal = try await PostgresJournal(
          text, options: options, access: access, serverClock: nil)
        await journal.close()
        throw MessageError("It was opened.")
      } catch let error as JournalError { return error }
    }

    private func isNotPermitted(_ error: JournalError, naming remedy: String) -> Bool {
      guard case .notPermitted = error else { return false }
      return error.message.contains(remedy) && !error.message.contains("damaged")
        && !error.message.contains("files")
    }

    @Test("A role without USAGE on the schema is told to get it")
    func noUsage() async throws {
      let owner = try await server.journal()
      let schema = owner.options.schema
      for statement in [
        "CREATE ROLE no_usage LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA \"\(schema)\" TO no_usage",
      ] { _ = try await owner.texts(statement) }
      let text = try await server.text() + " user=no_usage"
      let wanted = "GRANT USAGE ON SCHEMA \"\(schema)\" TO no_usage."
      for access in [PostgresJournal.Access.making, .existing, .reading] {
        let error = try await refusal(text, options: owner.options, access: access)
        #expect(isNotPermitted(error, naming: wanted), "\(error)")
      }
      // A right that is taken later.
      _ = try await owner.texts("GRANT USAGE ON SCHEMA \"\(schema)\" TO no_usage")
      let journal = try await PostgresJournal(
        text, options: owner.options, access: .existing, serverClock: nil)
      _ = try await owner.texts("REVOKE USAGE ON SCHEMA \"\(schema)\" FROM no_usage")
      do {
        _ = try await journal.runs(RunQuery())
        Issue.record("It was read.")
      } catch let error as JournalError {
        #expect(error.message.contains("GRANT the role USAGE"), "\(error.message)")
        #expect(!error.message.contains("damaged"))
      }
    }

    @Test("A role that lacks rights to tables, a schema or the database is told so")
    func noRights() async throws {
      let owner = try await server.journal()
      let schema = owner.options.schema
      for statement in [
        "CREATE ROLE no_rights LOGIN", "GRANT USAGE ON SCHEMA \"\(schema)\" TO no_rights",
        "CREATE SCHEMA \"no rights\"",
      ] { _ = try await owner.texts(statement) }
      let text = try await server.text() + " user=no_rights"
      let table = try await refusal(text, options: owner.options)
      #expect(isNotPermitted(table, naming: "permission denied for table journal"), "\(table)")
      #expect(table.message.contains("; GRANT the role its rights"), "\(table.message)")
      var options = owner.options
      options.schema = "no rights"
      let there = try await refusal(text, options: options)
      let wanted = "GRANT USAGE, CREATE ON SCHEMA \"no rights\" TO no_rights."
      #expect(isNotPermitted(there, naming: wanted), "\(there)")
      options.schema = server.newSchema()
      let database = try await refusal(text, options: options)
      #expect(isNotPermitted(database, naming: "GRANT the role CREATE on the database"))
      #expect(database.message.contains("permission denied for database"), "\(database.message)")
    }

    @Test("A role that owns the schema needs no right to create schemas")
    func ownSchema() async throws {
      let journal = try await server.journal()
      _ = try await journal.texts("CREATE ROLE own_schema LOGIN")
      _ = try await journal.texts("CREATE SCHEMA own_schema AUTHORIZATION own_schema")
      let options = PostgresJournalOptions(schema: "own_schema")
      let own = try await PostgresJournal(server.text() + " user=own_schema", options: options)
      #expect(try await PostgresJournal.run(["one"], stages: 1, on: [own]) == ["one"])
      await own.close()
    }

    @Test(
      "A schema's name that the server can't keep is refused before anything is made",
      arguments: [
        "", "pg_mine", "a\0b", String(repeating: "s", count: 64), String(repeating: "é", count: 32),
      ])
    func schemaName(schema: String) async throws {
      let options = PostgresJournalOptions(schema: schema)
      let error = try await refusal(server.text(), options: options)
      guard case .noJournal = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.message.contains("name one of 1 to 63 bytes"), "\(error.message)")
      #expect(!error.message.contains("\0"))
    }

    @Test("A schema's name of 63 bytes is kept, and its journal is opened again")
    func longestSchemaName() async throws {
      let text = try await server.text()
      let options = PostgresJournalOptions(schema: String(repeating: "é", count: 31) + "s")
      for _ in 0..<2 {
        let journal = try await PostgresJournal(text, options: options)
        await journal.close()
      }
    }

    /// A text that the server can't compress.
    private func noise(_ count: Int, _ generator: inout SeededGenerator) -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
      return String((0..<count).map { _ in letters[Int.random(in: 0..<64, using: &generator)] })
    }

    @Test("Names that are together too long for an index are too long, and damage nothing")
    func longNames() async throws {
      let journal = try await server.journal()
      var generator = SeededGenerator(seed: 11)
      let names = (0..<16).map { _ in noise(300, &generator) }
      let start = RunStart(
        id: RunID(at: time.date, using: &generator), flow: noise(3_000, &generator), version: 1,
        key: noise(1_000, &generator), payload: Data("0".utf8))
      let run = try #require(try await journal.claimed(1, seed: 12, at: time).first)
      let checkpoint = Checkpoint(
        claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1,
        next: .receiving(Data("1".utf8), signals: names, until: nil), beganAt: time.date,
        lease: .seconds(60))
      let calls: [@Sendable () async throws -> Void] = [
        { [time] in _ = try await journal.start(start, at: time) },
        { [time] in _ = try await journal.start([start], at: time)[0].get() },
        { [time] in try await journal.checkpoint(checkpoint, at: time) },
      ]
      for call in calls {
        do {
          try await call()
          Issue.record("It was taken.")
        } catch JournalError.keyTooLong(let bytes, let limit) {
          #expect(bytes > limit && limit > 2_000, "seeds 11 and 12")
        }
      }
      #expect(try await journal.run(run.id) == run)
      #expect(try await journal.run(start.id) == nil)
    }

    @Test("A value beyond a limit of the server is refused for good, in every language")
    func beyondLimit() async throws {
      let journal = try await server.journal()
      _ = try await journal.texts(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE \
        'Größe 4040 der Indexzeile überschreitet btree-Version 4-Maximum 2704 für Index »run_key«' \
        USING ERRCODE = 'program_limit_exceeded'; END $$
        """)
      _ = try await journal.texts(
        "CREATE TRIGGER refuse BEFORE INSERT ON run FOR EACH ROW EXECUTE FUNCTION refuse()")
      var generator = SeededGenerator(seed: 14)
      let start = RunStart(
        id: RunID(at: time.date, using: &generator), flow: "flow", version: 1,
        payload: Data("0".utf8))
      do {
        _ = try await journal.start(start, at: time)
        Issue.record("It was started.")
      } catch let error as JournalError {
        #expect(!error.isTransient, "\(error.message)")
        #expect(error.message.contains("shorten"), "\(error.message)")
      }
      await journal.close()
    }

    @Test("A rule that was added to the tables is no damage, and an error that may pass is none")
    func addedRules() async throws {
      let journal = try await server.journal()
      _ = try await journal.texts("ALTER TABLE run ADD CONSTRAINT small CHECK (version < 5)")
      var generator = SeededGenerator(seed: 13)
      let start = RunStart(
        id: RunID(at: time.date, using: &generator), flow: "flow", version: 7,
        payload: Data("0".utf8))
      do {
        _ = try await journal.start(start, at: time)
        Issue.record("It was started.")
      } catch let error as JournalError {
        #expect(error.message.contains("remove constraints and triggers"), "\(error.message)")
        #expect(!error.isTransient && !error.message.contains("backup"))
      }
      let raised: [(String, String, Bool)] = [
        ("XX001", "restore it from a backup", false), ("XX002", "restore it from a backup", false),
        ("22P02", "restore it from a backup", false), ("XX000", "try again", true),
        ("55006", "try again", true), ("26000", "isPooled", true), ("42P05", "isPooled", true),
        ("26000", "FIELDSTONE_POOLED=true", true), ("53100", "make room or wait", true),
      ]
      for (state, remedy, isTransient) in raised {
        _ = try await journal.texts(
          """
          CREATE OR REPLACE FUNCTION pg_temp_refuse() RETURNS text LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'a; b' USING ERRCODE = '\(state)'; END $$
          """)
        do {
          _ = try await journal.texts("SELECT pg_temp_refuse()")
          Issue.record("\(state) was passed over.")
        } catch let error as JournalError {
          #expect(error.message.contains(remedy), "\(state): \(error.message)")
          #expect(error.message.contains("SQLSTATE \(state)"))
          #expect(error.isTransient == isTransient, "\(state)")
        }
      }
    }

    @Test("A statement that outlived a change of its tables is prepared again")
    func outdatedPlan() async throws {
      let journal = try await server.journal(options: PostgresJournalOptions(connections: 1))
      _ = try await journal.texts("CREATE TABLE note (text text)")
      _ = try await journal.texts("INSERT INTO note VALUES ('7')")
      #expect(try await journal.texts("SELECT * FROM note") == ["7"])
      _ = try await journal.texts("ALTER TABLE note ADD COLUMN more int")
      // This call may be refused, for it is not known to be repeatable; the next one is not.
      do { _ = try await journal.texts("SELECT * FROM note") } catch let error as JournalError {
        #expect(error.isTransient)
      }
      #expect(try await journal.texts("SELECT * FROM note") == ["7"])
    }

    @Test("A refused connection names its remedy, no code of our own, and does not ask for room")
    func refusedConnections() async throws {
      let here = try await server.text()
      let cases: [(String, String)] = [
        (here + " dbname=nowhere", "createdb"), (here + " user=nobody_here", "createuser"),
        ("host=127.0.0.1 port=1 user=a dbname=b", "listen_addresses"),
        ("host=/nowhere user=a dbname=b", "check the socket's folder"),
        (
          "host=no-such-host.invalid user=a dbname=b sslmode=disable",
          "check the spelling of the host"
        ), (here + " port=x", "correct the connection string"),
        ("host=127.0.0.1 password=hush port", "write postgresql://user@host/database"),
      ]
      for (text, remedy) in cases {
        let error = try await refusal(text)
        #expect(error.isTransient)
        #expect(error.message.contains(remedy), "\(error.message)")
        for absent in ["SQLSTATE", "make room", "hush"] {
          #expect(!error.message.contains(absent), "\(error.message)")
        }
      }
    }
  }
#endif
