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
  }
#endif
