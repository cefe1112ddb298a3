#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "Several journals in PostgreSQL as one",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresShardTests {
    @Test("The runs of a slot have all promises, also when two processes share the servers")
    func conforms() async throws {
      let server = PostgresServer.shared
      let text = try await server.text()
      let now = Locked(Date.distantPast)
      let clock: @Sendable () -> Date = { now.withLock { $0 } }
      let count = Locked(0)
      let opened = Locked<[ObjectIdentifier: [PostgresJournal]]>([:])
      let open: @Sendable ([PostgresJournalOptions], UInt16) async throws -> ShardedJournal = {
        options, slot in
        var journals: [PostgresJournal] = []
        for options in options {
          journals.append(try await PostgresJournal(text, options: options, serverClock: clock))
        }
        let journal = try await ShardedJournal(journals, allIn: slot)
        opened.withLock { $0[ObjectIdentifier(journal)] = journals }
        return journal
      }
      var suite = JournalConformance {
        // Those of the trial before have connections.
        opened.withLock { $0 = [:] }
        let number = count.withLock { count in
          count += 1
          return count
        }
        var options: [PostgresJournalOptions] = []
        for _ in 0..<2 {
          options.append(try await server.journal(serverClock: clock).options)
        }
        return try await open(options, UInt16(truncatingIfNeeded: number &* 25_033))
      }
      suite.slot = { $0.slotOfRun(in: "flow", key: nil) }
      suite.setClock = { _, date in now.withLock { $0 = date } }
      suite.openAnother = { journal in
        let journals = opened.withLock { $0[ObjectIdentifier(journal)] } ?? []
        return try await open(
          journals.map(\.options), journal.slotOfRun(in: "flow", key: nil) ?? 0)
      }
      suite.transactions = .init(
        write: { note in
          CheckpointWrite { transaction in
            let transaction = try #require(transaction as? PostgresTransaction)
            try transaction.execute("CREATE TABLE IF NOT EXISTS note (text text)")
            try transaction.execute("INSERT INTO note VALUES ($1)", [note])
          }
        },
        written: { journal in
          var notes: [String] = []
          for journal in opened.withLock({ $0[ObjectIdentifier(journal)] }) ?? [] {
            guard try await journal.texts("SELECT to_regclass('note')::text").first != nil else {
              continue
            }
            notes += try await journal.texts("SELECT text FROM note")
          }
          return notes
        })
      // A pause or a limit of a flow leaves a row in each shard.
      do {
        try await suite.check()
      } catch let error as JournalConformanceError {
        let broken = Set(error.failures.map(\.promise))
        #expect(broken.subtracting([.audit]) == [], "\(error.message)")
      }
    }

    @Test("Processes that open them at the same time split limits once")
    func opensConcurrently() async throws {
      let limits = FlowLimits(runs: 11, rate: .init(8, each: .seconds(60)))
      for round in 0..<3 {
        var journals: [PostgresJournal] = []
        for _ in 0..<3 { journals.append(try await PostgresServer.shared.journal()) }
        let time = JournalTime(.system, boot: "")
        var random = SeededGenerator(seed: UInt64(round))
        let id = RunID(at: time.date, using: &random)
        _ = try await journals[0].start(
          RunStart(id: id, flow: "flow", version: 1, payload: Data("1".utf8)), at: time)
        try await journals[0].setLimits(limits, of: "flow", replacing: true, at: time)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { [journals] in _ = try await ShardedJournal(journals) } }
          try await group.waitForAll()
        }
        var shares: [FlowLimits?] = []
        for journal in journals { shares.append(try await journal.flowLimits()["flow"]) }
        #expect(shares.map { $0?.runs } == [4, 4, 3], "round \(round)")
        #expect(shares.map { $0?.rate?.count } == [3, 3, 2], "round \(round)")
        for journal in journals { await journal.close() }
      }
    }

    @Test("Each page of a removal begins where the one before it ended")
    func removes() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "")
      var random = SeededGenerator(seed: 12)
      let starts = (0..<900).map { number in
        RunStart(
          id: RunID(at: time.date, slot: number % 2 == 0 ? 5 : 9, using: &random), flow: "flow",
          version: 1, payload: Data("1".utf8))
      }
      for answer in await journal.start(starts, at: time) { _ = try answer.get() }
      try await journal.beginMove()
      var ends: [CopiedCell] = []
      while let end = try await journal.removeMoved([5...5], after: ends.last) { ends.append(end) }
      #expect(ends.count == 3)
      let left = try await journal.runs(RunQuery(limit: 1_000)).runs
      #expect(left.count == 450 && left.allSatisfy { $0.id.slot == 9 })
      let youngest = try #require(left.map(\.id).max())
      #expect(try await journal.removeMoved([9...9], after: .run(youngest)) == nil)
      #expect(try await journal.runs(RunQuery(limit: 1_000)).runs.count == 450)
      // A repetition after an interruption begins at the first.
      #expect(try await journal.removeMoved([9...9], after: nil) != nil)
    }

    #if SQLite
      private struct Interruption: Error {}

      @Test("Slots move with all that their runs have, wherever the move was interrupted")
      func moves() async throws {
        var steps = 0
        var isWhole = false
        while !isWhole {
          steps += 1
          let clock = Locked(CopiedScene.noon)
          let now: @Sendable () -> Date = { clock.withLock { $0 } }
          let source = try await PostgresServer.shared.journal(serverClock: now)
          let target = try await PostgresServer.shared.journal(serverClock: now)
          var scene = CopiedScene(source, clock: clock)
          try await scene.fill()
          // A worker writes such a one; this is none that can be read.
          for schedule in try await source.schedules() {
            _ = try await source.setSchedule(
              schedule.name, from: schedule, to: nil, starting: [], at: scene.time)
          }
          let all = JournalSlots(group: "set", ranges: JournalSlots.all)
          #expect(try await source.setSlots(from: nil, to: all) == true)
          #expect(try await target.setSlots(from: nil, to: all.owning([])) == true)
          for (flow, limits) in try await source.flowLimits() {
            try await target.setLimits(limits, of: flow, replacing: true, at: scene.time)
          }
          for pause in try await source.pauses() {
            if case .run = pause.target { continue }
            try await target.pause(pause.target, until: pause.until, at: scene.time)
          }
          var expected = try await RunPicture.all(in: source)
          for place in expected.indices {
            let changedAt = expected[place].record.changedAt
            if expected[place].record.state == .running { expected[place].giveBack(at: changedAt) }
            expected[place].isQuarantined = false
          }
          let pauses = try await source.pauses()
          let reporter = try #require(scene.held.last?.id)
          let report = try await source.report(of: reporter, after: nil)
          #expect(report.lines.count == 2 && report.progress?.text == "a quarter")
          var reports = 0
          do {
            try await SlotMove.move(JournalSlots.all, from: source, to: target) { _ in
              reports += 1
              if reports == steps { throw Interruption() }
            }
            isWhole = true
          } catch is Interruption {
            await #expect(throws: JournalError.self, "interrupted at \(steps)") {
              var late = scene
              _ = try await source.start(late.newStart("flow"), at: late.time)
            }
            try await SlotMove.move(JournalSlots.all, from: source, to: target)
          }
          #expect(try await source.runs(RunQuery()).runs.isEmpty)
          #expect(try await RunPicture.all(in: target) == expected, "interrupted at \(steps)")
          #expect(try await target.report(of: reporter, after: nil) == report)
          #expect(try await Set(target.pauses()) == Set(pauses), "interrupted at \(steps)")
          for journal in [source, target] {
            var findings: [String] = []
            try await journal.verify { findings.append("\($0)") }
            #expect(findings == [], "interrupted at \(steps)")
          }
          #expect(try await source.slots() == all.owning([]))
          #expect(try await target.slots() == all)
          let end = CopiedScene(target, clock: clock)
          try await end.finish()
          let open = try await end.all().filter { !$0.state.isOver }.map(\.state)
          #expect(open == [.blocked], "interrupted at \(steps)")
          var late = scene
          await #expect(throws: JournalError.foreignSlot) {
            _ = try await source.start(late.newStart("flow"), at: late.time)
          }
          await source.close()
          await target.close()
        }
        #expect(steps > 10)
      }
    #endif
  }
#endif
