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
    /// The name of the same flow with limits.
    static let lanes = "lanes"

    var left: Int
    var isPlain: Bool?
    var token: String?
    /// The concurrency key of the run, if its turns are written down.
    var lane: String?
    /// The file of the turns.
    var turns: String?

    func next(in context: DurableContext<LeapTokens>) async throws -> DurableStep<Self, String> {
      try note("begin", in: context)
      let key = context.idempotencyKey
      let token = UUID().uuidString
      context.services.note(token, for: key)
      if isPlain != true {
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO effect VALUES ($1)", [key])
        }
      }
      try note("end", in: context)
      if left <= 1 { return .complete(token) }
      var next = self
      (next.left, next.token) = (left - 1, token)
      // Waits in between, in which the run keeps its places.
      return lane != nil && left == 3
        ? .wait(until: context.now, then: next) : .advance(to: next)
    }

    private func note(_ word: String, in context: DurableContext<LeapTokens>) throws {
      guard let lane, let turns else { return }
      try Effects.add("\(word) \(lane) \(context.run) \(context.sequence)", to: turns)
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
    /// - Parameter hasLanes: whether it works on leaps with limits, too.
    static func work(_ connection: String, schema: String, hasLanes: Bool) async throws {
      var journalOptions = PostgresJournalOptions()
      journalOptions.schema = schema
      let journal = try await PostgresJournal(connection, options: journalOptions)
      // Each kill is one of the process's own, and none is a run's fault.
      let budget = 1_000_000
      var options = FlowOptions<Leap>(maxConcurrent: 8, maximumLoneCrashes: budget)
      let tokens = LeapTokens()
      var flows = [DurableFlow(Leap.self, services: tokens, options: options)]
      if hasLanes {
        options.limits = FlowLimits(runs: 3, counting: .wholeRun, perKey: .init(1))
        flows.append(
          DurableFlow(Leap.self, name: Leap.lanes, services: tokens, options: options))
      }
      let runner = try DurableRunner(
        journal: journal, flows: flows,
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
