#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// The statements of the article that give each role its rights.
  @Suite(
    "Roles of a journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(30)))
  struct PostgresRolesTests {
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

    @Test("A worker makes no tables, a reader changes nothing, an app only starts and signals")
    func rights() async throws {
      let server = PostgresServer.shared
      let owner = try await server.journal()
      let schema = owner.options.schema
      for statement in try statements() {
        _ = try await owner.texts(
          statement.replacing("SCHEMA fieldstone", with: "SCHEMA \"\(schema)\"")
            .replacing("fieldstone.", with: "\"\(schema)\"."))
      }
      let worker = try await PostgresJournal(
        server.text() + " user=orders_worker", options: owner.options)
      #expect(try await PostgresJournal.run(["one"], stages: 2, on: [worker]) == ["one"])
      #expect(try await worker.areChainsWhole(1, stages: 2))
      let time = JournalTime(.system, boot: "boot")
      try await worker.pause(.flow("errand"), until: nil, at: time)
      #expect(try await worker.resume(.flow("errand"), at: time))
      #expect(try await worker.purge(JournalRetention(runs: .zero), at: time) == 1)
      var none = owner.options
      none.schema = server.newSchema()
      await #expect(throws: JournalError.self) {
        _ = try await PostgresJournal(server.text() + " user=orders_worker", options: none)
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
      for role in ["orders_reader", "orders_worker"] {
        _ = try await app.texts("SET ROLE \(role)")
        for call in [call, signal] {
          await #expect(throws: JournalError.self) { _ = try await app.texts(call) }
        }
      }
    }
  }
#endif
