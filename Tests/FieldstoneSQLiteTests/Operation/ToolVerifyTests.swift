#if CommandLineTool && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("fieldstone journal verify and runs why, on files", .timeLimit(.minutes(20)))
  struct ToolVerifyTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func verify(_ more: String...) async throws -> Tool.Result {
      try await Tool.run(
        program: nil, ["journal", "verify", "--journal", folder.path] + more)
    }

    @Test("A sound journal ends with 0, a broken one with 1 and a line for each finding")
    func verifies() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(2)[0]
      let sound = try await verify()
      #expect(sound.status == 0 && sound.complaint == "")
      #expect(sound.output == "2 runs, nothing is wrong.\n")
      #expect(try await verify("--json").output == "{\"runs\": 2, \"findings\": 0}\n")
      try await journal.write { database in
        try database.execute(sql: "UPDATE fieldstone_run SET worker = 'a' WHERE number = 1")
        try database.execute(
          sql: "INSERT INTO fieldstone_replacement VALUES (?, 99)", arguments: ["\(id)"])
      }
      let broken = try await verify()
      #expect(broken.status == 1 && broken.complaint == "")
      #expect(
        broken.output == """
          a start that has replaced another has no run
          \(id): it is ready, and its worker is a

          """)
      let json = try await verify("--json")
      #expect(json.status == 1)
      #expect(
        json.output.hasSuffix(
          """
          {"run": "\(id)", "detail": "it is ready, and its worker is a"}
          {"runs": 2, "findings": 2}

          """))
      let missing = try await Tool.run(
        program: nil, ["journal", "verify", "--journal", folder["none"]])
      #expect(missing.status == 2 && missing.complaint.contains("is no journal"))
    }

    @Test("The reason why a run waits is a line")
    func why() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let due = try await Tool.run(["why", "\(id)", "--journal", folder.path])
      #expect(due.status == 0 && due.output.hasPrefix("It is due: "))
      let run = try #require(try await journal.claim(1).first)
      try await journal.checkpoint(
        run.checkpoint(.receiving(Data("1".utf8), signals: ["go"], until: nil)), at: .at(1))
      let waiting = try await Tool.run(["why", "\(id)", "--journal", folder.path, "--json"])
      #expect(waiting.output.contains("It awaits the signal “go”"))
      let missing = try await Tool.run(["why", "\(sampleID(7))", "--journal", folder.path])
      #expect(missing.status == 2 && missing.complaint.contains("There is no run"))
    }
  }
#endif
