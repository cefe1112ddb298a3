#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's figures of the last hour")
  struct OverviewFigureTests {
    private let desk = InspectedJournal()

    @Test("The last hour has charts with their figures in words, and a table")
    func charts() async throws {
      _ = try await desk.deadRun()
      desk.time.advance(by: .seconds(1_500))
      for _ in 0..<3 { try await desk.start() }
      let page = await desk.get("/").text
      #expect(page.contains("Started: 4 in the last hour, at most 3 in a minute"))
      #expect(page.contains("3 in the last five minutes."))
      #expect(page.contains("Dead or blocked: 1 in the last hour, at most 1 in a minute"))
      #expect(page.contains("Completed: none in the last hour."))
      // 25 minutes ago, and in this minute.
      #expect(page.contains(#"d="M136 32h3v15h-3zM236 1h3v46h-3z""#))
      let rows = page.matches(of: /<td class="number">(\d+)<\/td>/).compactMap { Int($0.1) }
      #expect(rows.contains(3))
    }

    @Test("What is older than an hour is in no chart")
    func old() async throws {
      _ = try await desk.deadRun()
      desk.time.advance(by: .seconds(3_601))
      try await desk.start()
      let page = await desk.get("/").text
      #expect(page.contains("Started: 1 in the last hour"))
      #expect(page.contains("Dead or blocked: none in the last hour."))
    }

    @Test("An empty journal has no charts, and workers are listed where some have runs")
    func workers() async throws {
      #expect(!(await desk.get("/").text.contains("The last hour")))
      let other = InspectedJournal()
      try await other.start()
      _ = try await other.claim()
      let page = await other.get("/").text
      #expect(page.contains("Workers with runs") && page.contains("<code>worker-1</code>"))
    }
  }
#endif
