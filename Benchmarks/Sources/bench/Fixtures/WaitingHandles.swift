import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// Handles that wait for runs on which nobody works, made when they are first asked.
actor WaitingHandles {
  private let count: Int
  private let time = SteppedTime()
  private var made: (runner: DurableRunner, work: [Task<Void, any Error>])?
  private var folder: BenchmarkFolder?

  init(_ count: Int) {
    self.count = count
  }

  /// The CPU time of so many polls, in nanoseconds.
  func wait(polls: Int) async throws -> Double {
    if made == nil { try await make() }
    let before = ProcessorTime.now
    for _ in 0..<polls { await time.advance() }
    return ProcessorTime.now - before
  }

  private func make() async throws {
    let folder = try BenchmarkFolder()
    let path = folder.file.path()
    let journal = try SQLiteJournal(path: path)
    try ManyRuns.fill(path, count, .ready)
    let runner = try DurableRunner(journal: journal, flows: [], time: time.source)
    var work: [Task<Void, any Error>] = []
    for number in 0..<count {
      let handle = runner.handle(RunID(ManyRuns.text(number))!, completion: Int.self)
      work.append(Task { _ = try await handle.value })
    }
    try await ProcessorTime.settle()
    // The first poll wakes all of them once: what came before it is in no answer.
    await time.advance()
    try await ProcessorTime.settle()
    made = (runner, work)
    self.folder = folder
  }
}
