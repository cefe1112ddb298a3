import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// A runner with so many flows of which none has anything to do, made when it is first asked.
actor IdleFlows {
  private let count: Int
  private let time = SteppedTime()
  private var made: (folder: BenchmarkFolder, runner: DurableRunner, work: Task<Void, any Error>)?

  init(_ count: Int) {
    self.count = count
  }

  /// The CPU time of so many polls, in nanoseconds.
  func idle(polls: Int) async throws -> Double {
    if made == nil { try await make() }
    let before = ProcessorTime.now
    for _ in 0..<polls { await time.advance() }
    return ProcessorTime.now - before
  }

  private func make() async throws {
    let folder = try BenchmarkFolder()
    let journal = try SQLiteJournal(path: folder.file.path())
    let flows = (0..<count).map { DurableFlow(RunnerRuns.Order.self, name: "flow \($0)") }
    let runner = try DurableRunner(journal: journal, flows: flows, time: time.source)
    let work = Task { try await runner.run() }
    await time.untilAsleep()
    made = (folder, runner, work)
  }
}
