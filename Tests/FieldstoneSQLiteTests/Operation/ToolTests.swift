#if CommandLineTool && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("The command fieldstone on files", .timeLimit(.minutes(20)))
  struct ToolTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// Every command, on the journal at a path.
    private static let commands: [[String]] = [
      ["list"], ["show", "\(sampleID(0))"], ["why", "\(sampleID(0))"], ["retry", "\(sampleID(0))"],
      ["cancel", "\(sampleID(0))"], ["signal", "\(sampleID(0))", "go"], ["purge"],
      ["edit", "\(sampleID(0))", "--unchecked", "--stage", "{}", "--yes"],
    ]

    private func run(
      _ command: [String], on path: String? = nil, input: String = ""
    ) async throws -> Tool.Result {
      try await Tool.run(command + ["--journal", path ?? folder.path], input: input)
    }

    private func expectRefusal(_ result: Tool.Result, _ words: String) {
      #expect(result.status == 2, "\(result)")
      #expect(result.output == "", "\(result)")
      let lines = result.complaint.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 2 && lines.last == "", "\(result)")
      #expect(
        result.complaint.hasPrefix("fieldstone: ") && result.complaint.contains(words), "\(result)")
    }

    @Test("A file that is missing is told, and not made", arguments: commands)
    func missing(command: [String]) async throws {
      expectRefusal(try await run(command), "is no journal")
      expectRefusal(try await run(command, on: folder["nowhere/journal.sqlite"]), "nowhere")
      expectRefusal(try await run(command, on: folder.url.path), "is no journal")
      expectRefusal(try await run(command, on: ""), "journal")
      #expect(folder.names == [])
    }

    @Test(
      "A connection string for PostgreSQL is no path, whose password would be shown",
      arguments: [
        "connect_timeout=5", "application_name=desk", "target_session_attrs=any",
        "sslrootcert=root.crt", "options=-cjit=off",
      ])
    func connectionText(first: String) async throws {
      let result = try await run(["list"], on: "\(first) host=db password=s3cret")
      expectRefusal(result, "postgresql://")
      #expect(!result.complaint.contains("s3cret"))
    }

    @Test("A file that is no journal is told, and left as it is", arguments: commands)
    func noJournal(command: [String]) async throws {
      try folder.write(String(repeating: "This is a letter and no database. ", count: 200))
      let letter = folder.bytes()
      expectRefusal(try await run(command), "is no journal")
      #expect(folder.bytes() == letter && folder.names == ["journal.sqlite"])
      let other = folder["letters.sqlite"]
      let queue = try DatabaseQueue(path: other)
      try await queue.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT)") }
      try queue.close()
      let before = folder.bytes(of: "letters.sqlite")
      expectRefusal(try await run(command, on: other), "is no journal")
      #expect(folder.bytes(of: "letters.sqlite") == before)
      try folder.write("", to: "empty.sqlite")
      expectRefusal(try await run(command, on: folder["empty.sqlite"]), "is no journal")
      #expect(folder.names == ["empty.sqlite", "journal.sqlite", "letters.sqlite"])
    }

    @Test("A journal of a newer schema is told", arguments: commands)
    func newerSchema(command: [String]) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(1)
      try await journal.close()
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: "UPDATE fieldstone_journal SET schema = 99") }
      try queue.close()
      expectRefusal(
        try await run(command), "has schema 99, and this code knows up to 4; update the code.")
    }

    @Test("Help is shown on any terminal", arguments: [1, 20, 27, 80])
    func narrowHelp(columns: Int) async throws {
      let result = try await Tool.run(
        ["--help"], shell: "COLUMNS=\(columns) exec \"$0\" \"$@\"")
      #expect(result.status == 0 && result.output.contains("USAGE"), "\(result)")
    }

    @Test("After a command that changes something all is in the one file")
    func closes() async throws {
      try await SQLiteJournal(path: folder.path).close()
      for name in ["a", "b", "c"] {
        let result = try await Tool.run(
          ["flows", "pause", name, "--journal", folder.path], shell: "exec \"$0\" \"$@\"")
        #expect(result.status == 0, "\(result)")
        #expect(!folder.names.contains("journal.sqlite-wal"))
      }
    }

    @Test("What is typed wrongly is told")
    func typing() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      for name in ["show", "retry", "cancel"] {
        expectRefusal(try await run([name, "nonsense"]), "is no run's identifier")
        expectRefusal(try await run([name, "\(sampleID(7))"]), "There is no run")
      }
      expectRefusal(try await run(["edit", "\(id)", "--stage", "{\"a\":"]), "is no JSON")
      expectRefusal(try await run(["edit", "\(id)"], input: "not JSON"), "is no JSON")
      expectRefusal(try await run(["signal", "\(id)", "go", "--payload", "yes"]), "is no JSON")
      expectRefusal(try await run(["list", "--state", "asleep"]), "is no state")
      expectRefusal(try await run(["list", "--limit", "many"]), "many")
      expectRefusal(
        try await run(["show", "\(id)", "--graph", folder["nowhere/picture"]]), "can't be written")
      #expect(try await journal.run(id)?.payload == Data("{\"number\":0}".utf8))
    }

    @Test("An identifier that another signal has is refused, and the same signal is not sent again")
    func signalTwice() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let signal = ["signal", "\(id)", "paid", "--id", "order 7"]
      let first = try await run(signal)
      #expect(first.status == 0 && first.output == "Signal order 7 was sent to run \(id).\n")
      let again = try await run(signal)
      #expect(again.status == 0)
      #expect(again.output == "Run \(id) has had signal order 7 before; nothing was sent.\n")
      let other = try await run(["signal", "\(id)", "refunded", "--id", "order 7"])
      expectRefusal(other, JournalError.signalTaken(id: "order 7", name: "paid").message)
      try await journal.close()
      let queue = try DatabaseQueue(path: folder.path)
      let names = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT name FROM fieldstone_signal")
      }
      try queue.close()
      #expect(names == ["paid"])
    }

    @Test("An edit asks, and no answer is no", arguments: ["", "n\n", "yess\n", "y\n", "YES\n"])
    func asks(answer: String) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let result = try await run(
        ["edit", "\(id)", "--unchecked", "--stage", "{\"number\":9}"], input: answer)
      #expect(result.complaint.contains("is  {\"number\":0}"))
      #expect(result.complaint.contains("new {\"number\":9}"))
      let isMeant = ["y\n", "YES\n"].contains(answer)
      #expect(result.status == (isMeant ? 0 : 2), "\(result.complaint)")
      #expect(
        result.complaint.hasSuffix("Nothing was changed; answer y, or say --yes.\n") != isMeant)
      let record = try #require(try await journal.run(id))
      #expect(record.payload == Data("{\"number\":\(isMeant ? 9 : 0)}".utf8))
      #expect(try await journal.chain(of: id).map(\.kind) == (isMeant ? [.edited] : []))
    }

    @Test("A journal that another process is writing is listed and shown, and the writer goes on")
    func inUse() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let path = folder.path
      let writer = try await onThread {
        let writer = try OtherProcess("write", path)
        for _ in 0..<5 { _ = writer.line() }
        return writer
      }
      for _ in 0..<3 {
        let list = try await run(["list"])
        #expect(list.status == 0 && list.complaint == "")
        #expect(list.output.contains("\(id)  samples  running"), "\(list.output)")
        let show = try await run(["show", "\(id)"])
        #expect(show.status == 0 && show.output.contains("running at "), "\(show.output)")
      }
      expectRefusal(try await run(["retry", "\(id)"]), "is running, so it can't be retried")
      let cancel = try await run(["cancel", "\(id)"])
      #expect(cancel.status == 0 && cancel.output.hasPrefix("Run \(id) is cancelled at stage "))
      // Its next checkpoint is refused; without that it would never end.
      if cancel.status != 0 { writer.send(SIGKILL) }
      let lines = try await onThread { writer.end() }
      #expect(lines.last?.hasPrefix("failed: Run \(id) belongs to") == true, "\(lines.suffix(2))")
      let record = try #require(try await journal.run(id))
      #expect(try await journal.chain(of: id).count == record.sequence)
    }

    @Test("Who only looks at a journal waits for no writer", arguments: ["list", "show"])
    func looks(command: String) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      // As a process that was stopped while it writes: it is inside for good.
      let gate = open(folder.path + "-writer", O_RDWR)
      try #require(gate >= 0 && flock(gate, LOCK_EX | LOCK_NB) == 0)
      defer { close(gate) }
      let result = try await run([command] + (command == "show" ? ["\(id)"] : []))
      #expect(result.status == 0 && result.output.contains("\(id)"), "\(result)")
    }

    /// What a shell does about the standard output of the command.
    private static let lostOutputs = [
      #"exec "$0" "$@" >&-"#, #"exec "$0" "$@" > /dev/full"#,
    ]

    @Test("Output that can't be written is one line and status 2", arguments: lostOutputs)
    func lostOutput(shell: String) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.change(id, .cancel, at: .at(0))
      for command in [["list"], ["show", "\(id)"], ["list", "--json"]] {
        let result = try await Tool.run(
          ["runs"] + command + ["--journal", folder.path], shell: shell)
        expectRefusal(result, "standard output")
      }
      let result = try await Tool.run(["--version"], shell: shell)
      expectRefusal(result, "standard output")
    }

    @Test("An output that is known to be lost is known before anything is changed")
    func lostBefore() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.change(id, .cancel, at: .at(0))
      let arguments = ["runs", "purge", "--days", "0", "--journal", folder.path]
      let closed = try await Tool.run(arguments, shell: #"exec "$0" "$@" >&-"#)
      expectRefusal(closed, "Nothing was changed")
      #expect(try await journal.run(id) != nil)
      // The pipe's only reader has ended before the command begins.
      let broken = try await Tool.run(
        arguments,
        shell: #"trap '' PIPE; { while printf x 2>/dev/null; do :; done; "$0" "$@"; } | true"#)
      #expect(broken.complaint.contains("Nothing was changed"), "\(broken)")
      #expect(try await journal.run(id) != nil)
      let full = try await Tool.run(arguments, shell: #"exec "$0" "$@" > /dev/full"#)
      expectRefusal(full, "What the command changes is changed")
      #expect(try await journal.run(id) == nil)
    }

    @Test("A change of many goes on to its end where the reader of its output has gone")
    func readerGone() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let ids = try await journal.start(400)
      let result = try await Tool.run(
        ["runs", "cancel", "--flow", "samples", "--yes", "--journal", folder.path],
        shell: #"{ "$0" "$@"; echo "status $?" >&2; } | read line"#)
      // 2, or 0 where the reader took a while to go; 141 is the end by a signal.
      #expect(
        ["status 2\n", "status 0\n"].contains { result.complaint.hasSuffix($0) }, "\(result)")
      for id in ids { #expect(try await journal.run(id)?.state == .cancelled) }
    }

    @Test("A standard output that is closed never becomes a file of the journal")
    func closedStreams() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(1)
      try await journal.close()
      let before = folder.bytes()
      let result = try await Tool.run(
        ["runs", "list", "--journal", folder.path], shell: #"exec "$0" "$@" <&- >&- 2>&-"#)
      #expect(result.status == 2 && folder.bytes() == before)
    }

    @Test("Words that the command doesn't know are answered with those that it knows")
    func unknownWords() async throws {
      try await SQLiteJournal(path: folder.path).close()
      expectRefusal(
        try await run(["lst", "--limit", "5"]), "take one of list, count, errors, show, why, retry")
      for number in ["-5", "0", "1001", "many"] {
        expectRefusal(try await run(["list", "--limit", number]), "write one from 1 to 1,000")
      }
      expectRefusal(try await run(["purge", "--days", "-1"]), "--days counts from 0")
      let root = try await Tool.run(program: nil, ["ruins", "list", "--journal", folder.path])
      expectRefusal(
        root,
        "“ruins” is no command of fieldstone; take one of runs, flows, schedules, workers, journal, audit, serve."
      )
    }

    @Test("The command's version is the newest of the changelog")
    func version() async throws {
      let result = try await Tool.run(program: nil, ["--version"])
      let changelog = try String(
        contentsOf: URL(filePath: #filePath).appending(path: "../../../../CHANGELOG.md")
          .standardized,
        encoding: .utf8)
      let versions = changelog.matches(of: /\n## (\d+\.\d+\.\d+)/)
      #expect(result.output == "\(versions.first?.output.1 ?? "")\n")
    }

    @Test("Each shell gets a script that completes commands", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
      let result = try await Tool.run(program: nil, ["--generate-completion-script", shell])
      #expect(result.status == 0 && result.output.contains("move-slots"))
    }

    @Test("Pictures are files, and JSON is JSON")
    func pictures() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let result = try await run(["show", "\(id)", "--graph", folder["picture"], "--json"])
      #expect(result.status == 0)
      #expect(folder.names.filter { $0.hasPrefix("picture") } == ["picture.mmd", "picture.svg"])
      let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let run = (json as? [String: Any])?["run"] as? [String: Any]
      #expect(run?["id"] as? String == "\(id)")
    }
  }
#endif
