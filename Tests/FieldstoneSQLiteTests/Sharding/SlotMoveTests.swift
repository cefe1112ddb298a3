#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  @Suite("Slots that move from one journal to another", .timeLimit(.minutes(20)))
  struct SlotMoveTests {
    private struct Interruption: Error {}

    /// Two journals that share the slots, and what was put into them.
    private struct Pair {
      let first: SQLiteJournal
      let second: SQLiteJournal
      let scene: SlotScene

      init(in folder: Folder, _ name: String) async throws {
        let options = SQLiteJournalOptions(durability: .normal)
        first = try SQLiteJournal(path: folder["\(name) 1.sqlite"], options: options)
        second = try SQLiteJournal(path: folder["\(name) 2.sqlite"], options: options)
        let journal = try await ShardedJournal([first, second])
        var scene = SlotScene(journal, slot: 5, clock: Locked(SlotScene.noon))
        try await scene.fill()
        self.scene = scene
      }

      func open() async throws -> ShardedJournal { try await ShardedJournal([first, second]) }
    }

    private func findings(_ journal: any Journal) async throws -> [String] {
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      return findings
    }

    /// As a run is whose worker was shut down when it moved.
    private func given(_ picture: MovedPicture) -> MovedPicture {
      var picture = picture
      if picture.record.state == .running {
        picture.record.state = .ready
        picture.record.attempts -= 1
        picture.record.worker = nil
      }
      return picture
    }

    @Test("All is there as it was, wherever the move was interrupted, and goes on")
    func moves() async throws {
      let folder = try Folder()
      let moved: [ClosedRange<UInt16>] = [0...9, 20...16_000]
      var steps = 0
      var isWhole = false
      while !isWhole {
        steps += 1
        let pair = try await Pair(in: folder, "\(steps)")
        let (source, target) = (pair.first, pair.second)
        let isMoved: (RunID) -> Bool = { id in moved.contains { $0.contains(id.slot) } }
        let before = try await MovedPicture.all(in: pair.scene.journal)
        let told = before.filter { isMoved($0.record.id) && $0.report.progress != nil }
        #expect(told.count == 2 && told.allSatisfy { $0.report.lines.count == 2 })
        let expected = before.map { isMoved($0.record.id) ? given($0) : $0 }
        let schedules = try await pair.scene.journal.schedules()
        let pauses = try await pair.scene.journal.pauses()
        var reports = 0
        do {
          try await SlotMove.move(moved, from: source, to: target) { progress in
            reports += 1
            if reports == steps { throw Interruption() }
          }
          isWhole = true
        } catch is Interruption {
          // Until it is done, and afterwards, the source takes none of the runs.
          let start = RunStart(
            id: RunID(at: SlotScene.noon, slot: 5), flow: "flow", version: 1,
            payload: Data("1".utf8))
          await #expect(throws: JournalError.self) {
            _ = try await source.start(start, at: pair.scene.time)
          }
          try await SlotMove.move(moved, from: source, to: target)
        }
        let owned = try await [source.slots()?.ranges, target.slots()?.ranges]
        #expect(owned == [[10...19, 16_001...32_767], [0...9, 20...16_000, 32_768...65_535]])
        #expect(try await findings(source) == [], "interrupted at \(steps)")
        #expect(try await findings(target) == [], "interrupted at \(steps)")
        let journal = try await pair.open()
        #expect(try await findings(journal) == [], "interrupted at \(steps)")
        let found = try await MovedPicture.all(in: journal)
        for (found, wanted) in zip(found, expected) where found != wanted {
          Issue.record("interrupted at \(steps): \(found) and not \(wanted)")
        }
        #expect(found.count == expected.count)
        #expect(try await journal.schedules() == schedules)
        #expect(try await Set(journal.pauses()) == Set(pauses))
        var query = RunQuery()
        query.attributes = ["shop": .string("north"), "sum": .integer(12)]
        #expect(try await journal.runs(query).runs.count == 1)
        // Once more, it changes nothing.
        try await SlotMove.move(moved, from: source, to: target)
        #expect(try await MovedPicture.all(in: journal) == found)

        let end = SlotScene(journal, slot: 5, clock: pair.scene.clock)
        try await end.finish()
        let open = try await end.all().filter { !$0.state.isOver }.map(\.state)
        #expect(open == [.blocked], "interrupted at \(steps)")
        let completed = try await end.all().count { $0.state == .completed }
        #expect(completed == expected.count - 3, "interrupted at \(steps)")
        #expect(try await findings(journal) == [], "interrupted at \(steps)")
      }
      #expect(steps > 12)
    }

    @Test("The schedules of a flow on one shard go with the flow, whatever their names are")
    func schedulesOfOneShard() async throws {
      let folder = try Folder()
      let options = SQLiteJournalOptions(durability: .normal)
      let journals = try (1...2).map {
        try SQLiteJournal(path: folder["\($0).sqlite"], options: options)
      }
      let journal = try await ShardedJournal(journals, flowsOnOneShard: ["nightly"])
      let slot = try #require(journal.slotOfRun(in: "nightly", key: nil))
      let home = slot < 32_768 ? 0 : 1
      let (source, target) = (journals[home], journals[1 - home])
      let scene = SlotScene(journal, slot: slot, clock: Locked(SlotScene.noon))
      for number in 0..<6 {
        try await scene.setSchedule("schedule \(number)", of: "nightly")
      }
      let schedules = try await source.schedules()
      #expect(schedules.count == 6)
      let owned = try #require(try await source.slots()?.ranges)
      let others = JournalSlots.subtracting([slot...slot], from: owned)
      try await SlotMove.move(others, from: source, to: target)
      #expect(try await source.schedules() == schedules)
      try await SlotMove.move([slot...slot], from: source, to: target)
      #expect(try await source.schedules() == [])
      #expect(try await target.schedules() == schedules)
    }

    @Test("An old copy of a schedule in the target is replaced")
    func oldCopies() async throws {
      let folder = try Folder()
      let options = SQLiteJournalOptions(durability: .normal)
      let journals = try (1...2).map {
        try SQLiteJournal(path: folder["\($0).sqlite"], options: options)
      }
      let journal = try await ShardedJournal(journals, flowsOnOneShard: ["nightly"])
      let slot = try #require(journal.slotOfRun(in: "nightly", key: nil))
      let home = slot < 32_768 ? 0 : 1
      let (source, target) = (journals[home], journals[1 - home])
      let scene = SlotScene(journal, slot: slot, clock: Locked(SlotScene.noon))
      try await scene.setSchedule("nightly", of: "nightly")
      let schedules = try await source.schedules()
      var copy = try #require(schedules.first)
      copy.progress = Data("{}".utf8)
      copy.dueAt = nil
      _ = try await target.setSchedule(
        copy.name, from: nil, to: copy, starting: [], at: scene.time)
      #expect(try await target.schedules() == [copy])
      try await SlotMove.move([slot...slot], from: source, to: target)
      #expect(try await source.schedules() == [])
      #expect(try await target.schedules() == schedules)
    }

    @Test("Both journals refuse all others while slots move, and each other slot afterwards")
    func seals() async throws {
      let folder = try Folder()
      let pair = try await Pair(in: folder, "sealed")
      let journal = try await pair.open()
      try await pair.first.beginMove()
      let sealed = SlotScene(pair.first, slot: 5, clock: pair.scene.clock)
      await #expect(throws: JournalError.sealed) { _ = try await sealed.claim() }
      let other = try #require(pair.scene.held.first)
      await #expect(throws: JournalError.sealed) {
        try await journal.park(Parking(claim: other, reason: .shutdown), at: pair.scene.time)
      }
      await #expect(throws: JournalError.sealed) {
        try await pair.second.removeMoved([0...9], after: nil)
      }
      try await SlotMove.move([0...9], from: pair.first, to: pair.second)
      // The process that was open meanwhile has the old slots: it is refused.
      let start = RunStart(
        id: RunID(at: SlotScene.noon, slot: 5), flow: "flow", version: 1, payload: Data("1".utf8))
      await #expect(throws: JournalError.foreignSlot) {
        _ = try await journal.start(start, at: pair.scene.time)
      }
      _ = try await pair.open().start(start, at: pair.scene.time)
      await #expect(throws: JournalError.claimLost(other.id)) {
        try await journal.park(Parking(claim: other, reason: .shutdown), at: pair.scene.time)
      }
    }

    @Test("What does not fit is refused, and leaves both journals open")
    func refusals() async throws {
      let folder = try Folder()
      let pair = try await Pair(in: folder, "refused")
      for slots: [ClosedRange<UInt16>] in [[], [0...40_000]] {
        await #expect(throws: ShardingError.self) {
          try await SlotMove.move(slots, from: pair.first, to: pair.second)
        }
      }
      let plain = try SQLiteJournal(path: folder["plain.sqlite"])
      await #expect(throws: JournalError.noSlots) {
        try await SlotMove.move([0...9], from: pair.first, to: plain)
      }
      let other = try await Pair(in: folder, "other")
      await #expect(throws: ShardingError.self) {
        try await SlotMove.move([0...9], from: pair.first, to: other.second)
      }
      // An identifier from before: its slot is not that of its key.
      let key = try #require(
        (0...).lazy.map { "\($0)" }.first { RunID.slot(of: "flow", key: $0) < 32_768 })
      let slot = RunID.slot(of: "flow", key: key)
      let id = RunID(at: SlotScene.noon, slot: slot == 3 ? 4 : 3)
      let old = RunStart(id: id, flow: "flow", version: 1, key: key, payload: Data("1".utf8))
      _ = try await pair.first.start(old, at: pair.scene.time)
      await #expect(throws: ShardingError.keyElsewhere(id, other: slot)) {
        try await SlotMove.move([slot...slot], from: pair.first, to: pair.second)
      }
      _ = try await pair.first.start(
        RunStart(
          id: RunID(at: SlotScene.noon, slot: 1), flow: "flow", version: 1,
          payload: Data("1".utf8)), at: pair.scene.time)
      try await SlotMove.move([0...32_767], from: pair.first, to: pair.second)
      #expect(try await pair.first.runs(RunQuery()).runs.isEmpty)
    }

    @Test("A run stays with the others of its concurrency key, or of its flow on one shard")
    func separations() async throws {
      let folder = try Folder()
      let options = SQLiteJournalOptions(durability: .normal)
      let journals = try (1...2).map {
        try SQLiteJournal(path: folder["\($0).sqlite"], options: options)
      }
      let journal = try await ShardedJournal(journals, flowsOnOneShard: ["nightly"])
      let (source, target) = (journals[0], journals[1])
      let scene = SlotScene(journal, slot: 5, clock: Locked(SlotScene.noon))
      func start(_ flow: String, concurrency: String? = nil, slot: UInt16) async throws -> RunID {
        let start = RunStart(
          id: RunID(at: SlotScene.noon, slot: slot), flow: flow, version: 1,
          payload: scene.json(1), concurrencyKey: concurrency)
        return try await source.start(start, at: scene.time).id
      }
      func claimed(_ flow: String) async throws -> RunRecord {
        try #require(try await scene.claim([flow]).first)
      }
      // Children have the slot of their parent, and a completed run takes up no place of its key.
      let parent = try await start("family", slot: 3)
      let child = RunStart(
        id: RunID(at: SlotScene.noon, slot: 3), flow: "part", version: 1, payload: scene.json(1),
        concurrencyKey: "key of a child")
      try await scene.goOn(
        claimed("family"), .joining(scene.json(2), .init([ChildStart(child)])))
      _ = try await start("done", concurrency: "key of the past", slot: 3)
      try await scene.goOn(claimed("done"), .completion(scene.json(3)))
      _ = try await start("nightly", slot: 3)
      try await scene.goOn(claimed("nightly"), .completion(scene.json(3)))
      try await SlotMove.move([3...3], from: source, to: target)
      #expect(
        try await Set(target.runs(RunQuery()).runs.map(\.id)).isSuperset(of: [parent, child.id]))

      let key = try #require(
        (0...).lazy.map { "\($0)" }.first {
          (10..<32_768).contains(RunID.slot(of: "flow", key: $0))
        })
      let slot = RunID.slot(of: "flow", key: key)
      let old = try await start("flow", concurrency: key, slot: 5)
      let nightly = try await start("nightly", slot: 6)
      let home = RunID.slot(of: "nightly", key: "")
      for (moved, error) in [
        (5, .keyElsewhere(old, other: slot)), (slot, .keyElsewhere(old, other: slot)),
        (6, .keyElsewhere(nightly, other: home)),
      ] as [(UInt16, ShardingError)] {
        await #expect(throws: error) {
          try await SlotMove.move([moved...moved], from: source, to: target)
        }
      }
      try await SlotMove.move([5...5, slot...slot], from: source, to: target)
      #expect(try await target.run(old) != nil)
      #expect(try await source.run(nightly) != nil)
    }
  }
#endif
