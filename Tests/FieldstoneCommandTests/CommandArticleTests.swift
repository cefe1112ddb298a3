#if CommandLineTool
  import FieldstoneCommand
  import Foundation
  import Testing

  @Suite("The article of the command")
  struct CommandArticleTests {
    private let desk = Desk()

    private static let article = URL(filePath: #filePath).appending(
      path: "../../../Sources/FieldstoneSQLite/FieldstoneSQLite.docc/TheCommandLine.md")

    /// All commands below one, as the refusal of an unknown one names them; itself if it has none.
    private func commands(below path: [String]) async -> [String] {
      let status = await JournalTool.run(path + ["?"], in: desk.environment())
      let complaint = desk.result(status).complaints.last ?? ""
      guard complaint.contains("is no command of"),
        let names = complaint.firstMatch(of: /take one of (.+)\.$/)?.1
      else { return [path.joined(separator: " ")] }
      var found: [String] = []
      for name in names.split(separator: ", ") {
        found += await commands(below: path + ["\(name)"])
      }
      return found
    }

    /// The commands in the first column of the article's table.
    private func listed() throws -> [String] {
      let text = try String(contentsOf: Self.article.standardized, encoding: .utf8)
      var listed: [String] = []
      for line in text.split(separator: "\n") where line.hasPrefix("| `fieldstone ") {
        let cell = line.dropFirst().prefix { $0 != "|" }
        for (index, code) in cell.matches(of: /`([^`]+)`/).enumerated() {
          // Names of arguments are in capitals; what follows the first is of the same group.
          let words = code.1.split(separator: " ").prefix {
            $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("--")
          }
          let group = index == 0 ? [] : listed[listed.count - 1].split(separator: " ").dropLast()
          listed.append((group + words.drop { $0 == "fieldstone" }).joined(separator: " "))
        }
      }
      return listed
    }

    @Test("Its table has every command, and no other")
    func table() async throws {
      let listed = try listed()
      let commands = await commands(below: [])
      #expect(Set(listed).subtracting(commands) == [])
      #expect(Set(commands).subtracting(listed) == [])
      #expect(commands.count > 20)
    }

    @Test("It quotes the error of a wrong identifier as it is")
    func quotes() async throws {
      let result = await desk.run("show", "nonsense")
      let complaint = try #require(result.complaints.first)
      let text = try String(contentsOf: Self.article.standardized, encoding: .utf8)
      #expect(text.contains("\n\(complaint)\n"), "\(complaint)")
    }
  }
#endif
