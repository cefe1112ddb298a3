#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("Work that kills its process", .timeLimit(.minutes(20)))
  struct PoisonTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test("It is dead once it has killed its process alone, and all the others are done")
    func alone() async throws {
      let (others, stages, budget) = (20, 5, 3)
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE effect (key TEXT)") }
      try queue.close()
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      let poison = sampleID(5)
      for number in 0...others {
        let start = RunStart(
          id: sampleID(number), flow: number == 5 ? "poison" : "hops", version: 1,
          payload: Data((number == 5 ? "{}" : "{\"left\":\(stages)}").utf8))
        _ = try await journal.start(start, at: .real)
      }
      let path = folder.path
      var starts: [[String]] = []
      repeat {
        let lines = try await onThread { try OtherProcess("survive", path).end() }
        starts.append(lines.filter { $0 != "finished" })
      } while starts.last != ["dead", "ended"] && starts.count < 20
      // Killed as often as it may be, and never again: two before the quarantine, the logarithm of
      // five, which are under way at most, and those alone.
      let kills = starts.count - 1
      #expect(starts == Array(repeating: [], count: kills) + [["dead", "ended"]])
      #expect(kills <= 2 + 3 + budget)
      let record = try #require(try await journal.run(poison))
      #expect(record.state == .dead && record.sequence == 0 && record.payload == Data("{}".utf8))
      #expect(record.error?.hasPrefix("Its worker has died \(budget) times") == true)
      #expect(record.attempts == 0 && record.crashes == kills && record.loneCrashes == budget)
      for number in 0...others where number != 5 {
        let id = sampleID(number)
        #expect(try await journal.run(id)?.state == .completed)
        #expect(try await journal.chain(of: id).map(\.sequence) == Array(0..<stages))
      }
      let effects = String(
        decoding: folder.bytes(of: "journal.sqlite-effects") ?? Data(), as: UTF8.self
      ).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(
        effects.filter { $0.hasPrefix("\(poison)") } == (1...kills).map { "\(poison)-0 \($0)" })
      // A person may try it again: then it has no crashes behind it.
      try await journal.change(poison, .retry, at: .real)
      let last = try await onThread { try OtherProcess("survive", path).end() }
      #expect(last == [])
      #expect(try await journal.run(poison)?.attempts == 1)
      #expect(try await journal.run(poison)?.crashes == 0)
    }

    @Test("Read while it is blocked, it has ended workers that had claimed it, and is dead")
    func trap() async throws {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE effect (key TEXT)") }
      try queue.close()
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      let trap = try await journal.start(
        RunStart(id: sampleID(0), flow: "poison", version: 1, payload: Data("{}".utf8)), at: .real)
      let request = ClaimRequest(
        worker: "older", flows: [.init(flow: "poison", version: 1, limit: 1)], lease: .seconds(60))
      let claimed = try #require(try await journal.claim(request, at: .real).runs.first)
      try await journal.park(
        Parking(claim: claimed.record.claim, reason: .blocked(error: "no")), at: .real)
      for number in 1...5 {
        let start = RunStart(
          id: sampleID(number), flow: "hops", version: 1, payload: Data("{\"left\":2}".utf8))
        _ = try await journal.start(start, at: .real)
      }
      let path = folder.path
      var starts: [[String]] = []
      repeat {
        let lines = try await onThread { try OtherProcess("trap", path).end() }
        starts.append(lines.filter { $0 != "finished" })
      } while starts.last?.last != "ended" && starts.count < 20
      #expect(starts.last == ["dead", "ended"])
      #expect(try await journal.run(trap.id)?.state == .dead)
      for number in 1...5 {
        #expect(try await journal.run(sampleID(number))?.state == .completed)
      }
    }

    @Test("Slow work beside it survives, though it has no larger budget")
    func innocents() async throws {
      let lone = 3
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE effect (key TEXT)") }
      try queue.close()
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      let poisons = [1, 3]
      for number in 0..<5 {
        let isPoison = poisons.contains(number)
        let start = RunStart(
          id: sampleID(number), flow: isPoison ? "poison" : "hops", version: 1,
          payload: Data((isPoison ? "{}" : "{\"left\":2}").utf8))
        _ = try await journal.start(start, at: .real)
      }
      let path = folder.path
      var starts: [[String]] = []
      repeat {
        let lines = try await onThread { try OtherProcess("crowd", path).end() }
        starts.append(lines)
      } while starts.last?.last != "ended" && starts.count < 30
      // Twice all end together. Then they are found by halves.
      #expect(starts.prefix(2) == [[], []])
      #expect(starts.last?.filter { $0 == "dead" } == ["dead", "dead"])
      #expect(starts.count - 1 <= 2 + poisons.count * (3 + lone))
      for number in 0..<5 {
        let record = try #require(try await journal.run(sampleID(number)))
        if poisons.contains(number) {
          #expect(record.state == .dead && record.attempts == 0 && record.loneCrashes == lone)
        } else {
          #expect(record.state == .completed, "\(number): \(record.error ?? "no error")")
          #expect(try await journal.chain(of: record.id).map(\.sequence) == [0, 1])
        }
      }
    }
  }
#endif
