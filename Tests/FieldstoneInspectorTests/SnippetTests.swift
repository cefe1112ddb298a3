#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
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

    @Test("A process checks what people write by its flows")
    func check() async throws {
      let journal = InMemoryJournal()
      // snippet: inspector-checking
      let inspector = try Inspector(journal: journal)
        .checking([DurableFlow(Order.self, name: "order")])
        .offering(.approved)
      // end
      #expect(await inspector.opened("/trial").status == 200)
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
        to: SiteRequest(target: "/inspector/runs?token=a+long+secret", headers: headers))
      // end
      #expect(response.status == 303)
    }
  }

  private enum Order: DurableStage {
    case send

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
      .complete("sent")
    }
  }

  private struct Approval: Codable {
    var by: String
  }

  extension SignalName where Value == Approval {
    fileprivate static var approved: Self { SignalName("approved", example: Approval(by: "Ada")) }
  }

  extension SnippetTests {
    private struct UserSearch: DataProvider {
      func load(_ name: String, reporting events: LoadEvents<[String]>) async throws -> [String] {
        [name]
      }
    }

    @MainActor private final class AirportForm {
      let name = Field<String>("Name")
      private(set) lazy var form = FormModel { name }
    }

    @Test("An app serves its inspector while it runs")
    @MainActor
    func app() async throws {
      let airport = AirportForm()
      // snippet: inspector-app
      let inspector = Inspector(name: "Airfield")
      inspector.watch(airport.form, as: "Airport")
      let pages = Task {
        try await inspector.run(port: 8471) { address in
          Task { @MainActor in shown.append(address) }  // in an app: print it
        }
      }
      // end
      pages.cancel()
      await #expect(throws: (any Error).self) { try await pages.value }
    }

    @Test("A server hands requests on")
    func server() async {
      let inspector = Inspector(name: "Orders", options: .open)
      // snippet: inspector-carry
      @Sendable func answer(
        method: String, target: String, headers: [String: String], body: [UInt8]
      ) async -> (status: Int, headers: [String: String], body: [UInt8]) {
        let response = await inspector.response(
          to: SiteRequest(method: method, target: target, headers: headers, body: body))
        return (response.status, response.headers, response.body)
      }
      // end
      let page = await answer(method: "GET", target: "/", headers: ["Host": "localhost"], body: [])
      #expect(page.status == 200)
    }

    @Test("A process watches its own objects")
    @MainActor
    func watch() async throws {
      let airport = AirportForm()
      // snippet: inspector-watch
      let inspector = Inspector(name: "Airfield")
      let users = Integrator(provider: inspector.forcing(UserSearch(), as: "Users", empty: []))
      inspector.watch(users, as: "Users")
      inspector.watch(airport.form, as: "Airport")
      // end
      #expect(try await users("Ada") == ["Ada"])
      let page = await inspector.opened("/watched")
      #expect(page.text.contains(">Users</a>") && page.text.contains(">Airport</a>"))
    }
  }

  @MainActor private var shown: [String] = []
#endif
