#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  /// The code of the article on running it in production, compiled and run.
  @Suite("The article on running it in production", .timeLimit(.minutes(20)))
  struct ProductionTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func backUp(_ path: String, to backup: String) async throws {
      // snippet: production-backup
      var configuration = Configuration()
      configuration.readonly = true
      let source = try DatabaseQueue(path: path, configuration: configuration)
      try await source.vacuum(into: backup)
      try source.close()
      // end
    }

    #if os(macOS) || os(Linux)
      @Test("A backup that is made while another process writes holds an unbroken chain")
      func backup() async throws {
        let journal = try SQLiteJournal(path: folder.path)
        let id = try await journal.start(1)[0]
        let path = folder.path
        let (writer, told) = try await onThread {
          let writer = try OtherProcess("write", path)
          _ = writer.line()
          var told = 0
          for _ in 0..<50 { told = writer.line().flatMap { Int($0) } ?? -1 }
          return (writer, told)
        }
        for number in 0..<3 {
          try await backUp(path, to: folder["backup-\(number).sqlite"])
        }
        try await onThread {
          writer.send(SIGKILL)
          writer.end()
        }
        for number in 0..<3 {
          let copy = try SQLiteJournal(path: folder["backup-\(number).sqlite"])
          let record = try #require(try await copy.run(id))
          #expect(record.sequence >= told)
          #expect(try await copy.chain(of: id).map(\.sequence) == Array(0..<record.sequence))
          // No file of a lock is beside it: the lease decides, as it was at that moment.
          var later = JournalTime.real
          later.uptime += .seconds(7_200)
          #expect(try await copy.claim(1, at: later).map(\.fence) == [2])
          try await copy.close()
        }
      }
    #endif

    @Test("A copy of the one file lacks what is in the log")
    func copiedFile() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try FileManager.default.copyItem(atPath: folder.path, toPath: folder["copy.sqlite"])
      let copied = try? SQLiteJournal.reader(path: folder["copy.sqlite"])
      let record = try? await copied?.run(id)
      #expect(record == nil)
    }

    @Test("Retention, by a task of the app's own")
    func retention() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.change(id, .cancel, at: .at(0))
      let runner = try DurableRunner(
        journal: journal,
        flows: [DurableFlow(ArticleTests.Sale.self, services: ArticleTests.Shop())])
      // snippet: production-retention
      let retention = JournalRetention(runs: .seconds(14 * 86_400), stepsPerRun: 1_000)
      let gone = try await runner.purge(retention)
      // end
      #expect(gone == 1)
    }

    @Test("Room that a purge frees is used again")
    func room() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let stage = Data("\"\(String(repeating: "x", count: 1_000))\"".utf8)
      var sizes: [Int] = []
      // More of them than go in one transaction, each with steps and a signal.
      for round in 0..<4 {
        let ids = try await journal.start(150, from: round * 150)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for id in ids {
            group.addTask {
              try await journal.change(id, .edit(stage, version: nil), at: .at(0))
              try await journal.change(id, .edit(stage, version: nil), at: .at(0))
              let signal = SignalRecord(
                id: "\(round)", name: "go", payload: stage, sentAt: JournalTime.at(0).date)
              try await journal.signal(id, signal, at: .at(0))
              try await journal.change(id, .cancel, at: .at(0))
            }
          }
          try await group.waitForAll()
        }
        #expect(
          try await journal.purge(JournalRetention(runs: .zero, audit: .zero), at: .at(1)) == 150)
        // What is in the log is moved into the file, as it is once there is enough of it.
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        sizes.append(folder.bytes()?.count ?? 0)
      }
      #expect(sizes[0] > 0 && sizes[3] <= sizes[0] + 8 * 4_096, "\(sizes)")
    }

    @Test("The options that the article names")
    func options() throws {
      let path = folder.path
      // snippet: production-options
      let journal = try SQLiteJournal(
        path: path,
        options: SQLiteJournalOptions(
          durability: .full,  // .normal: what was answered last may go with the power
          limits: PayloadLimits(warning: 64 * 1024, error: 512 * 1024),
          busyTimeout: .seconds(10)))
      // end
      #expect(journal.path == path)
    }
  }
#endif
