#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
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
    .timeLimit(.minutes(30)))
  struct PostgresArticleTests {
    @Test("A journal, a runner and a write of the stage's own")
    func overview() async throws {
      let text = try await PostgresServer.shared.text()
      let shop = "receipt 1"
      // snippet: postgres-overview
      let journal = try await PostgresJournal(text)
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Sale.self, services: shop)])
      // end
      _ = try await journal.texts("CREATE TABLE public.sale (receipt text, amount int)")
      let work = Task { try await runner.run() }
      #expect(try await runner.start(Sale.charge(1_299), key: "order 17").value == shop)
      #expect(try await journal.texts("SELECT receipt FROM public.sale") == [shop])
      await runner.shutdown()
      try await work.value
    }
  }
#endif
