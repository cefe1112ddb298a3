#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import GRDBSQLite
  import Testing

  @Suite("How a move of slots ends", .timeLimit(.minutes(20)))
  struct SlotMoveEndTests {
    let folder: Folder
    let source: SQLiteJournal
    let target: SQLiteJournal
    private let journal: ShardedJournal
    private let clock = Locked(SlotScene.noon)

    init() async throws {
      folder = try Folder()
      let options = SQLiteJournalOptions(durability: .normal)
      source = try SQLiteJournal(path: folder["1.sqlite"], options: options)
      target = try SQLiteJournal(path: folder["2.sqlite"], options: options)
      journal = try await ShardedJournal([source, target])
    }

    private var scene: SlotScene { SlotScene(journal, slot: 5, clock: clock) }

    private func execute(_ statements: String...) async throws {
      let queue = try DatabaseQueue(path: folder["2.sqlite"])
      defer { try? queue.close() }
      try await queue.write { database in
        for sql in statements { try database.execute(sql: sql) }
      }
    }

    private func runs(_ journal: any Journal) async throws -> [RunRecord] {
      try await journal.runs(RunQuery(limit: 1_000)).runs
    }

    private func expectSound() async throws {
      for journal in [source, target] { try await journal.verify { Issue.record("\($0)") } }
    }

    /// Expects that both journals take runs of their own slots, and starts one in each.
    private func expectOpen() async throws {
      for (journal, slot) in [(source, 6), (target, 40_001)] as [(SQLiteJournal, UInt16)] {
        let id = RunID(at: SlotScene.noon, slot: slot)
        let start = RunStart(id: id, flow: "flow", version: 1, payload: Data("1".utf8))
        _ = try await journal.start(start, at: scene.time)
      }
      try await expectSound()
    }

    @Test("One that can't be completed leaves both journals open, and no copies in the target")
    func fails() async throws {
      var scene = scene
      try await scene.fill()
      let key = try #require(
        (0...).lazy.map { "\($0)" }.first { RunID.slot(of: "flow", key: $0) < 32_768 })
      try await scene.start(key: key)
      // One with the same key, from before the journals were sharded: only one can have it.
      let id = RunID(at: SlotScene.noon, slot: 40_000)
      let other = RunStart(id: id, flow: "flow", version: 1, key: key, payload: Data("1".utf8))
      _ = try await target.start(other, at: scene.time)
      let (leaving, staying) = (try await runs(source), try await runs(target))
      let count = leaving.count
      for _ in 0..<2 {
        await #expect(
          throws: ShardingError.countsDiffer("runs", source: count, target: count - 1)
        ) {
          try await SlotMove.move([0...32_767], from: source, to: target)
        }
        #expect(try await runs(source) == leaving)
        #expect(try await runs(target) == staying)
      }
      try await expectOpen()
      _ = try await target.change(id, .cancel, at: scene.time)
      try await target.purge(id, by: nil, at: scene.time)
      try await SlotMove.move([0...32_767], from: source, to: target)
      #expect(try await runs(target).count == leaving.count + staying.count + 1)
      try await expectSound()
    }

    @Test("One that an error of the target ends is undone; where that fails, it says what to do")
    func errs() async throws {
      var scene = scene
      try await scene.fill()
      let staying = try await runs(target)
      let count = try await runs(source).count + staying.count
      try await execute(
        "CREATE TRIGGER no_signal BEFORE INSERT ON fieldstone_signal "
          + "BEGIN SELECT RAISE(ABORT, 'no signals here'); END")
      await #expect(throws: JournalError.corrupt("no signals here")) {
        try await SlotMove.move([0...32_767], from: source, to: target)
      }
      #expect(try await runs(target) == staying)
      try await expectOpen()
      try await execute(
        "CREATE TRIGGER no_end BEFORE DELETE ON fieldstone_run "
          + "BEGIN SELECT RAISE(ABORT, 'nothing ends here'); END")
      do {
        try await SlotMove.move([0...32_767], from: source, to: target)
        Issue.record("moved")
      } catch {
        let message = try #require(error as? any DescribedError).message
        #expect(message.contains("no signals here"), "\(message)")
        #expect(message.contains("repeat the same command"), "\(message)")
      }
      let start = scene.newStart()
      await #expect(throws: JournalError.sealed) {
        _ = try await source.start(start, at: scene.time)
      }
      try await execute("DROP TRIGGER no_signal", "DROP TRIGGER no_end")
      try await SlotMove.move([0...32_767], from: source, to: target)
      #expect(try await runs(target).count == count + 2)
      #expect(try await runs(source) == [])
      try await expectSound()
    }

    /// The steps of SQLite's virtual machine for each statement that looks for runs to be removed.
    private final class Steps: Sendable {
      let counts = Locked<[Int]>([])
    }

    // A page that began at the first run again would go past all runs that stay, each time.
    @Test("Each page of a removal begins where the one before it ended")
    func removes() async throws {
      var scene = scene
      let starts = (0..<2_900).map { scene.newStart(slot: $0 < 2_000 ? 9 : 5) }
      for answer in await source.start(starts, at: scene.time) { _ = try answer.get() }
      let steps = Steps()
      let context = Unmanaged.passUnretained(steps)
      _ = try await source.write { [steps = UInt(bitPattern: context.toOpaque())] database in
        sqlite3_trace_v2(
          database.sqliteConnection, UInt32(SQLITE_TRACE_PROFILE),
          { _, context, statement, _ in
            guard let context, let statement = statement.map(OpaquePointer.init) else { return 0 }
            let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
            guard sql.hasPrefix("SELECT number FROM fieldstone_run WHERE"), sql.contains("LIMIT")
            else { return 0 }
            let count = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
            Unmanaged<Steps>.fromOpaque(context).takeUnretainedValue()
              .counts.withLock { $0.append(count) }
            return 0
          }, UnsafeMutableRawPointer(bitPattern: steps))
      }
      try await SlotMove.move([5...5], from: source, to: target)
      try await source.close()
      let counts = withExtendedLifetime(steps) { steps.counts.withLock { $0 } }
      #expect(counts.count == 6)
      let first = counts.first ?? 0
      #expect(first > 2_000 && counts.dropFirst().allSatisfy { $0 < first / 4 }, "\(counts)")
      #expect(try await target.count(RunQuery(), atMost: 10_000).number == 900)
    }
  }
#endif
