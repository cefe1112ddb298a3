#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstonePostgres
  import Testing

  private enum Sale: DurableStage, VersionedFlow {
    static let flowName = "sale"

    case charge(Int)

    func next(in context: DurableContext<String>) async throws -> DurableStep<Self, String> {
      guard case .charge(let amount) = self else { return .complete("") }
      let number = context.services
      // snippet: postgres-checkpoint
      context.atCheckpoint { (transaction: PostgresTransaction) in
        try transaction.execute(
          "INSERT INTO public.sale (receipt, amount) VALUES ($1, $2)", [number, "\(amount)"])
      }
      // end
      return .complete(number)
    }
  }

  /// The code of the article, compiled and run.
  @Suite(
    "The article of the journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .serialized, .timeLimit(.minutes(20)))
  struct PostgresArticleTests {
    @Test("A journal, a runner and a write of the stage's own")
    func overview() async throws {
      let text = try await PostgresServer.shared.text()
      let shop = "receipt 1"
      let books = try await PostgresServer.shared.journal()
      _ = try await books.texts(
        "CREATE TABLE IF NOT EXISTS public.sale (receipt text, amount int)")
      // snippet: postgres-overview
      let journal = try await PostgresJournal(text)
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Sale.self, services: shop)])
      async let work: Void = runner.run()
      let receipt = try await runner.start(Sale.charge(1_299), key: "order 17").value
      // end
      #expect(receipt == shop)
      #expect(
        try await journal.texts("SELECT receipt FROM public.sale WHERE amount = 1299") == [shop])
      await runner.shutdown()
      try await work
      await books.close()
    }

    @Test("A sale that is killed is written once")
    func trial() async throws {
      let books = try await PostgresServer.shared.journal()
      let count = "SELECT count(*)::text FROM public.sale WHERE receipt = 'receipt 2'"
      let trial = FlowTrial(Sale.charge(900)) { _ in
        _ = try await books.texts(
          "CREATE TABLE IF NOT EXISTS public.sale (receipt text, amount int)")
        _ = try await books.texts("DELETE FROM public.sale WHERE receipt = 'receipt 2'")
        return books
      } flows: { _ in
        [DurableFlow(Sale.self, services: "receipt 2")]
      }
      // snippet: postgres-trial
      .writing { journal, write in
        try await journal.write { @Sendable transaction in try write(transaction) }
      }
      // end
      .comparing { try await $0.texts(count) }
      let report = try await trial.run()
      #expect(try report.outcome.value(as: String.self) == "receipt 2")
      #expect(report.kills.count == 2 && report.effects == #"["1"]"#)
      #expect(report.endsAlike, "\(report)")
      await books.close()
    }
  }
#endif
