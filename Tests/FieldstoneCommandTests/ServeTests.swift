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

    @Test("A port that is none is refused", arguments: ["-1", "65536", "http"])
    func port(_ port: String) async {
      let status = await JournalTool.run(
        ["serve", "--journal", "orders.sqlite", "--port", port], in: desk.environment())
      #expect(status == 2 && desk.result(status).accesses.isEmpty)
    }
  }
#endif
