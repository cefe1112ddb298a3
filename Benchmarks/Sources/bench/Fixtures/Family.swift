import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// A worker's runs, as many as it is told: the children of a run that waits for them, or runs of their
/// own.
final class Family: Sendable {
  private let folder: BenchmarkFolder
  private let journal: SQLiteJournal
  private let parent: RunRecord
  private let runs: [RunRecord]

  /// How many runs go on at the same time.
  private static let workers = 64

  init(_ count: Int, areChildren: Bool) async throws {
    folder = try BenchmarkFolder()
    let time = WorkingRuns.time
    let (journal, parents) = try await WorkingRuns.make(1, at: folder.file.path())
    self.journal = journal
    parent = parents[0]
    // A runner makes some forty a millisecond. All of one millisecond would lie in the indices by
    // chance.
    let starts = (0..<count).map { number in
      RunStart(
        id: RunID(at: time.date + Double(number) / 40_000), flow: "parts", version: 1,
        payload: WorkingRuns.payload)
    }
    if areChildren {
      try await journal.checkpoint(
        Self.checkpoint(
          of: parent, .joining(WorkingRuns.payload, .init(starts.map { ChildStart($0) }))), at: time
      )
    } else {
      for answer in await journal.start(starts, at: time) { _ = try answer.get() }
    }
    let request = ClaimRequest(
      worker: "bench", flows: [.init(flow: "parts", version: 1, limit: count)],
      lease: .seconds(30))
    runs = try await journal.claim(request, at: time).runs.map(\.record)
    guard runs.count == count else { throw CocoaError(.fileReadUnknown) }
  }

  /// Takes each run a stage further.
  func goOn() async throws {
    try await checkpoint(.stage(WorkingRuns.payload))
  }

  /// Ends each run, and looks at nothing else.
  func endAlone() async throws {
    try await checkpoint(.completion(WorkingRuns.payload))
  }

  /// Ends each run; then its parent is claimed, and reads what came of all.
  func end() async throws {
    try await checkpoint(.completion(WorkingRuns.payload))
    let request = ClaimRequest(
      worker: "bench", flows: [.init(flow: "orders", version: 1, limit: 1)], lease: .seconds(30))
    guard try await journal.claim(request, at: WorkingRuns.time).runs.count == 1 else {
      throw CocoaError(.fileReadUnknown)
    }
    var (count, after) = (0, ChildPlace?.none)
    repeat {
      let page = try await journal.children(of: parent.id, at: 0, after: after, limit: 100)
      count += page.children.count { $0.end == .completed }
      after = page.next
    } while after != nil
    guard count == runs.count else { throw CocoaError(.fileReadUnknown) }
  }

  private func checkpoint(_ next: Checkpoint.Next) async throws {
    try await withThrowingTaskGroup { group in
      for worker in 0..<Self.workers {
        group.addTask { [runs, journal] in
          for index in stride(from: worker, to: runs.count, by: Self.workers) {
            try await journal.checkpoint(
              Self.checkpoint(of: runs[index], next), at: WorkingRuns.time)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func checkpoint(of run: RunRecord, _ next: Checkpoint.Next) -> Checkpoint {
    Checkpoint(
      claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1, next: next,
      beganAt: WorkingRuns.time.date, lease: .seconds(30))
  }
}
