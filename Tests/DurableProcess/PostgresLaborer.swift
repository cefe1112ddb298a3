#if SQLite && PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation

  /// A flow of so many stages, each of which has an effect in the journal's database, or none.
  ///
  /// What follows a stage holds a token of the attempt that has made the checkpoint.
  struct Leap: DurableStage, VersionedFlow {
    static let flowName = "leaps"

    var left: Int
    var isPlain: Bool?
    var token: String?

    func next(in context: DurableContext<LeapTokens>) async throws -> DurableStep<Self, String> {
      let key = context.idempotencyKey
      let token = UUID().uuidString
      context.services.note(token, for: key)
      if isPlain != true {
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO effect VALUES ($1)", [key])
        }
      }
      return left > 1
        ? .advance(to: Leap(left: left - 1, isPlain: isPlain, token: token)) : .complete(token)
    }
  }

  /// The tokens of the latest attempts at stages, until their checkpoints are answered.
  final class LeapTokens: Sendable {
    private let tokens = Locked<[String: String]>([:])

    func note(_ token: String, for key: String) { tokens.withLock { $0[key] = token } }

    func take(for key: String) -> String { tokens.withLock { $0.removeValue(forKey: key) } ?? "" }
  }

  /// Works on the runs of a journal in PostgreSQL until the process ends.
  enum PostgresLaborer {
    static func work(_ connection: String, schema: String) async throws {
      var journalOptions = PostgresJournalOptions()
      journalOptions.schema = schema
      let journal = try await PostgresJournal(connection, options: journalOptions)
      // Each kill is one of the process's own, and none is a run's fault.
      let budget = 1_000_000
      let options = FlowOptions<Leap>(maxConcurrent: 8, maximumLoneCrashes: budget)
      let tokens = LeapTokens()
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Leap.self, services: tokens, options: options)],
        options: DurableRunnerOptions(
          lease: .seconds(2), pollInterval: .milliseconds(50), crashesBeforeQuarantine: budget,
          onEvent: { event in
            if case .stageFinished = event.kind, let run = event.run, let sequence = event.sequence
            {
              say("finished \(run) \(tokens.take(for: "\(run)-\(sequence)"))")
            }
          }))
      try await runner.run()
    }
  }
#endif
