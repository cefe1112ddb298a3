#if Observability
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation

  /// A durable stage whose work is what the test says.
  struct Errand: DurableStage, ExpressibleByStringLiteral {
    var name: String

    init(stringLiteral name: String) { self.name = name }

    func next(in context: DurableContext<Errands>) async throws -> DurableStep<Self, String> {
      try await context.services.next(self, context)
    }
  }

  /// What errands do.
  struct Errands: Sendable {
    let next:
      @Sendable (Errand, DurableContext<Errands>) async throws -> DurableStep<Errand, String>
  }

  /// What goes wrong with an errand.
  struct Trouble: Error, Equatable {}

  /// Makes a runner of errands on a journal in memory, at a time that stands still.
  func errandRunner(
    _ options: DurableRunnerOptions, retries: StageRetryPolicy = .never,
    _ next:
      @escaping @Sendable (Errand, DurableContext<Errands>) async throws -> DurableStep<
        Errand, String
      >
  ) throws -> DurableRunner {
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1_000))
    var options = options
    options.boot = "boot"
    let flow = DurableFlow(
      Errand.self, name: "errand", services: Errands(next: next),
      options: FlowOptions(maxConcurrent: 1, retryPolicy: { _ in retries }))
    return try DurableRunner(
      journal: InMemoryJournal(), flows: [flow], options: options, time: time.source)
  }

  /// Runs a runner while a body does something with it, then ends it.
  func working<Result: Sendable>(
    _ runner: DurableRunner, _ body: () async throws -> Result
  ) async throws -> Result {
    let work = Task { try await runner.run() }
    defer { work.cancel() }
    let result = try await body()
    work.cancel()
    _ = await work.result
    return result
  }
#endif
