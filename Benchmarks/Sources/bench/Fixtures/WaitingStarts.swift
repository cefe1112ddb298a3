import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDBSQLite
import Synchronization

/// Starts that wait for a journal in which another writes.
final class WaitingStarts: Sendable {
  private let count: Int
  private let folder: BenchmarkFolder
  private let runner: DurableRunner

  init(_ count: Int) async throws {
    self.count = count
    folder = try BenchmarkFolder()
    let options = SQLiteJournalOptions(durability: .normal, busyTimeout: .seconds(600))
    let journal = try SQLiteJournal(path: folder.file.path(), options: options)
    runner = try DurableRunner(journal: journal, flows: [DurableFlow(RunnerRuns.Order.self)])
    _ = try await runner.start(RunnerRuns.Order.first)
  }

  /// Starts them all, each in a task of its own, while nothing can be written; what is returned lets
  /// them be written.
  func hold() async throws -> @Sendable () async throws -> Void {
    let lock = try DatabaseLock(folder.file.path())
    let runner = runner
    let work = (0..<count).map { _ in
      Task { _ = try await runner.start(RunnerRuns.Order.first) }
    }
    try await ProcessorTime.settle()
    return {
      lock.release()
      for start in work { try await start.value }
    }
  }

  /// The same by one call.
  func holdCall() async throws -> @Sendable () async throws -> Void {
    let lock = try DatabaseLock(folder.file.path())
    let (runner, count) = (runner, count)
    let work = Task {
      try await runner.start(
        all: (0..<count).lazy.map { _ in StageStart(RunnerRuns.Order.first) })
    }
    try await ProcessorTime.settle()
    return {
      lock.release()
      for answer in try await work.value { _ = try answer.get() }
    }
  }
}

/// As many tasks that wait for nothing else than to go on.
final class WaitingTasks: Sendable {
  private let count: Int
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(_ count: Int) {
    self.count = count
  }

  func hold() async throws -> @Sendable () async throws -> Void {
    let work = (0..<count).map { _ in
      Task {
        await withCheckedContinuation { continuation in
          self.waiting.withLock { $0.append(continuation) }
        }
      }
    }
    try await ProcessorTime.settle()
    return {
      for waiter in self.waiting.withLock({ $0 }) { waiter.resume() }
      self.waiting.withLock { $0 = [] }
      for task in work { await task.value }
    }
  }
}

/// The lock of a writer on a database, taken without the gate of the journals.
final class DatabaseLock: Sendable {
  private let connection: Mutex<Connection>

  private struct Connection: ~Copyable {
    var pointer: OpaquePointer?
    deinit { sqlite3_close(pointer) }
  }

  init(_ path: String) throws {
    var pointer: OpaquePointer?
    guard sqlite3_open(path, &pointer) == SQLITE_OK,
      sqlite3_exec(pointer, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
    else { throw RawJournal.Failure(code: sqlite3_errcode(pointer)) }
    connection = Mutex(Connection(pointer: pointer))
  }

  func release() {
    connection.withLock { connection in
      _ = sqlite3_exec(connection.pointer, "COMMIT", nil, nil, nil)
    }
  }
}
