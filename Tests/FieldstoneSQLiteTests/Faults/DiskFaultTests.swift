#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Some calls here; `Scripts/crash` asks for all.
  @Suite("A disk that fails", .timeLimit(.minutes(20)))
  struct DiskFaultTests {
    private static let seed: UInt64 = 0xD15C_FA17

    @Test(
      "What could not be written is refused for now and not written; asked again, it is as if nothing had been",
      arguments: DiskFault.allCases)
    func everyCall(fault: DiskFault) async throws {
      let (whole, count, _) = try await write(fault, from: nil)
      #expect(count > 0)
      var refusals = 0
      let calls = Thoroughness.some(
        8, of: Array(0..<count), "calls that can fail with \(fault.rawValue)", seed: Self.seed)
      for call in calls {
        let (state, _, refused) = try await write(fault, from: call)
        #expect(state == whole, "\(fault.rawValue) from call \(call), seed \(Self.seed)")
        refusals += refused
      }
      // What has failed in tidying up is nobody's answer.
      #expect(fault == .tidying || refusals >= calls.count / 2)
    }

    /// Opens a journal, writes, and opens it again, on a disk that fails from a call on until somebody
    /// was refused.
    ///
    /// - Returns: what the journal then says, how many calls there were, and how many refusals.
    private func write(
      _ fault: DiskFault, from call: Int?
    ) async throws -> (JournalState, calls: Int, refused: Int) {
      let folder = try Folder()
      let disk = DiskFaults(folder.path, fault, from: call)
      var refused = 0
      func persist<Result>(_ body: () async throws -> Result) async throws -> Result {
        while true {
          do {
            return try await body()
          } catch let error as JournalError where error.isTransient {
            refused += 1
            disk.heal()
          }
        }
      }
      let options = SQLiteJournalOptions(logLimit: 100_000)
      var scribe = Scribe(seed: Self.seed)
      for count in [20, 10] {
        let journal = try await persist { try SQLiteJournal(path: folder.path, options: options) }
        for _ in 0..<count {
          try await scribe.ask(journal) { _ in
            refused += 1
            disk.heal()
          }
        }
        try await persist { try await journal.close() }
      }
      let calls = disk.count
      disk.heal()
      let journal = try SQLiteJournal(path: folder.path)
      return (try await JournalState(of: journal), calls, refused)
    }

    @Test("One that does not fit on the disk is refused, and those that share its commit are not")
    func large() async throws {
      let folder = try Folder()
      let disk = SmallDisk(folder.path)
      let journal = try SQLiteJournal(path: folder.path)
      let ids = try await journal.start(4)
      let runs = try await journal.claim(4)
      disk.setRoom(400_000)
      let long = "\"" + String(repeating: "x", count: 500_000) + "\""
      let gate = Gate()
      // Keeps the line busy until the others wait for the next commit.
      let first = CheckpointWrite { _ in
        gate.open()
        while journal.waitingWrites < 3 { sched_yield() }
      }
      async let opening = journal.checkpoint(runs[0].checkpoint(writes: [first]), at: .at(1))
      await gate.wait()
      let results = await withTaskGroup(of: (Int, JournalError?).self) { group in
        for index in 1...3 {
          group.addTask {
            do {
              try await journal.checkpoint(
                runs[index].checkpoint(index == 2 ? long : "{}"), at: .at(1))
              return (index, nil)
            } catch {
              return (index, error as? JournalError)
            }
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      _ = try await opening
      #expect(results.keys.sorted() == [2] && results[2]?.isTransient == true)
      #expect(try await journal.run(ids[2]) == runs[2])
      for index in [0, 1, 3] { #expect(try await journal.run(ids[index])?.sequence == 1) }
      disk.setRoom(.max)
      try await journal.checkpoint(runs[2].checkpoint(long), at: .at(2))
      #expect(try await JournalState(of: journal).isUnbroken)
    }
  }
#endif
