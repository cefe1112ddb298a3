#if SQLite && CommandLineTool && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  @Suite("fieldstone journal slots and move-slots", .timeLimit(.minutes(20)))
  struct ToolSlotsTests {
    @Test("It shows slots, moves them once that is confirmed, and says what is no slot")
    func moves() async throws {
      let folder = try Folder()
      let paths = [folder["1.sqlite"], folder["2.sqlite"]]
      let journals = try paths.map { try SQLiteJournal(path: $0) }
      let journal = try await ShardedJournal(journals)
      let time = JournalTime(.system, boot: "boot")
      for slot: UInt16 in [3, 200, 40_000] {
        _ = try await journal.start(
          RunStart(
            id: RunID(at: time.date, slot: slot), flow: "flow", version: 1,
            payload: Data("1".utf8)), at: time)
      }
      for journal in journals { try await journal.close() }
      func fieldstone(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(program: nil, ["journal"] + arguments)
      }
      let move = ["move-slots", "--from", paths[0], "--to", paths[1], "--slots"]
      for text in ["x", "", "5-3", "1-2-3", "70000", "0-99,"] {
        let refused = try await Tool.run(program: nil, ["journal"] + move + [text, "--yes"])
        #expect(refused.status == 2 && refused.complaint.contains("no slots"), "\(refused)")
      }
      let unconfirmed = try await Tool.run(program: nil, ["journal"] + move + ["0-99"])
      #expect(unconfirmed.status == 2 && unconfirmed.complaint.contains("[y/N]"), "\(unconfirmed)")
      let before = try await fieldstone("slots", "--journal", paths[0])
      #expect(before.output.hasPrefix("0-32767 of the set "), "\(before)")

      let moved = try await Tool.run(
        program: nil, ["journal"] + move + ["0-99,101", "--yes"])
      #expect(moved.status == 0 && moved.output.contains("1 runs\n"), "\(moved)")
      #expect(moved.output.contains("has the slots 0-99, 101, and nothing is wrong"), "\(moved)")
      let after = try await fieldstone("slots", "--journal", paths[1], "--json")
      #expect(after.output.contains("0-99, 101, 32768-65535"), "\(after)")
      let again = try await Tool.run(
        program: nil, ["journal"] + move + ["0-99,101", "--yes", "--json"])
      #expect(again.status == 0, "\(again)")
      let elsewhere = try await Tool.run(
        program: nil, ["journal"] + move + ["0-40000", "--yes"])
      #expect(elsewhere.status == 2 && elsewhere.complaint.contains("--from"), "\(elsewhere)")
      let opened = try await ShardedJournal(paths.map { try SQLiteJournal(path: $0) })
      #expect(try await opened.runs(RunQuery()).runs.count == 3)
    }

    @Test("A move goes on to its end where its output can't be written")
    func outputLost() async throws {
      let folder = try Folder()
      let paths = [folder["1.sqlite"], folder["2.sqlite"]]
      let journals = try paths.map { try SQLiteJournal(path: $0) }
      let journal = try await ShardedJournal(journals)
      let time = JournalTime(.system, boot: "boot")
      func start(_ slot: UInt16) -> RunStart {
        RunStart(
          id: RunID(at: time.date, slot: slot), flow: "flow", version: 1, payload: Data("1".utf8))
      }
      _ = try await journal.start(start(3), at: time)
      for journal in journals { try await journal.close() }
      let result = try await Tool.run(
        [
          "journal", "move-slots", "--from", paths[0], "--to", paths[1], "--slots", "0-99", "--yes",
        ],
        shell: #"exec "$0" "$@" > /dev/full"#)
      #expect(result.status == 2 && result.complaint.contains("can't be written"), "\(result)")
      let opened = try await ShardedJournal(paths.map { try SQLiteJournal(path: $0) })
      _ = try await opened.start(start(3), at: time)
      _ = try await opened.start(start(200), at: time)
    }
  }
#endif
