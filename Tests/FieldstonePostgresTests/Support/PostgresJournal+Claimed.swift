#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation

  extension PostgresJournal {
    /// Starts runs of the flow `flow`, and claims them all.
    func claimed(_ count: Int, seed: UInt64, at time: JournalTime) async throws -> [RunRecord] {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<count {
        let start = RunStart(
          id: RunID(at: time.date, using: &generator), flow: "flow", version: 1,
          payload: Data("0".utf8))
        _ = try await self.start(start, at: time)
      }
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "flow", version: 1, limit: count)],
        lease: .seconds(60))
      return try await claim(request, at: time).runs.map(\.record)
    }

    /// Goes on with a claimed run, or completes it.
    func goOn(
      _ run: RunRecord, _ next: Checkpoint.Next, at time: JournalTime,
      _ write: (@Sendable () -> Void)? = nil
    ) async throws {
      try await checkpoint(
        Checkpoint(
          claim: run.claimed, version: 1, next: next, beganAt: time.date, lease: .seconds(60),
          writes: write.map { write in [CheckpointWrite { _ in write() }] } ?? []), at: time)
    }
  }

  extension RunRecord {
    /// The claim that the record was made for.
    var claimed: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
  }
#endif
