#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Runners whose calls fail by a seed, before the server does what was asked or after it, while the
  /// server's clock jumps on with each call.
  @Suite(
    "Runners on PostgreSQL whose calls fail at random",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresSimulationTests {
    /// What happens to the calls of all runners.
    private final class World: Sendable {
      enum Fault {
        case refused
        case unanswered
      }

      private struct State {
        var random: SeededGenerator
        var calls = 0
        var isCalm = true
      }

      private let state: Locked<State>
      private let clock: Locked<Date>

      init(seed: UInt64, clock: Locked<Date>) {
        state = Locked(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
      }

      /// Lets calls fail from now on, for some time.
      func begin() { state.withLock { $0.isCalm = false } }

      /// The fault of the next call.
      func next() -> Fault? {
        let (fault, seconds) = state.withLock { state in
          state.calls += 1
          if state.calls > 300 { state.isCalm = true }
          let (luck, seconds) = (
            Int.random(in: 0..<100, using: &state.random),
            Double.random(in: 0...3, using: &state.random)
          )
          let fault: Fault? = luck < 10 ? .refused : luck < 25 ? .unanswered : nil
          return (state.isCalm ? nil : fault, seconds)
        }
        // After some forty calls leases end that nobody renews.
        clock.withLock { $0 += seconds }
        return fault
      }
    }

    private struct FaultyJournal: JournalDecorator {
      let decorated: any Journal
      let world: World

      func relay<Value: Sendable>(
        _ call: JournalCall, _ body: () async throws -> Value
      ) async throws -> Value {
        let fault = world.next()
        if case .refused = fault { throw JournalError.unavailable("refused") }
        let value = try await body()
        if case .unanswered = fault { throw JournalError.unavailable("no answer") }
        return value
      }
    }

    private static let names = (0..<8).map { "errand \($0)" }
    private static let stages = 4

    @Test(
      "Whatever fails, all runs end, no chain is broken, and nothing is written twice",
      arguments: [false, true])
    func simulations(isPooled: Bool) async throws {
      let clock = Locked(Date(timeIntervalSince1970: 1_800_000_000))
      let journal = try await PostgresServer.shared.journal(
        options: PostgresJournalOptions(isPooled: isPooled),
        serverClock: { clock.withLock { $0 } })
      _ = try await journal.texts("CREATE TABLE effect (key text)")
      for seed in 0..<UInt64(Rounds.of(40)) {
        _ = try await journal.texts(PostgresModelTests.empty)
        try await play(seed, on: journal, World(seed: seed, clock: clock))
        #expect(
          try await journal.areChainsWhole(Self.names.count, stages: Self.stages), "seed \(seed)")
        let effects = try await journal.texts("SELECT key FROM effect")
        #expect(effects.count == Self.names.count * (Self.stages + 1), "seed \(seed)")
        #expect(Set(effects).count == effects.count, "seed \(seed)")
      }
      await journal.close()
    }

    /// Lets three runners do all runs, each stage of which has a write of its own.
    private func play(_ seed: UInt64, on journal: PostgresJournal, _ world: World) async throws {
      let script = Errand.Script { _, context in
        let key = context.idempotencyKey
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO effect VALUES ($1)", [key])
        }
      }
      // No crash is a run's own fault.
      let budget = 1_000_000
      let flow = DurableFlow(
        Errand.self, services: script,
        options: FlowOptions(maxConcurrent: 4, maximumLoneCrashes: budget))
      let runners = try (0..<3).map { number in
        try DurableRunner(
          journal: FaultyJournal(decorated: journal, world: world), flows: [flow],
          options: DurableRunnerOptions(
            worker: "worker \(seed) \(number)", pollInterval: .milliseconds(5),
            crashesBeforeQuarantine: budget))
      }
      var handles: [RunHandle<String>] = []
      for name in Self.names {
        handles.append(try await runners[0].start(Errand(name: name, number: Self.stages)))
      }
      world.begin()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for runner in runners { group.addTask { try await runner.run() } }
        for (name, handle) in zip(Self.names, handles) {
          #expect(try await handle.value == name, "seed \(seed)")
        }
        for runner in runners { await runner.shutdown() }
        try await group.waitForAll()
      }
    }
  }
#endif
