import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// A journal with many ready runs, which one bulk change cancels.
struct OpenRuns: Sendable {
  private let count: Int
  private let folder: BenchmarkFolder
  private let runner: DurableRunner

  init(_ count: Int) async throws {
    self.count = count
    folder = try BenchmarkFolder()
    let path = folder.file.path()
    let journal = try SQLiteJournal(path: path, options: SQLiteJournalOptions(durability: .normal))
    runner = try DurableRunner(journal: journal, flows: [DurableFlow(RunnerRuns.Order.self)])
    try ManyRuns.fill(path, count, .ready)
  }

  /// Cancels them all by one call, each with its row of the audit.
  func cancelAll() async throws {
    let change = BulkChange(.cancel, of: RunQuery(flow: "orders", states: [.ready]))
    let counted = try await runner.count(change, limit: count)
    let progress = try await runner.perform(change, upTo: counted)
    guard progress.isDone, progress.changed == count else { throw CocoaError(.fileWriteUnknown) }
  }
}
