#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import JournalModel
  import Testing

  extension CrashTests {
    /// The runs of the limited flow, by their concurrency keys.
    private struct Lanes {
      static let keys = ["0", "1", "2", "3"]
      static let mostRuns = 3
      static let stages = 4
      static let fork = 2

      let folder: Folder
      let journal: SQLiteJournal
      private(set) var runs: [String: [RunID]] = [:]

      init(_ folder: Folder) async throws {
        self.folder = folder
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE effect (key TEXT)") }
        try queue.close()
        journal = try SQLiteJournal(
          path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      }

      /// Starts so many runs of each key, in turn; their last stage but one starts children.
      mutating func start(perKey count: Int) async throws {
        for key in (0..<count).flatMap({ _ in Self.keys }) {
          let number = runs.values.reduce(0) { $0 + $1.count }
          let start = RunStart(
            id: sampleID(number), flow: "lanes", version: 1,
            payload: Data(#"{"left":\#(Self.stages),"fork":\#(Self.fork),"lane":"\#(key)"}"#.utf8),
            concurrencyKey: key)
          runs[key, default: []].append(try await journal.start(start, at: .real).id)
        }
      }

      /// Pauses a key or resumes it, and writes it down.
      ///
      /// No worker is alive, so that no stage can begin in between.
      func pause(_ key: String, isOver: Bool = false) async throws {
        let target = PauseTarget.concurrencyKey(key, flow: "lanes")
        if isOver {
          try note("resume \(key)")
          _ = try await journal.resume(target, by: nil, at: .real)
        } else {
          try await journal.pause(target, until: nil, by: nil, at: .real)
          try note("pause \(key)")
        }
      }

      private func note(_ line: String) throws {
        let url = URL(filePath: folder.path + "-effects-turns")
        try (lines + Data((line + "\n").utf8)).write(to: url)
      }

      private var lines: Data { folder.bytes(of: "journal.sqlite-effects-turns") ?? Data() }

      var audit: TurnAudit {
        TurnAudit(String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init))
      }

      var violations: [String] { audit.violations(started: runs, most: Self.mostRuns) }

      /// Lets processes work until they have said so many lines, and kills all.
      ///
      /// - Parameter spin: how long to wait after that.
      func kill(_ count: Int, after lines: Int, spin: Int = 0) async throws {
        let path = folder.path
        try await onThread {
          let workers = try (0..<count).map { _ in try OtherProcess("work-lanes", path) }
          let told = DispatchSemaphore(value: 0)
          let all = DispatchGroup()
          for worker in workers {
            all.enter()
            Thread {
              while worker.line() != nil { told.signal() }
              all.leave()
            }.start()
          }
          for _ in 0..<lines { told.wait() }
          spinFor(spin)
          for worker in workers { worker.send(SIGKILL) }
          all.wait()
          for worker in workers { worker.end() }
        }
      }

      /// Lets a process work until it has said so many lines.
      func work(lines: Int) async throws {
        let path = folder.path
        try await onThread {
          _ = try OtherProcess(
            "work-lanes", path, environment: ["FIELDSTONE_LAST_LINE": "\(lines)"]
          ).end()
        }
      }
    }

    @Test(
      "Workers that are killed at random pass no limit, keep the order of a key, and begin nothing paused"
    )
    func killedLanes() async throws {
      var lanes = try await Lanes(folder)
      var random = SeededGenerator(seed: Self.seed ^ 2)
      var paused: String?
      for number in 0..<Self.kills {
        switch (number % 3, paused) {
        case (0, _):
          let key = Lanes.keys[Int.random(in: 0..<Lanes.keys.count, using: &random)]
          try await lanes.pause(key)
          paused = key
        case (2, let key?):
          try await lanes.pause(key, isOver: true)
          paused = nil
        default: break
        }
        let (lines, spin) = (
          Int.random(in: 0...8, using: &random), Int.random(in: 0..<200_000, using: &random)
        )
        // More lines than are read, without those of the paused key: the workers may have done all
        // that there was.
        try await lanes.start(perKey: 1)
        try await lanes.kill(2, after: lines, spin: spin)
        let state = try await JournalState(of: lanes.journal)
        // With a place that is not released they might have nothing to say.
        try #require(state.isUnbroken, "seed \(Self.seed), kill \(number): \(state)")
      }
      if let paused { try await lanes.pause(paused, isOver: true) }
      try await finish(with: 2, command: "finish-lanes")
      #expect(lanes.violations == [], "seed \(Self.seed)")
      #expect(try await lanes.journal.findings() == [])
      var keys: Set<String> = []
      for id in Lanes.keys.flatMap({ lanes.runs[$0] ?? [] }) {
        #expect(try await lanes.journal.run(id)?.state == .completed)
        let children = try await lanes.journal.children(of: id, at: nil, after: nil, limit: 100)
          .children
        #expect(children.map(\.place.ordinal) == Array(0..<Lanes.fork))
        keys.formUnion(
          (0..<Lanes.stages).map { "\(id)-\($0)" } + children.map { "\($0.id)-0" })
      }
      let queue = try DatabaseQueue(path: folder.path)
      let effects = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT key FROM effect")
      }
      #expect(effects.count == keys.count && Set(effects) == keys)
    }

    /// What a damaged journal does wrong, and what finds it.
    struct Damage: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var sql: String
      /// What the turns show, or the journal itself.
      var finding: String
    }

    private static let damages = [
      Damage(testDescription: "none", sql: "SELECT 1", finding: ""),
      Damage(
        testDescription: "places that are released at once",
        sql: """
          CREATE TRIGGER damage AFTER UPDATE OF place ON fieldstone_run WHEN NEW.place = 1
          BEGIN UPDATE fieldstone_run SET place = 0, flow_place = 0 WHERE number = NEW.number; END
          """, finding: "it has no place of its limited key"),
      Damage(
        testDescription: "places of the flow that are released at once",
        sql: """
          CREATE TRIGGER damage AFTER UPDATE OF flow_place ON fieldstone_run WHEN NEW.flow_place = 1
          BEGIN UPDATE fieldstone_run SET flow_place = 0 WHERE number = NEW.number; END
          """, finding: "4 runs had begun and were not over, of 3"),
      Damage(
        testDescription: "places that are never released",
        sql: "DROP TRIGGER fieldstone_run_moves",
        finding: "it has a place of its key that no limit lets it keep"),
      Damage(
        testDescription: "a pause that claims ignore",
        sql: """
          CREATE TRIGGER damage AFTER UPDATE OF gate ON fieldstone_run WHEN NEW.gate & 4
          BEGIN UPDATE fieldstone_run SET gate = gate & ~4 WHERE number = NEW.number; END
          """, finding: "began a stage while “0” was paused"),
      Damage(
        testDescription: "an order that is turned round",
        sql: "UPDATE fieldstone_run SET wakes_at = -wakes_at", finding: "began in the order"),
    ]

    #if !TSAN && !ASAN  // Whether turns overlap depends on their time.
      @Test("What the turns show finds each broken promise", arguments: damages)
      func damaged(damage: Damage) async throws {
        // On a busy machine a run may be over before the next one of its key could begin.
        var found: [String] = []
        for _ in 0..<20 {
          found = try await violations(after: damage)
          if damage.finding.isEmpty || found.contains(where: { $0.contains(damage.finding) }) {
            break
          }
        }
        if damage.finding.isEmpty {
          #expect(found == [])
        } else {
          #expect(found.contains { $0.contains(damage.finding) }, "\(found)")
        }
      }

      private func violations(after damage: Damage) async throws -> [String] {
        let folder = try Folder()
        var lanes = try await Lanes(folder)
        try await lanes.start(perKey: 6)
        try await lanes.journal.setLimits(
          FlowLimits(runs: Lanes.mostRuns, counting: .wholeRun, perKey: .init(1)), of: "lanes",
          replacing: true, at: .real)
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write { try $0.execute(sql: damage.sql) }
        try queue.close()
        // Of the three that are under way one is over by then.
        try await lanes.work(lines: 16)
        // With places that are not released, there is nothing more to be done.
        if damage.finding.isEmpty || damage.finding.contains("paused") {
          // The worker may have done all that there was.
          try await lanes.start(perKey: 6)
          try await lanes.pause("0")
          try await lanes.work(lines: 16)
        }
        let journal = try await lanes.journal.findings().map(\.detail)
        #expect(lanes.audit.turns(of: "1") > 0)
        return lanes.violations + journal
      }
    #endif
  }
#endif
