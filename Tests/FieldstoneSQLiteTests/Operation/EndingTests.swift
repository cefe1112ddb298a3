#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("How runners on a file end", .timeLimit(.minutes(20)))
  struct EndingTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func runner(_ journal: SQLiteJournal, worker: String? = nil) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Sleep.self)],
        options: DurableRunnerOptions(worker: worker, pollInterval: .milliseconds(5)))
    }

    private enum Sleep: DurableStage, VersionedFlow {
      static let flowName = "sleep"
      case sleep

      func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
        .complete(1)
      }
    }

    @Test("A runner ends once its journal is closed, and so does one that waits for a run")
    func closed() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let runner = try runner(journal)
      let work = Task { try await runner.run() }
      _ = try await runner.start(Sleep.sleep).value
      let handle = try await runner.start(Sleep.sleep)
      _ = try await handle.value
      try await journal.close()
      await #expect(throws: JournalError.closed) { try await work.value }
      await #expect(throws: JournalError.closed) { try await handle.value }
    }

    @Test("A runner ends with the name that another that is alive has, too")
    func duplicate() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let first = try runner(journals[0], worker: "the same")
      let work = Task { try await first.run() }
      _ = try await first.start(Sleep.sleep).value
      let second = try runner(journals[1], worker: "the same")
      await #expect(throws: JournalError.duplicateWorker("the same")) { try await second.run() }
      #expect(JournalError.duplicateWorker("the same").message.contains("the same"))
      await first.shutdown()
      try await work.value
      // The name is free again once its journal is closed.
      try await journals[0].close()
      let again = Task { try await second.run() }
      _ = try await second.start(Sleep.sleep).value
      await second.shutdown()
      try await again.value
    }

    @Test("Runs that are started at once take little memory each until they are written")
    func burst() async throws {
      let path = folder.path
      let grown = try await onThread { () throws -> Int? in
        try OtherProcess("burst", path, "20000").end().first.flatMap { Int($0) }
      }
      // Tasks that only wait are most of it: 39 MB in all. It is 120 MB and more if all starts are
      // written at the same time. A sanitizer has a heap of its own.
      #if !ASAN && !TSAN
        #expect(try #require(grown) < 70_000_000)
      #endif
      let journal = try SQLiteJournal(path: folder.path)
      #expect(try await journal.runs(RunQuery(flow: "blockages")).runs.count == 50)
    }

    @Test(
      "A worker with a thousand flows gets what is there of them",
      arguments: [ClaimRequest.Quarantine.disregarded, .left(after: 2)])
    func manyFlows(quarantine: ClaimRequest.Quarantine) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let names = (0..<1_000).map { "flow \($0)" } + ["é", "e\u{301}", ""]
      var wanted: [RunID] = []
      for (number, name) in ["flow 0", "flow 999", "é", "flow 5", "unknown", ""].enumerated() {
        let run = try await journal.start(.sample(number, flow: name), at: .at(0))
        if name != "unknown" { wanted.append(run.id) }
      }
      let rooms = names.map { ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 8) }
      let request = ClaimRequest(
        worker: "worker", flows: rooms, lease: .seconds(60), quarantine: quarantine)
      #expect(try await journal.claim(request, at: .at(1)).runs.map(\.record.id).sorted() == wanted)
      #expect(try await journal.claim(request, at: .at(2)).runs.isEmpty)
      // Taken over once their leases are over.
      let later = try await journal.claim(request, at: .at(100))
      #expect(later.runs.map(\.record.id).sorted() == wanted)
    }

    /// Leaves out that a claim under way at the signal took the run again; the runner gives it back
    /// before its work begins.
    private static func withoutLateClaim(_ lines: [String]) -> [String] {
      lines == ["parked", "claimed", "parked", "ended"] ? ["parked", "ended"] : lines
    }

    @Test("A signal ends a service: what it is at is given back, with no attempt used up")
    func signal() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let start = RunStart(
        id: sampleID(1), flow: "blockages", version: 1,
        payload: Data(#"{"kind":"suspend","milliseconds":600000}"#.utf8))
      _ = try await journal.start(start, at: .real)
      let path = folder.path
      let lines = try await onThread {
        let server = try OtherProcess("serve", path, lease: 50)
        #expect(server.line() == "claimed")
        server.send(SIGTERM)
        return server.end()
      }
      #expect(Self.withoutLateClaim(lines) == ["parked", "ended"])
      let record = try #require(try await journal.run(start.id))
      #expect(record.state == .ready && record.attempts == 0 && record.worker == nil)
    }

    @Test("A second signal ends the grace")
    func secondSignal() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let start = RunStart(
        id: sampleID(1), flow: "blockages", version: 1,
        payload: Data(#"{"kind":"suspend","milliseconds":600000}"#.utf8))
      _ = try await journal.start(start, at: .real)
      let path = folder.path
      let lines = try await onThread {
        let server = try OtherProcess("serve", path, lease: 3_600_000)
        #expect(server.line() == "claimed")
        // Two signals that are one to the system would be one to it.
        server.send(SIGTERM)
        server.send(SIGINT)
        return server.end()
      }
      #expect(Self.withoutLateClaim(lines) == ["parked", "ended"])
    }
  }
#endif
