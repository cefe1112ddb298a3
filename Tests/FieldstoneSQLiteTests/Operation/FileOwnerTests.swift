#if SQLite && CommandLineTool && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite("Who may use the files of a journal", .timeLimit(.minutes(20)))
  struct FileOwnerTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private static let isRoot = geteuid() == 0
    /// The number of a user that owns nothing.
    private static let nobody: UInt32 = 65_534
    private static let setpriv = "/usr/bin/setpriv"

    private func status(_ name: String) throws -> stat {
      var found = stat()
      try #require(stat(folder[name], &found) == 0, "\(name)")
      return found
    }

    private var lockFiles: [String] {
      folder.names.filter { $0.hasPrefix("journal.sqlite-w") && $0 != "journal.sqlite-wal" }
    }

    /// Uses every kind of lock.
    private func use() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(1)
      _ = try await journal.claim(1, worker: "someone")
      try await journal.close()
    }

    @Test(
      "Lock files have the mode of the database, whatever the umask is", arguments: [0o664, 0o600])
    func mode(permissions: UInt16) async throws {
      try await SQLiteJournal(path: folder.path).close()
      #expect(chmod(folder.path, mode_t(permissions)) == 0)
      try await use()
      #expect(lockFiles.count == 3, "\(lockFiles)")
      for name in lockFiles {
        #expect(try status(name).st_mode & 0o777 == mode_t(permissions), "\(name)")
      }
    }

    @Test("What root does leaves the files to the owner of the database", .enabled(if: isRoot))
    func owner() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.change(id, .cancel, at: .at(0))
      try await journal.close()
      for name in lockFiles { try FileManager.default.removeItem(atPath: folder[name]) }
      #expect(chown(folder.path, Self.nobody, Self.nobody) == 0)
      let result = try await Tool.run(["retry", "\(id)", "--journal", folder.path])
      #expect(result.status == 0, "\(result)")
      try await use()
      #expect(lockFiles.count == 3, "\(lockFiles)")
      for name in lockFiles {
        let found = try status(name)
        #expect(found.st_uid == Self.nobody && found.st_gid == Self.nobody, "\(name)")
      }
    }

    @Test(
      "Users that share the database by its group share the files beside it, and others are refused",
      .enabled(if: isRoot), arguments: [0o660, 0o600])
    func group(permissions: UInt16) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(3)
      try await journal.close()
      let path = folder.url.path(percentEncoded: false)
      for file in [path, folder.path] + lockFiles.map({ folder[$0] }) {
        #expect(chown(file, Self.nobody, Self.nobody) == 0)
        #expect(chmod(file, file == path ? 0o770 : mode_t(permissions)) == 0)
      }
      let visitor = try OtherProcess("visit", folder.path)
      let line = visitor.line() ?? ""
      if permissions == 0o660 {
        #expect(line == "3")
        for name in ["journal.sqlite-wal", "journal.sqlite-shm"] {
          let found = try status(name)
          #expect(found.st_gid == Self.nobody && found.st_mode & 0o777 == 0o660, "\(name)")
        }
      } else {
        #expect(line.contains("This user has no permission"), "\(line)")
      }
      visitor.endInput()
      visitor.end()
    }

    @Test(
      "A lock file that is a second name of another file keeps its owner", .enabled(if: isRoot))
    func hardLink() async throws {
      try await SQLiteJournal(path: folder.path).close()
      for name in lockFiles { try FileManager.default.removeItem(atPath: folder[name]) }
      try Data().write(to: URL(filePath: folder["precious"]))
      #expect(link(folder["precious"], folder["journal.sqlite-writer"]) == 0)
      #expect(chown(folder.path, Self.nobody, Self.nobody) == 0)
      try await use()
      #expect(try status("precious").st_uid == 0)
      #expect(lockFiles.count == 3, "\(lockFiles)")
    }

    @Test(
      "A closed journal in a folder that can't be written is listed and shown, until it is opened",
      .enabled(if: !isRoot || FileManager.default.isExecutableFile(atPath: setpriv)))
    func readOnlyFolder() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.close()
      // Where an ordinary user finds it, whoever runs the tests.
      let tool = folder["fieldstone"]
      // Copied by another process: one that another test starts meanwhile would inherit a file of
      // ours that is open for writing, and until it has closed it the program could not be run.
      let program = OtherProcess.program(named: "fieldstone").path(percentEncoded: false)
      let copy = try await Tool.run(program: "/bin/cp", [program, tool])
      try #require(copy.status == 0, "\(copy)")
      let path = folder.url.path(percentEncoded: false)
      #expect(chmod(path, 0o555) == 0)
      defer { _ = chmod(path, 0o755) }
      for command in [["list"], ["show", "\(id)"]] {
        let arguments = ["runs"] + command + ["--journal", folder.path]
        let result = try await Tool.run(
          program: Self.isRoot ? Self.setpriv : tool,
          (Self.isRoot
            ? ["--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups", tool] : [])
            + arguments)
        #expect(result.status == 0 && result.output.contains("\(id)"), "\(result)")
      }
    }
  }
#endif
