#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import Testing

  @Suite("fieldstone serve")
  struct ServeTests {
    private let desk = Desk()

    @Test("Without the inspector the command says how to build it, and opens nothing")
    func withoutInspector() async {
      let environment = desk.environment()
      let status = await JournalTool.run(["serve", "--journal", "orders.sqlite"], in: environment)
      let result = desk.result(status)
      #expect(result.status == 2 && result.accesses.isEmpty)
      #expect(result.complaints.first?.contains("--traits CommandLineTool,Inspector") == true)
    }

    @Test("The journal is served as it was asked for", arguments: [true, false])
    func serves(isReadOnly: Bool) async throws {
      let request = Locked<ServeRequest?>(nil)
      var environment = desk.environment()
      environment.serve = { served in
        request.withLock { $0 = served }
        served.onListening("http://127.0.0.1:8080/?token=a")
      }
      let status = await JournalTool.run(
        ["serve", "--journal", "orders.sqlite", "--port", "8080"]
          + (isReadOnly ? ["--read-only"] : []), in: environment)
      let result = desk.result(status)
      #expect(status == 0 && result.accesses == [isReadOnly ? .reading : .writing])
      #expect(result.output == "Serving orders.sqlite at http://127.0.0.1:8080/?token=a\n")
      let kept = request.withLock { $0 }
      // What was served keeps the environment, which keeps this.
      request.withLock { $0 = nil }
      let served = try #require(kept)
      #expect(served.port == 8080 && served.isReadOnly == isReadOnly)
      #expect(served.name == "orders.sqlite")
    }

    @Test("Address, names, path, and the files of the password and of changes are handed on")
    func elsewhere() async throws {
      let request = Locked<ServeRequest?>(nil)
      var environment = desk.environment()
      environment.serve = { served in request.withLock { $0 = served } }
      let status = await JournalTool.run(
        [
          "serve", "--journal", "orders.sqlite", "--host", "0.0.0.0", "--allow-host", "box.local",
          "--allow-host", "10.0.0.2", "--path", "/inspector", "--password-file", "a", "--changes",
          "b", "--redact", "iban", "--redact", "Street",
        ], in: environment)
      let kept = request.withLock { $0 }
      request.withLock { $0 = nil }
      let served = try #require(kept)
      #expect(status == 0 && served.host == "0.0.0.0" && served.path == "/inspector")
      #expect(served.hosts == ["box.local", "10.0.0.2"])
      #expect(served.passwordFile == "a" && served.changesFile == "b")
      #expect(served.redactedNames == ["iban", "Street"])
    }

    @Test(
      "An address that is none is refused, and a password is never an argument",
      arguments: [
        ["--host", "box.local"], ["--host", "1.2.3"], ["--host", "::1"], ["--host", "1.2.3.256"],
        ["--password", "correct horse battery"],
      ])
    func noAddress(_ arguments: [String]) async {
      var environment = desk.environment()
      environment.serve = { _ in }
      let status = await JournalTool.run(
        ["serve", "--journal", "orders.sqlite"] + arguments, in: environment)
      #expect(status == 2 && desk.result(status).accesses.isEmpty)
    }

    @Test(
      "A path with dots as a part is refused, as browsers leave it out",
      arguments: ["/../x", "..", "/a/./b", "/a/%2e%2E"])
    func pathWithDots(_ path: String) async {
      var environment = desk.environment()
      environment.serve = { _ in }
      let status = await JournalTool.run(
        ["serve", "--journal", "orders.sqlite", "--path", path], in: environment)
      let result = desk.result(status)
      #expect(status == 2 && result.accesses.isEmpty)
      #expect(result.complaints.joined().contains("“\(path)” is no path"))
    }

    @Test("An exported timeline is served without a journal, and can't be changed")
    func session() async throws {
      let request = Locked<ServeRequest?>(nil)
      var environment = desk.environment()
      environment.serve = { served in request.withLock { $0 = served } }
      let status = await JournalTool.run(["serve", "--session", "a/b.json"], in: environment)
      #expect(status == 0 && desk.result(status).accesses.isEmpty)
      let kept = request.withLock { $0 }
      request.withLock { $0 = nil }
      let served = try #require(kept)
      #expect(served.isReadOnly && served.name == "b.json")
      guard case .session(path: "a/b.json") = served.content else {
        Issue.record("The timeline is not served.")
        return
      }
    }

    @Test(
      "Either a journal or a timeline is served",
      arguments: [[], ["--journal", "a.sqlite", "--session", "b.json"]])
    func oneOfBoth(_ arguments: [String]) async {
      var environment = desk.environment()
      environment.serve = { _ in }
      let status = await JournalTool.run(["serve"] + arguments, in: environment)
      #expect(status == 2 && desk.result(status).accesses.isEmpty)
    }

    @Test(
      "A timeline is shown as it was exported: nothing in it is hidden, and nothing changed",
      arguments: [["--redact", "iban"], ["--changes", "changes.jsonl"]])
    func onlyForJournals(_ arguments: [String]) async {
      var environment = desk.environment()
      environment.serve = { _ in }
      let options = ["serve", "--session", "b.json"]
      let status = await JournalTool.run(options + arguments, in: environment)
      let result = desk.result(status)
      #expect(status == 2 && result.complaints.joined().contains("as it was exported"))
    }

    @Test("A port that is none is refused", arguments: ["-1", "65536", "http"])
    func port(_ port: String) async {
      let status = await JournalTool.run(
        ["serve", "--journal", "orders.sqlite", "--port", port], in: desk.environment())
      #expect(status == 2 && desk.result(status).accesses.isEmpty)
    }
  }
#endif
