import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// A runner that has nothing to do, made when it is first asked, and what waits for it.
actor WaitingRunner {
  private let flows: Int
  private let handles: Int
  private let time = SteppedTime()
  private var made: (folder: BenchmarkFolder, runner: DurableRunner, work: [Task<Void, any Error>])?

  /// One that works on so many flows, of which none has a run.
  init(flows: Int) {
    self.flows = flows
    handles = 0
  }

  /// One that only polls for so many handles, each of a run on which no runner works.
  init(handles: Int) {
    flows = 0
    self.handles = handles
  }

  /// The CPU time of so many polls, in nanoseconds.
  func poll(times count: Int) async throws -> Double {
    if made == nil { try await make() }
    let before = ProcessorTime.now
    for _ in 0..<count { await time.advance() }
    return ProcessorTime.now - before
  }

  private func make() async throws {
    let folder = try BenchmarkFolder()
    let path = folder.file.path()
    let journal = try SQLiteJournal(path: path)
    let flows = (0..<flows).map { DurableFlow(RunnerRuns.Order.self, name: "flow \($0)") }
    let runner = try DurableRunner(journal: journal, flows: flows, time: time.source)
    if flows.isEmpty {
      made = (folder, runner, try await wait(in: path, for: runner))
    } else {
      made = (folder, runner, [Task { try await runner.run() }])
      await time.untilAsleep()
    }
  }

  private func wait(
    in path: String, for runner: DurableRunner
  ) async throws -> [Task<Void, any Error>] {
    try ManyRuns.fill(path, handles, .ready)
    let work = (0..<handles).map { number in
      let handle = runner.handle(RunID(ManyRuns.text(number))!, completion: Int.self)
      return Task { _ = try await handle.value }
    }
    try await ProcessorTime.settle()
    // The first poll wakes all of them once: what came before it is in no answer.
    await time.advance()
    try await ProcessorTime.settle()
    return work
  }
}
