#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "A journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresConformanceTests {
    @Test(
      "It keeps what every journal promises, also when two share its schema, and through a pooler",
      arguments: [false, true])
    func conforms(isPooled: Bool) async throws {
      let server = PostgresServer.shared
      let text = try await server.text()
      let now = Locked(Date.distantPast)
      let clock: @Sendable () -> Date = { now.withLock { $0 } }
      var suite = JournalConformance {
        try await server.journal(
          options: PostgresJournalOptions(
            limits: PayloadLimits(warning: 10, error: 2_000), isPooled: isPooled),
          serverClock: clock)
      }
      suite.keepsLateReports = true
      suite.payloadLimit = 2_000
      suite.setClock = { _, date in now.withLock { $0 = date } }
      suite.openAnother = {
        try await PostgresJournal(text, options: $0.options, serverClock: clock)
      }
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
