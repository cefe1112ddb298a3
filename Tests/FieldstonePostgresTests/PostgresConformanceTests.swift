#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstonePostgres
  import Testing

  @Suite(
    "A journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(10)))
  struct PostgresConformanceTests {
    @Test("It keeps what every journal promises, also when two share its schema")
    func conforms() async throws {
      let server = PostgresServer.shared
      let text = try await server.text()
      var suite = JournalConformance {
        try await server.journal(
          options: PostgresJournalOptions(limits: PayloadLimits(warning: 10, error: 2_000)))
      }
      suite.payloadLimit = 2_000
      suite.endsLeasesWithBoot = false
      suite.openAnother = { try await PostgresJournal(text, options: $0.options) }
      suite.transactions = .init(
        write: { note in
          CheckpointWrite { transaction in
            let transaction = try #require(transaction as? PostgresTransaction)
            try transaction.execute("CREATE TABLE IF NOT EXISTS note (text text)")
            try transaction.execute("INSERT INTO note VALUES ($1)", [note])
          }
        },
        written: {
          try await $0.texts("SELECT to_regclass('note')::text").first == nil
            ? [] : $0.texts("SELECT text FROM note")
        })
      try await suite.check()
    }
  }
#endif
