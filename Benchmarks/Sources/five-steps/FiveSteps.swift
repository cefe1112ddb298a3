import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDB

#if POSTGRES
  import FieldstonePostgres
#endif

/// Runs flows of five stages, so many at a time, and prints one line: flows a second, and on SQLite the
/// journal mode, `synchronous` and its version as the journal's connection has them.
///
/// `Benchmarks/dbos/run` sets it beside the same flow of DBOS.
@main
enum FiveSteps {
  /// Each stage does nothing and adds its number to a sum.
  enum Flow: DurableStage, VersionedFlow {
    static let flowName = "five-steps"

    case step(Int, sum: Int)

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
      switch self {
      case .step(let number, let sum):
        let sum = sum + number
        return number < 5 ? .advance(to: .step(number + 1, sum: sum)) : .complete(sum)
      }
    }
  }

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let path = arguments.first,
      let flows = arguments.dropFirst().first.flatMap({ Int($0) }), flows > 0,
      let seconds = arguments.last.flatMap({ Double($0) }), seconds > 0
    else {
      FileHandle.standardError.write(
        Data("usage: five-steps FILE|CONNECTION AT_A_TIME SECONDS\n".utf8))
      exit(64)
    }
    #if POSTGRES
      if path.hasPrefix("postgresql:") {
        let journal = try await PostgresJournal(path)
        return try await measure(flows, for: seconds, on: journal) { "" }
      }
    #endif
    let journal = try SQLiteJournal(path: path)
    try await measure(flows, for: seconds, on: journal) { @Sendable in
      try await settings(of: journal)
    }
    try await journal.close()
  }

  private static func measure(
    _ flows: Int, for seconds: Double, on journal: any Journal,
    settings: @Sendable () async throws -> String
  ) async throws {
    let runner = try DurableRunner(
      journal: journal,
      flows: [DurableFlow(Flow.self, options: FlowOptions(maxConcurrent: flows))])
    let work = Task { try await runner.run() }
    // As long as the other side's.
    _ = try await rate(of: flows, on: runner, for: .milliseconds(500))
    let rate = try await rate(of: flows, on: runner, for: .seconds(seconds))
    await runner.shutdown()
    try await work.value
    print(String(format: "%.2f", rate), try await settings(), separator: "\t")
  }

  /// Flows a second: each task runs one after the other, the last of which begins within the time.
  private static func rate(
    of flows: Int, on runner: DurableRunner, for duration: Duration
  ) async throws -> Double {
    let start = ContinuousClock.now
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<flows {
        group.addTask {
          var count = 0
          while ContinuousClock.now - start < duration {
            let run = try await runner.start(Flow.step(1, sum: 0))
            guard try await run.value == 15 else { throw CocoaError(.fileReadCorruptFile) }
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  private static func settings(of journal: SQLiteJournal) async throws -> String {
    try await journal.write { database in
      let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
      let level = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? 0
      let version = try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? ""
      let names = ["OFF", "NORMAL", "FULL", "EXTRA"]
      return [mode, names.indices.contains(level) ? names[level] : "\(level)", version].joined(
        separator: "\t")
    }
  }
}
