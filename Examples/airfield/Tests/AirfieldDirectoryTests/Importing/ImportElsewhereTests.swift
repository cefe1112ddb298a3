import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

/// What a trial does not do: see `ImportTrialTests` for kills at each checkpoint.
extension ImportPartsTests {
  /// A journal in a database of its own.
  func elsewhere() throws -> SQLiteJournal {
    try SQLiteJournal(path: try folder.path("elsewhere.sqlite"))
  }

  @Test("by two processes at once, with the journal elsewhere, is one import")
  func twoProcessesElsewhere() async throws {
    let expected = try await undivided()
    let (directory, journal) = (try directory(), try elsewhere())
    let other = try AirportDirectory(path: directory.path)
    async let first = importer(directory, 1, journal: journal, isElsewhere: true).run(file)
    async let second = importer(other, 1, journal: journal, isElsewhere: true).run(file)
    let counts = try await [first.counts, second.counts]
    #expect(counts == [expected.counts, expected.counts])
    #expect(try Result(counts[0], directory) == expected)
  }

  @Test("in a journal elsewhere, that several directories share, is of its own directory")
  func shared() async throws {
    let expected = try await undivided()
    let journal = try elsewhere()
    var directory = try directory()
    for _ in 0..<2 {
      let counts = try await importer(directory, 1, journal: journal, isElsewhere: true).run(file)
        .counts
      #expect(try Result(counts, directory) == expected)
      // A copy is another directory.
      await directory.close()
      let copy = try folder.path("copy.sqlite")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
      let other = try AirportDirectory(path: copy)
      let again = try await importer(other, 1, journal: journal, isElsewhere: true).run(file)
      #expect(again.counts.unchanged == expected.counts.stored)
      await other.close()
      // So is one that is made anew at the same place.
      try FileManager.default.removeItem(atPath: directory.path)
      directory = try self.directory()
    }
  }

  @Test("that only other processes do, with the journal elsewhere, is told as they store it")
  func followed() async throws {
    let expected = try await undivided()
    let (directory, journal) = (try directory(), try elsewhere())
    let (told, continuation) = AsyncStream.makeStream(of: ImportProgress.self)
    let idle = BreakingJournal(givingNothingOf: journal)
    let importer = importer(directory, 1, journal: idle, isElsewhere: true) { progress in
      continuation.yield(progress)
    }
    async let counts = importer.run(file).counts
    // One that ends with its second batch, and leaves the rest until the first one was told.
    let worker = try AirportDirectory(path: directory.path)
    let work = Mutex<Task<Void, any Error>?>(nil)
    let first = self.importer(worker, 1, journal: journal, isElsewhere: true) { progress in
      if progress.counts.read > 0 { work.withLock { $0 }?.cancel() }
    }
    let stopped = work.withLock { work in
      let task = Task { try await first.work() }
      work = task
      return task
    }
    _ = await stopped.result
    var seen: [ImportProgress] = []
    for await progress in told {
      seen.append(progress)
      if progress.counts.read > 0 { break }
    }
    // How many batches it has stored until then is its own affair.
    #expect(seen.last.map { 0.1..<1 ~= $0.fraction } == true, "\(seen)")
    let rest = Task {
      try await self.importer(worker, 1, journal: journal, isElsewhere: true).work()
    }
    let summary = try await counts
    rest.cancel()
    _ = await rest.result
    #expect(try Result(summary, directory) == expected)
  }

  @Test("whose rows a process stores that had lost the part stores them once, and goes on")
  func lateProcess() async throws {
    let expected = try await undivided()
    let (directory, journal) = (try directory(), try elsewhere())
    let late = try LateProcess(directory.path)
    let reports = Mutex(0)
    let importer = importer(directory, 1, journal: journal, isElsewhere: true) { _ in
      // From that of the second batch on: it is not read yet, and where it begins is known. A report
      // may come between two parts, when none runs.
      let count = reports.withLock {
        $0 += 1
        return $0
      }
      if count >= 2, late.end != "imported" { late.storeRunningPart(of: journal) }
    }
    let counts = try await importer.run(file).counts
    #expect(late.end == "imported")
    #expect(try Result(counts, directory) == expected)
  }
}

/// Does the part that is under way in a journal, as a process would that had it before and had stalled.
private final class LateProcess: Sendable {
  private final class Threads: TaskExecutor {
    private let queue = DispatchQueue(label: "late process", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      queue.async { job.runSynchronously(on: executor) }
    }
  }

  private let directory: AirportDirectory
  private let told = Mutex("")

  init(_ path: String) throws {
    directory = try AirportDirectory(path: path)
  }

  /// How the part ended for it.
  var end: String { told.withLock { $0 } }

  /// Stores them before it returns.
  func storeRunningPart(of journal: any Journal) {
    let end = DispatchSemaphore(value: 0)
    let threads = Threads()
    // A stage may not await a run, and this is none.
    Task.detached(executorPreference: threads) {
      do {
        let end = try await self.store(journal, on: threads)
        self.told.withLock { $0 = end }
      } catch {
        self.told.withLock { $0 = "\(error)" }
      }
      end.signal()
    }
    end.wait()
  }

  private func store(_ journal: any Journal, on threads: Threads) async throws -> String {
    let running = try await journal.runs(RunQuery(states: [.running])).runs
    guard let record = running.first(where: { $0.flow.hasSuffix(".part") }) else {
      return "no part runs"
    }
    let part = try StageJSON.value(AirportImportPart.self, from: record.payload)
    let services = ImportServices(directory: directory, isElsewhere: true) { _ in true }
    let runner = try DurableRunner(
      journal: InMemoryJournal(), flows: services.flows,
      options: DurableRunnerOptions(executor: threads))
    let work = Task { try await runner.run() }
    let end = try await runner.start(part, flow: services.flows[1].name).value
    work.cancel()
    _ = await work.result
    return "\(end)"
  }
}
