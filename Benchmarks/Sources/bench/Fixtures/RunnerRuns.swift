import FieldstoneDurable
import FieldstoneSQLite
import Foundation

/// So many runs that a runner takes through so many stages each, in a journal of their own.
final class RunnerRuns: Sendable {
  private let folder: BenchmarkFolder
  private let runner: DurableRunner
  private let runs: [RunHandle<Int>]

  /// A stage with as much in it as those that are written without a runner.
  enum Order: DurableStage, VersionedFlow {
    static let flowName = "orders"
    static let first = with(stages: 1)

    case charge(card: String, amount: Int, left: Int)

    static func with(stages: Int) -> Self {
      .charge(card: "4111 1111 1111 1111", amount: 1299, left: stages)
    }

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
      guard case .charge(let card, let amount, let left) = self, left > 1 else {
        return .complete(context.sequence)
      }
      return .advance(to: .charge(card: card, amount: amount, left: left - 1))
    }
  }

  /// Makes the runs, after as many short ones, which open the journal's connections and prepare its
  /// statements: that is done once in a process.
  init(_ count: Int, stages: Int) async throws {
    folder = try BenchmarkFolder()
    let journal = try SQLiteJournal(path: folder.file.path())
    func runner() throws -> DurableRunner {
      try DurableRunner(
        journal: journal,
        flows: [DurableFlow(Order.self, options: FlowOptions(maxConcurrent: count))])
    }
    let first = try runner()
    try await Self.finish(Self.start(count, stages: 1, by: first), by: first)
    self.runner = try runner()
    runs = try await Self.start(count, stages: stages, by: self.runner)
  }

  private static func start(
    _ count: Int, stages: Int, by runner: DurableRunner
  ) async throws -> [RunHandle<Int>] {
    var runs: [RunHandle<Int>] = []
    for _ in 0..<count { runs.append(try await runner.start(Order.with(stages: stages))) }
    return runs
  }

  /// Takes runs to their ends, which one task per run waits for.
  private static func finish(_ runs: [RunHandle<Int>], by runner: DurableRunner) async throws {
    let work = Task { try await runner.run() }
    try await withThrowingTaskGroup { group in
      for run in runs { group.addTask { _ = try await run.value } }
      try await group.waitForAll()
    }
    await runner.shutdown()
    try await work.value
  }

  /// Takes all runs to their ends, from the first claim on.
  func finish() async throws { try await Self.finish(runs, by: runner) }

  /// The CPU time that it takes, of all threads, in nanoseconds.
  func finishOnCPU() async throws -> Double {
    let before = ProcessorTime.now
    try await finish()
    return ProcessorTime.now - before
  }
}
