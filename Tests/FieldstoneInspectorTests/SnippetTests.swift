#if Inspector
  import FieldstoneDurable
  import FieldstoneInspector
  import Testing

  @Suite("The inspector's article")
  struct SnippetTests {
    @Test("A process serves its own journal until the task is cancelled")
    func serve() async throws {
      let journal = InMemoryJournal()
      let task = Task {
        // snippet: inspector-run
        let inspector = Inspector(journal: journal, name: "orders")
        try await inspector.run(port: 0) { address in
          Task { @MainActor in shown.append(address) }
        }
        // end
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Another server carries the pages")
    func carry() async {
      let journal = InMemoryJournal()
      let headers = ["Host": "orders.example"]
      // snippet: inspector-response
      var options = InspectorOptions()
      options.path = "/inspector"
      options.hosts = ["orders.example"]
      options.token = "a long secret"
      let inspector = Inspector(journal: journal, options: options)
      let response = await inspector.response(
        to: InspectorRequest(target: "/inspector/runs?token=a+long+secret", headers: headers))
      // end
      #expect(response.status == 303)
    }
  }

  @MainActor private var shown: [String] = []
#endif
