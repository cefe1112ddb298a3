#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  /// A flow whose one stage keeps a thread for some time, in one way or another.
  struct Blockage: DurableStage, VersionedFlow {
    static let flowName = "blockages"

    enum Kind: String, Codable {
      case block, spin, suspend
    }

    var kind: Kind
    var milliseconds: Int

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, Int> {
      try context.services.add(context.idempotencyKey)
      let wait = Duration.milliseconds(milliseconds)
      switch kind {
      case .block: Self.block(for: wait)
      case .spin:
        let end = TimeSource.system.uptime + wait
        while TimeSource.system.uptime < end {}
      case .suspend: try await TimeSource.system.sleep(for: wait)
      }
      return .complete(context.attempt)
    }

    private static func block(for wait: Duration) {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + wait / .seconds(1))
    }

    /// Works until no run is left that is not over; each has one attempt.
    static func finishAll(_ journal: SQLiteJournal, lease: Duration) async throws {
      let effects = Effects(path: journal.path + "-effects", beforeWork: {})
      let options = FlowOptions<Self>(maxConcurrent: 32, retryPolicy: { _ in .never })
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Self.self, services: effects, options: options)],
        options: DurableRunnerOptions(
          lease: lease, pollInterval: .milliseconds(20),
          onEvent: { event in
            switch event.kind {
            case .lost, .dead, .journalUnavailable, .renewalStopped: say("\(event.kind)")
            default: break
            }
          }))
      let work = Task { try await runner.run() }
      for run in try await journal.runs(RunQuery(limit: 1_000)).runs {
        do {
          _ = try await runner.handle(run.id, completion: Int.self).value
        } catch is DurableRunError {
          say("dead")
        }
      }
      await runner.shutdown()
      _ = await work.result
      say("ended")
    }
  }
#endif
