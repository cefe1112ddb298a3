#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Some moments here; `Scripts/crash` asks for all.
  @Suite("A machine that loses its power", .timeLimit(.minutes(20)))
  struct PowerLossTests {
    private static let seed: UInt64 = 0xB1AC_0087

    private struct Written {
      var events: [DiskRecording.Event]
      /// What the journal said after each answer.
      var states: [JournalState]
    }

    /// What was found of all images.
    private struct Found {
      var images = 0
      /// Those that lacked what had been answered.
      var losses = 0
    }

    @Test("What was answered is there when it commits fully")
    func full() async throws {
      let found = try await examine(try await write(.full))
      #expect(found.losses == 0, "\(found)")
    }

    @Test("When it commits normally the last answers may be gone, and nothing is half")
    func normal() async throws {
      let found = try await examine(try await write(.normal))
      // Otherwise the test of full commits could not see a loss, either.
      #expect(found.losses > 0, "\(found)")
    }

    private func write(_ durability: SQLiteDurability) async throws -> Written {
      let folder = try Folder()
      let recording = DiskRecording(folder.path)
      var scribe = Scribe(seed: Self.seed)
      var states: [JournalState] = []
      // So short that the log is emptied again and again.
      let options = SQLiteJournalOptions(durability: durability, logLimit: 150_000)
      for count in [20, 40] {
        let journal = try SQLiteJournal(path: folder.path, options: options)
        for number in 0...count {
          if number > 0 { try await scribe.ask(journal) }
          recording.answered(states.count)
          states.append(try await JournalState(of: journal))
        }
        try await journal.close()
      }
      return Written(events: recording.events, states: states)
    }

    private func examine(_ written: Written) async throws -> Found {
      var moments = Array(0...written.events.count)
      if Thoroughness.isFull { moments = moments.flatMap { Array(repeating: $0, count: 5) } }
      let chosen = Thoroughness.some(150, of: moments, "losses of power", seed: Self.seed)
      var random = SeededGenerator(seed: Self.seed)
      var (disk, answered, begin) = (UnreliableDisk(), -1, 0)
      var found = Found()
      for moment in chosen {
        for event in written.events[begin..<moment] {
          switch event {
          case .call(let call): disk.apply(call)
          case .answered(let number): answered = number
          }
        }
        begin = moment
        let state = try await open(disk.afterPowerLoss(using: &random), moment)
        let context = "at event \(moment), after answer \(answered), seed \(Self.seed)"
        #expect(state.isUnbroken, "\(state), \(context)")
        found.images += 1
        // What was under way may be there, whole.
        if written.states[max(0, answered)...].prefix(2).contains(state) { continue }
        if answered < 0, state == JournalState() { continue }
        #expect(written.states.contains(state), "\(state), \(context)")
        found.losses += 1
      }
      return found
    }

    /// Opens what is on the disk, and writes to it.
    private func open(_ files: [String: [UInt8]], _ moment: Int) async throws -> JournalState {
      let folder = try Folder()
      for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder[name])) }
      do {
        let journal = try SQLiteJournal(path: folder.path)
        let state = try await JournalState(of: journal)
        try await journal.start(1, from: 9_000)
        try await journal.close()
        return state
      } catch {
        Issue.record("at event \(moment), seed \(Self.seed): \(error)")
        throw error
      }
    }
  }
#endif
