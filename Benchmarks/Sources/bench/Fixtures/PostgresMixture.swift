#if POSTGRES
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation

  /// Runs that a worker has, of which 64 make checkpoints at the same time.
  final class PostgresMixture: Sendable {
    /// What a run's last checkpoint does.
    private enum Last: Int {
      case waits, receives, consumes, completes, writes
    }

    /// The checkpoints that are measured of each run; all but the last lead to the next stage.
    static let checkpoints = 8
    private static let lanes = 64

    private let journal: PostgresJournal
    private let runs: [RunRecord]
    /// Whether the last checkpoints of runs differ in what they do, a fifth of each kind.
    private let isMixed: Bool

    init(_ count: Int, isMixed: Bool, in journal: PostgresJournal) async throws {
      self.journal = journal
      self.isMixed = isMixed
      let starts = (0..<count).map { _ in
        RunStart(
          id: RunID(at: PostgresBench.time.date), flow: "orders", version: 1,
          payload: PostgresBench.payload)
      }
      for result in await journal.start(starts, at: PostgresBench.time) { _ = try result.get() }
      let request = ClaimRequest(
        worker: "bench", flows: [.init(flow: "orders", version: 1, limit: count)],
        lease: .seconds(600))
      runs = try await journal.claim(request, at: PostgresBench.time).runs.map(\.record)
      try await journal.write { transaction in
        _ = try transaction.execute("CREATE TABLE note (run text, stage int)")
      }
      for (number, run) in runs.enumerated() where end(of: number) == .consumes {
        let signal = SignalRecord(
          id: "paid", name: "paid", payload: Data("1".utf8), sentAt: PostgresBench.time.date)
        try await journal.signal(run.id, signal, at: PostgresBench.time)
      }
      // These open the connections.
      try await checkpoint(0..<1)
    }

    /// All checkpoints that are measured.
    func checkpoint() async throws { try await checkpoint(1..<1 + Self.checkpoints) }

    private func end(of number: Int) -> Last? { isMixed ? Last(rawValue: number % 5) : nil }

    private func checkpoint(_ sequences: Range<Int>) async throws {
      try await withThrowingTaskGroup { group in
        for lane in 0..<Self.lanes {
          group.addTask {
            for number in stride(from: lane, to: self.runs.count, by: Self.lanes) {
              for sequence in sequences {
                try await self.journal.checkpoint(
                  self.checkpoint(number, sequence), at: PostgresBench.time)
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }

    private func checkpoint(_ number: Int, _ sequence: Int) -> Checkpoint {
      let run = runs[number]
      var checkpoint = Checkpoint(
        claim: RunClaim(id: run.id, sequence: sequence, fence: run.fence), version: 1,
        next: .stage(PostgresBench.payload), beganAt: PostgresBench.time.date,
        lease: .seconds(60))
      guard sequence == Self.checkpoints, let last = end(of: number) else { return checkpoint }
      switch last {
      case .waits: checkpoint.next = .waiting(PostgresBench.payload, until: .distantFuture)
      case .receives:
        checkpoint.next = .receiving(PostgresBench.payload, signals: ["paid"], until: nil)
      case .consumes: checkpoint.consumedSignals = ["paid"]
      case .completes: checkpoint.next = .completion(PostgresBench.payload)
      case .writes:
        checkpoint.writes = [
          CheckpointWrite { transaction in
            _ = try (transaction as? PostgresTransaction)?
              .execute("INSERT INTO note VALUES ($1, 1)", ["\(run.id)"])
          }
        ]
      }
      return checkpoint
    }
  }
#endif
