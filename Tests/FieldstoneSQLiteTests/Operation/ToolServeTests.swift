#if CommandLineTool && INSPECTOR && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("The command fieldstone serve on a file", .timeLimit(.minutes(20)))
  struct ToolServeTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("A browser sees and steers the runs of a journal that this process works on")
    func worked() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let pages = try await ServedPages(folder.path)
      #expect(pages.line.hasPrefix("Serving \(folder.path) at http://"))
      #expect(try await pages.get("/runs").text.contains("/runs/\(id)"))
      // What is started afterwards is seen, too, and a claim of this process.
      let later = try await journal.start(1, from: 1)[0]
      #expect(try await journal.claim(2, at: .real).count == 2)
      let list = try await pages.get("/runs?state=running").text
      #expect(list.contains("/runs/\(id)") && list.contains("/runs/\(later)"))
      let form = try await pages.get("/runs/\(id)/cancel").text
      let answer = try await pages.post("/runs/\(id)/cancel", hidden(in: form))
      #expect(answer.status == 200 && answer.text.contains("cancelled"))
      #expect(try await journal.run(id)?.state == .cancelled)
      #expect(try await journal.run(later)?.state == .running)
      #expect(try await journal.audit(AuditQuery()).records.contains { $0.action == .cancel })
      // The token in the address was for one use.
      #expect(try await ServedPages.stranger(pages.address).status == 401)
    }

    @Test("--redact hides the values of a name, on a page, in its JSON and in what is copied")
    func redacted() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let stage = Data(#"{"send":{"iban":"DE02","to":"Graz"}}"#.utf8)
      let id = try await journal.start(
        RunStart(id: sampleID(0), flow: "order", version: 1, payload: stage), at: .real
      ).id
      let all = try await ServedPages(folder.path)
      let redacted = try await ServedPages(folder.path, "--redact", "IBAN")
      for (pages, isHidden) in [(all, false), (redacted, true)] {
        for target in ["/runs/\(id)", "/runs/\(id)/stages/0.json", "/runs/\(id)/copy"] {
          let page = try await pages.get(target)
          #expect(page.status == 200 && page.text.contains("Graz"))
          #expect(page.text.contains("DE02") != isHidden, "\(target)")
        }
      }
    }

    @Test("--read-only refuses a change, also one that no button made")
    func readOnly() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let pages = try await ServedPages(folder.path, "--read-only")
      let page = try await pages.get("/runs/\(id)")
      #expect(page.status == 200 && !page.text.contains("/cancel"))
      let answer = try await pages.post("/runs/\(id)/cancel", [("form-token", "x")])
      #expect(answer.status == 403 && answer.text.contains("only reads"))
      #expect(try await journal.run(id)?.state == .ready)
    }

    @Test("A change is a whole line of the log, and SIGTERM leaves all in the one file")
    func log() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      try await journal.close()
      // A full disk has cut this line off.
      let log = folder["changes.log"]
      try Data(#"{"action":"can"#.utf8).write(to: URL(filePath: log))
      let pages = try await ServedPages(folder.path, "--changes", log)
      let form = try await pages.get("/runs/\(id)/cancel").text
      let answer = try await pages.post("/runs/\(id)/cancel", hidden(in: form))
      #expect(answer.status == 200)
      #expect(try await pages.end() == 0)
      #expect(!folder.names.contains("journal.sqlite-wal"))
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 2)
      let change = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
      #expect((change as? [String: Any])?["run"] as? String == "\(id)")
    }

    // Made anew: the leak sanitizer does not follow the pointers within `Data`.
    static var files: [(String, Data)] {
      [
        ("no exported timeline", Data()), ("no exported timeline", Data("{\"format\":1}".utf8)),
        ("no exported timeline", Data(repeating: 0x5B, count: 100_000)),
        ("no exported timeline", Data([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00])),
        ("no exported timeline", Data("SQLite format 3\0".utf8) + Data(count: 4_096)),
        (
          "in format 9223372036854775807",
          Data(
            """
            {"format":9223372036854775807,"name":"\\u001b[2J\\n","exportedAt":0,"dropped":0,"missed":0,\
            "entries":[]}
            """.utf8)
        ),
      ]
    }

    @Test("A file that is no timeline is refused in one line, whatever it is", arguments: files)
    func session(_ reason: String, _ file: Data) async throws {
      try file.write(to: folder.url.appending(path: "timeline.json"))
      let result = try await Tool.run(
        program: nil, ["serve", "--session", folder["timeline.json"], "--port", "0"])
      #expect(result.status == 2 && result.output == "")
      #expect(result.complaint.hasPrefix("fieldstone: ") && result.complaint.contains(reason))
      let controls = result.complaint.utf8.filter { $0 < 32 }
      #expect(controls == [10], "\(result.complaint)")
    }

    @Test("A timeline that is a hole of many gigabytes is refused before it is read")
    func hugeSession() async throws {
      let file = folder.url.appending(path: "timeline.json")
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 1 << 36)
      try handle.close()
      for path in [folder["timeline.json"], folder.url.path, folder["missing\n.json"]] {
        let result = try await Tool.run(program: nil, ["serve", "--session", path, "--port", "0"])
        #expect(result.status == 2 && result.output == "", "\(result)")
        #expect(result.complaint.split(separator: "\n").count == 1, "\(result)")
      }
    }

    /// The hidden fields of a page's forms, as a browser posts them.
    private func hidden(in page: String) -> [(String, String)] {
      let fields = page.matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)"/#)
      return fields.map { (String($0.1), String($0.2)) } + [("confirmed", "yes")]
    }
  }

  /// The command `fieldstone serve` in a process of its own, and a browser that it has admitted.
  private final class ServedPages: Sendable {
    /// The line that the command printed.
    let line: String
    /// The address in it, with the token.
    let address: URL
    private let process: Process
    private let browser = URLSession(configuration: .ephemeral)

    struct Answer {
      var status: Int
      var text: String
    }

    init(_ path: String, _ options: String...) async throws {
      let (process, line) = try await onThread { () -> (Process, String) in
        let (process, output) = (Process(), Pipe())
        process.executableURL = OtherProcess.program(named: "fieldstone")
        process.arguments = ["serve", "--journal", path, "--port", "0"] + options
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.contains("\n") {
          let data = output.fileHandleForReading.availableData
          if data.isEmpty { break }
          line += String(decoding: data, as: UTF8.self)
        }
        return (process, line)
      }
      (self.process, self.line) = (process, line)
      var parts = try #require(
        line.split(whereSeparator: \.isWhitespace).last.flatMap {
          URLComponents(string: String($0))
        })
      // Browsers resolve this name by themselves.
      #expect(parts.host?.hasSuffix(".localhost") == true)
      parts.host = "127.0.0.1"
      address = try #require(parts.url)
      // The token admits this browser.
      #expect(try await Self.ask(URLRequest(url: address), browser).status == 200)
    }

    deinit { process.terminate() }

    /// Asks the process to end.
    ///
    /// - Returns: its exit status; minus the number of the signal that ended it.
    func end() async throws -> Int32 {
      process.terminate()
      return try await onThread { [process] in
        process.waitUntilExit()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : -status
      }
    }

    func get(_ target: String) async throws -> Answer {
      try await Self.ask(URLRequest(url: try url(target)), browser)
    }

    /// Posts the fields of a form, as a page of the server does.
    func post(_ target: String, _ fields: [(String, String)]) async throws -> Answer {
      var request = URLRequest(url: try url(target))
      request.httpMethod = "POST"
      let body = fields.map { "\($0)=\($1)" }.joined(separator: "&")
      request.httpBody = Data(body.utf8)
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.setValue(try url("").absoluteString, forHTTPHeaderField: "Origin")
      return try await Self.ask(request, browser)
    }

    /// Asks as another browser.
    static func stranger(_ address: URL) async throws -> Answer {
      try await ask(URLRequest(url: address), URLSession(configuration: .ephemeral))
    }

    private func url(_ target: String) throws -> URL {
      let port = try #require(address.port)
      let host = try #require(address.host())
      return try #require(URL(string: "http://\(host):\(port)\(target)"))
    }

    private static func ask(_ request: URLRequest, _ browser: URLSession) async throws -> Answer {
      let (data, response) = try await browser.data(for: request)
      return Answer(
        status: (response as? HTTPURLResponse)?.statusCode ?? 0,
        text: String(decoding: data, as: UTF8.self))
    }
  }
#endif
