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

    @Test("A write must not end its transaction, nor pass over an error in it")
    func ended() async throws {
      let journal = try await opened("own_ended")
      for bad in ["COMMIT", "SELECT 1 / 0"] {
        await #expect {
          try await journal.write { transaction in
            try transaction.execute("INSERT INTO public.own_ended VALUES (7)")
            _ = try? transaction.execute(bad)
          }
        } throws: { "\($0)".contains("leave its end to the journal") }
      }
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
  }
#endif
