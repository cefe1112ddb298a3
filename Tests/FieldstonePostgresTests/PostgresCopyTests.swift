#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "The copy of a journal",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresCopyTests {
    enum Kind: CaseIterable {
      case sqlite
      case postgres
    }

    private struct Interruption: Error {}

    /// Makes an empty journal; one of SQLite is removed with the folder.
    private func journal(
      _ kind: Kind, in folder: URL, clock: Locked<Date>
    ) async throws -> any CopySource {
      switch kind {
      case .sqlite:
        try SQLiteJournal(path: folder.appending(path: "\(UUID()).sqlite").path)
      case .postgres:
        try await PostgresServer.shared.journal(serverClock: { clock.withLock { $0 } })
      }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "fieldstone-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await body(folder)
    }

    private func findings(_ journal: any Journal) async throws -> [String] {
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      return findings
    }

    @Test(
      "All is at the target as it was, however often the copy is interrupted, and goes on as it would have",
      arguments: Kind.allCases)
    func copies(kind: Kind) async throws {
      try await withFolder { folder in
        let clock = Locked(CopiedScene.noon)
        var scene = CopiedScene(
          try await journal(kind, in: folder, clock: clock), clock: clock)
        try await scene.fill()
        let source = try #require(scene.journal as? any CopySource)
        #expect(try await findings(source) == [])
        var expected = try await RunPicture.all(in: source)
        for place in expected.indices where expected[place].record.state == .running {
          expected[place].giveBack(at: clock.withLock { $0 })
        }
        let (limits, pauses) = (try await source.flowLimits(), try await source.pauses())
        let schedules = try await source.schedules()
        #expect(schedules.count == 1)
        let reporter = try #require(scene.held.last?.id)
        let report = try await source.report(of: reporter, after: nil)
        #expect(report.lines.count == 2 && report.progress?.text == "a quarter")
        let audit = try await source.audit(AuditQuery(limit: 1_000))
        let last = try #require(audit.records.first).number

        var pages = 0
        var isWhole = false
        var target: PostgresJournal?
        while !isWhole {
          pages += 1
          let journal = try await PostgresServer.shared.journal(
            serverClock: { clock.withLock { $0 } })
          target = journal
          var reports = 0
          do {
            try await JournalCopy.copy(from: source, to: journal) { _ in
              reports += 1
              if reports == pages { throw Interruption() }
            }
            isWhole = true
          } catch is Interruption {
            // Nobody works at a part of a journal, nor goes on with the source.
            let part = CopiedScene(journal, clock: clock)
            await #expect(throws: JournalError.sealed) { _ = try await part.claim() }
            await #expect(throws: JournalError.sealed) { try await journal.seal() }
            try await JournalCopy.copy(from: source, to: journal)
          }
          #expect(try await findings(journal) == [], "interrupted at \(pages)")
          let found = try await RunPicture.all(in: journal)
          #expect(found == expected, "interrupted at \(pages)")
          #expect(try await journal.flowLimits() == limits)
          #expect(try await Set(journal.pauses()) == Set(pauses))
          #expect(try await journal.schedules() == schedules)
          #expect(try await journal.report(of: reporter, after: nil) == report)
          #expect(try await journal.audit(AuditQuery(limit: 1_000)) == audit)
          // Their order matters within a run.
          let signals = try await journal.texts(
            "SELECT id FROM signal ORDER BY name, run, position")
          #expect(signals == ["old 1", "other 2", "other 1"])
          #expect(try await journal.texts("SELECT id::text FROM replacement").count == 1)
          #expect(try await journal.texts("SELECT parent::text FROM cancellation").count == 1)
          var query = RunQuery()
          query.attributes = ["shop": .string("north"), "sum": .integer(12)]
          #expect(try await journal.runs(query).runs.count == 1)
        }
        #expect(pages > 10)
        let copy = try #require(target)
        await #expect(throws: CopyError.targetHasRuns) {
          try await JournalCopy.copy(from: source, to: copy)
        }

        let added = CopiedScene(copy, clock: clock)
        try await copy.pause(.flow("none"), until: nil, by: "ada", at: added.time)
        let row = try #require(try await copy.audit(AuditQuery()).records.first)
        #expect(row.actor == "ada" && row.number > last)

        // The same journal, not copied, comes to the same.
        let other = Locked(CopiedScene.noon)
        var twin = CopiedScene(
          try await journal(kind, in: folder, clock: other), clock: other)
        try await twin.fill()
        for claim in twin.held {
          try await twin.journal.park(Parking(claim: claim, reason: .shutdown), at: twin.time)
        }
        try await twin.finish()
        try await CopiedScene(copy, clock: clock).finish()
        #expect(try await findings(copy) == [])
        let (ours, theirs) = (
          try await RunPicture.all(in: copy), try await RunPicture.all(in: twin.journal)
        )
        #expect(ours == theirs)
        #expect(ours.filter { !$0.record.state.isOver }.map(\.record.state) == [.blocked])
        #expect(ours.contains { $0.record.state == .dead })
      }
    }

    @Test("A sealed journal refuses everybody, and is read as before", arguments: Kind.allCases)
    func seals(kind: Kind) async throws {
      try await withFolder { folder in
        let clock = Locked(CopiedScene.noon)
        var scene = CopiedScene(
          try await journal(kind, in: folder, clock: clock), clock: clock)
        try await scene.fill()
        let source = try #require(scene.journal as? any CopySource)
        let before = try await RunPicture.all(in: source)
        for _ in 0..<2 { try await source.seal() }
        let (journal, time) = (scene.journal, scene.time)
        let held = try #require(scene.held.first)
        let open = try #require(before.first { $0.record.awaitedSignals.contains("go") }).record.id
        let new = scene.newStart("flow")
        let attempts: [@Sendable () async throws -> Void] = [
          { _ = try await journal.start(new, at: time) },
          { _ = try await journal.start([new], at: time)[0].get() },
          {
            let flow = ClaimRequest.FlowRoom(flow: "flow", version: 1, limit: 1)
            _ = try await journal.claim(
              ClaimRequest(worker: "worker", flows: [flow], lease: .seconds(60)), at: time)
          },
          {
            try await journal.checkpoint(
              Checkpoint(
                claim: held, version: 1, next: .completion(Data("1".utf8)), beganAt: time.date,
                lease: .seconds(60)), at: time)
          },
          { try await journal.park(Parking(claim: held, reason: .shutdown), at: time) },
          { _ = try await journal.renew([held], lease: .seconds(90), at: time) },
          {
            try await journal.signal(
              open, SignalRecord(id: "x", name: "go", payload: Data("1".utf8), sentAt: time.date),
              at: time)
          },
          { _ = try await journal.change(open, .cancel, at: time) },
          { try await journal.pause(.flow("other"), until: nil, at: time) },
          {
            try await journal.setLimits(
              FlowLimits(runs: 1), of: "other", replacing: true, at: time)
          },
          { _ = try await journal.purge(JournalRetention(runs: .zero), at: time) },
        ]
        // What would be removed is old enough.
        for (place, attempt) in attempts.enumerated() {
          await #expect(throws: JournalError.sealed, "attempt \(place)") { try await attempt() }
        }
        #expect(try await RunPicture.all(in: source) == before)
      }
    }

    @Test("An error after the seal says that the journals are sealed, and what to do")
    func unfinished() async throws {
      try await withFolder { folder in
        let clock = Locked(CopiedScene.noon)
        var scene = CopiedScene(
          try await journal(.sqlite, in: folder, clock: clock), clock: clock)
        try await scene.start()
        let source = try #require(scene.journal as? any CopySource)
        let target = try await PostgresServer.shared.journal()
        await #expect(throws: Interruption.self) {
          try await JournalCopy.copy(from: source, to: target) { _ in throw Interruption() }
        }
        let none = "gen_random_uuid()"
        _ = try await target.texts("INSERT INTO replacement VALUES (\(none), \(none))")
        do {
          try await JournalCopy.copy(from: source, to: target)
          Issue.record("copied")
        } catch {
          let message = try #require(error as? any DescribedError).message
          let differing = CopyError.countsDiffer("replaced starts", source: 0, target: 1)
          #expect(message.hasPrefix(differing.message), "\(message)")
          #expect(message.contains("sealed") && message.contains("repeat"), "\(message)")
        }
        _ = try await target.texts("DELETE FROM replacement")
        try await JournalCopy.copy(from: source, to: target)
        #expect(try await findings(target) == [])
      }
    }

    @Test("A shard takes the record of its slots along", arguments: Kind.allCases)
    func shards(kind: Kind) async throws {
      try await withFolder { folder in
        let clock = Locked(CopiedScene.noon)
        var sources: [any CopySource] = []
        for _ in 0..<2 { sources.append(try await journal(kind, in: folder, clock: clock)) }
        let flows: Set = ["nightly"]
        let journal = try await ShardedJournal(sources, flowsOnOneShard: flows)
        var scene = CopiedScene(journal, clock: clock)
        for _ in 0..<8 { try await scene.start() }
        var targets: [PostgresJournal] = []
        for source in sources {
          let target = try await PostgresServer.shared.journal(
            serverClock: { clock.withLock { $0 } })
          try await JournalCopy.copy(from: source, to: target)
          #expect(try await target.slots() == source.slots())
          targets.append(target)
        }
        let copy = try await ShardedJournal(targets.reversed(), flowsOnOneShard: flows)
        #expect(try await copy.runs(RunQuery()).runs == journal.runs(RunQuery()).runs)
        #expect(try await findings(copy) == [])
        // Each refuses the other's slots, as before.
        let start = scene.newStart("flow")
        let foreign = targets[start.id.slot < 32_768 ? 1 : 0]
        await #expect(throws: JournalError.foreignSlot) {
          _ = try await foreign.start(start, at: scene.time)
        }
        _ = try await copy.start(start, at: scene.time)
      }
    }

    @Test("What the target can't index is refused before the seal")
    func long() async throws {
      try await withFolder { folder in
        let source = try SQLiteJournal(
          path: folder.appending(path: "long.sqlite").path,
          options: SQLiteJournalOptions(limits: PayloadLimits(key: 8_000)))
        let target = try await PostgresServer.shared.journal()
        var scene = CopiedScene(source, clock: Locked(CopiedScene.noon))
        var random = SeededGenerator(seed: 8)
        // Nothing that the server could compress.
        let long = (0..<350).map { _ in String(random.next(), radix: 36) }.joined()
        let bytes = long.utf8.count
        func refused(_ words: String, bytes: Int) async throws {
          let error = CopyError.tooLong(words, bytes: bytes, limit: 2_600)
          await #expect(throws: error) { try await JournalCopy.copy(from: source, to: target) }
          // Neither of the two is sealed.
          try await scene.start()
        }
        func end(_ id: RunID) async throws {
          try await source.change(id, .cancel, at: scene.time)
          try await source.purge(id, by: nil, at: scene.time)
        }
        let key = try await scene.start(key: long)
        try await refused("the flow and key of run \(key)", bytes: bytes + 4)
        try await end(key)
        let concurrency = try await scene.start(concurrency: long)
        try await refused("the flow and concurrency of run \(concurrency)", bytes: bytes + 4)
        try await end(concurrency)
        var start = scene.newStart("flow")
        start.attributes = ["a": .string(long)]
        let attribute = try await source.start(start, at: scene.time).id
        let stored = RunAttribute.string(long).stored.utf8.count
        try await refused(
          "the name and value of attributes of run \(attribute)", bytes: stored + 1)
        try await end(attribute)
        // The sum of what just fits is indexed.
        let fitting = try await scene.start(key: String(long.prefix(2_596)))
        try await JournalCopy.copy(from: source, to: target)
        #expect(try await target.run(fitting)?.key?.utf8.count == 2_596)
        #expect(try await findings(target) == [])
      }
    }

    @Test("Tables and stages of any size are copied in pages", arguments: Kind.allCases)
    func pages(kind: Kind) async throws {
      // Five megabytes are more than the bound, four are less.
      let cases = [
        (runs: 1_100, bytes: 2, pages: [500, 1_000, 1_100, 1_100]),
        (runs: 12, bytes: 1_000_000, pages: [5, 10, 12, 12]),
      ]
      for (count, bytes, pages) in cases {
        try await withFolder { folder in
          let clock = Locked(CopiedScene.noon)
          var scene = CopiedScene(
            try await journal(kind, in: folder, clock: clock), clock: clock)
          let payload = Data("\"\(String(repeating: "x", count: bytes))\"".utf8)
          let starts = (0..<count).map { number in
            var start = scene.newStart("flow", key: "\(number)")
            start.payload = payload
            return start
          }
          for answer in await scene.journal.start(starts, at: scene.time) { _ = try answer.get() }
          let source = try #require(scene.journal as? any CopySource)
          let target = try await PostgresServer.shared.journal()
          var progress: [JournalCopy.Progress] = []
          try await JournalCopy.copy(from: source, to: target) { progress.append($0) }
          #expect(progress.filter { $0.table == .steps }.map(\.rows) == pages)
          #expect(progress.last { $0.table == .runs }?.rows == count)
          #expect(try await findings(target) == [])
          for start in starts {
            let run = try #require(try await target.run(start.id))
            #expect(run.key == start.key && run.payload == start.payload)
          }
        }
      }
    }
  }
#endif
