import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// Runs that a worker has, in a journal of their own.
final class WorkingRuns: Sendable {
  private let folder: BenchmarkFolder
  private let journal: SQLiteJournal
  private let runs: [RunRecord]

  static let payload = Data(#"{"charge":{"card":"4111 1111 1111 1111","amount":1299}}"#.utf8)
  static let time = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 700_000_000), uptime: .seconds(1_000), boot: "boot")

  init(_ count: Int) async throws {
    folder = try BenchmarkFolder()
    (journal, runs) = try await Self.make(count, at: folder.file.path())
  }

  /// Makes a journal in which a worker has so many runs.
  static func make(
    _ count: Int, at path: String
  ) async throws -> (SQLiteJournal, [RunRecord]) {
    let journal = try SQLiteJournal(path: path)
    for _ in 0..<count {
      let id = RunID(at: time.date)
      let start = RunStart(id: id, flow: "orders", version: 1, payload: payload)
      _ = try await journal.start(start, at: time)
    }
    let request = ClaimRequest(
      worker: "bench", flows: [.init(flow: "orders", version: 1, limit: count)],
      lease: .seconds(30))
    let claim = try await journal.claim(request, at: time)
    return (journal, claim.runs.map(\.record))
  }

  /// Takes each run so many stages further, all runs at the same time.
  func checkpoint(_ times: Int) async throws {
    if runs.count == 1 { return try await checkpoint(runs[0], times) }
    try await withThrowingTaskGroup { group in
      for run in runs { group.addTask { try await self.checkpoint(run, times) } }
      try await group.waitForAll()
    }
  }

  private func checkpoint(_ run: RunRecord, _ times: Int) async throws {
    for sequence in 0..<times {
      let claim = RunClaim(id: run.id, sequence: sequence, fence: run.fence)
      let checkpoint = Checkpoint(
        claim: claim, version: 1, next: .stage(Self.payload), beganAt: Self.time.date,
        lease: .seconds(30))
      try await journal.checkpoint(checkpoint, at: Self.time)
    }
  }
}
