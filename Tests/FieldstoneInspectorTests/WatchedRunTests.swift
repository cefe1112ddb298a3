#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @MainActor
  @Suite("A watched runner and a watched journal", .timeLimit(.minutes(20)))
  struct WatchedRunTests {
    private let desk = LiveDesk()

    /// A stage that waits for a gate.
    private enum Milling: DurableStage {
      case grind
      case pack

      func next(in context: DurableContext<Gate>) async throws -> DurableStep<Self, Int> {
        switch self {
        case .grind: return .advance(to: .pack)
        case .pack:
          await context.services.wait()
          return .complete(1)
        }
      }
    }

    private func runner(
      _ gate: Gate, _ journal: any Journal = InMemoryJournal(),
      onEvent: (@Sendable (RunnerEvent) -> Void)? = nil
    ) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Milling.self, name: "milling", services: gate)],
        options: DurableRunnerOptions(
          worker: "mill-1", lease: .seconds(30), boot: "boot", onEvent: onEvent),
        time: desk.time.source)
    }

    @Test("A runner's page has its runs under way, and whether it takes on others")
    func underWay() async throws {
      let gate = Gate()
      let runner = try runner(gate)
      desk.inspector.watch(runner, as: "Mill")
      #expect(await desk.get("/watched").text.contains(">not running</span>"))
      let work = Task { try await runner.run() }
      let run = try await runner.start(Milling.grind)
      await gate.arrivals(atLeast: 1)
      desk.time.advance(by: .seconds(7))
      let page = await desk.get("/watched/1").text
      let row = page.components(separatedBy: "<tr>").first { $0.contains("<td>\(run.id)</td>") }
      let cells = (row ?? "").components(separatedBy: "<td>").dropFirst().map {
        $0.components(separatedBy: "</td>").first ?? ""
      }
      #expect(cells.dropFirst().prefix(3) == ["milling", "1", "1"])
      #expect(cells.last == "23 s" && page.contains(">working</span>"))
      #expect(page.contains("<dt>Takes on runs</dt><dd>yes</dd>"))
      // Its events are those of its flows.
      #expect(page.contains(">claimed, attempt 1 at stage 0</span>"))
      let end = Task { await runner.shutdown() }
      let ending = await desk.page("/watched/1", with: ">shutting down</span>")
      #expect(ending.contains(">shutting down</span>") && ending.contains("<td>\(run.id)</td>"))
      #expect(ending.contains("<dt>Takes on runs</dt><dd>no</dd>"))
      gate.open()
      await end.value
      try await work.value
      let over = await desk.get("/watched/1").text
      #expect(over.contains(">not running</span>") && !over.contains("<td>\(run.id)</td>"))
      #expect(over.contains(">completed</span>"))
    }

    @Test("A runner's table and the timeline lead to the run, where there are pages of runs")
    func links() async throws {
      let orders = InspectedJournal()
      let gate = Gate()
      let runner = try runner(gate, orders.journal)
      orders.inspector.watch(runner, as: "Mill")
      desk.inspector.watch(runner, as: "Mill")
      let work = Task { try await runner.run() }
      let run = try await runner.start(Milling.grind)
      await gate.arrivals(atLeast: 1)
      let link = "href=\"/runs/\(run.id)\""
      let page = await orders.get("/watched/1").text
      #expect(page.contains("<td><a class=\"id\" \(link)>\(run.id)</a></td>"))
      let timeline = await orders.get("/timeline?of=\(run.id)").text
      #expect(timeline.contains("\(link) aria-label=\"run \(run.id)\">run</a>"))
      #expect(await orders.get("/runs/\(run.id)").status == 200)
      // Pages without a journal and of a session have no runs.
      for target in ["/watched/1", "/timeline"] {
        let page = await desk.get(target).text
        #expect(page.contains("\(run.id)") && !page.contains("href=\"/runs"))
      }
      let session = try Inspector(
        session: Data(await orders.get("/timeline.json").body), options: .open)
      let opened = await session.response(
        to: SiteRequest(target: "/timeline", headers: ["Host": "localhost"])
      ).text
      #expect(opened.contains("\(run.id)") && !opened.contains("href=\"/runs"))
      gate.open()
      _ = try await run.value
      await runner.shutdown()
      try await work.value
    }

    @Test(
      "A watched runner's event stands on the timeline once, with a handler of its own as well",
      arguments: [false, true])
    func once(isWired: Bool) async throws {
      let gate = Gate()
      gate.open()
      let heard = Locked(0)
      let handler = desk.inspector.runnerEvents(as: "wired") { _ in heard.withLock { $0 += 1 } }
      let runner = try runner(gate, onEvent: isWired ? handler : nil)
      // Before it is watched, only the handler has its events.
      _ = try await runner.start(Milling.grind, key: "before")
      #expect(await desk.get("/timeline").text.contains(">started</span>") == isWired)
      desk.inspector.watch(runner, as: "Mill")
      desk.inspector.watch(runner, as: "Mill again")
      let work = Task { try await runner.run() }
      let run = try await runner.start(Milling.grind, key: "after")
      #expect(try await run.value == 1)
      await runner.shutdown()
      try await work.value
      let page = await desk.get("/timeline?of=\(run.id)").text
      for text in [">started<", ">claimed, attempt 1 at stage 0<", ">completed<"] {
        #expect(page.components(separatedBy: text).count == 2, "\(text)")
      }
      #expect(heard.withLock { $0 > 0 } == isWired)
    }

    @Test("A journal's page has its runs by state, full limits, pauses and workers")
    func journal() async throws {
      let orders = InspectedJournal()
      let time = orders.now
      _ = try await orders.deadRun()
      _ = try await orders.start(flow: "export", key: "a")
      _ = try await orders.start(flow: "export", key: "b")
      try await orders.journal.setLimits(
        FlowLimits(runs: 1), of: "export", replacing: true, at: time)
      _ = try await orders.claim("export")
      try await orders.journal.pause(.flow("order"), until: nil, at: time)
      try await orders.journal.setWorker(
        "mill-7",
        to: WorkerRecord(
          name: "mill-7", machine: "mill", process: 7, protocolVersion: 2,
          flows: [.init(name: "order", version: 1)], startedAt: desk.time.now,
          lastSeenAt: desk.time.now, interval: .seconds(30), runCount: 0, runs: []), at: time)
      desk.inspector.watch(orders.journal, as: "Orders")
      let list = await desk.get("/watched").text
      #expect(list.contains("InMemoryJournal") && list.contains(">journal</td>"))
      let page = await desk.get("/watched/1").text
      #expect(
        page.contains("<dt>Dead</dt><dd>1</dd>") && page.contains("<dt>Running</dt><dd>1</dd>"))
      #expect(page.contains("<td>export</td><td>runs</td><td>1 of 1</td>"))
      #expect(page.contains("<td>flow order</td><td>it is resumed</td>"))
      #expect(page.contains("<td>mill-7</td><td>at work</td>"))
    }

    /// A journal without a lifetime of its own, which may be broken.
    private struct Wrapped: JournalDecorator {
      let decorated: any Journal
      var isBroken = false

      func relay<Value: Sendable>(
        _ call: JournalCall, _ body: () async throws -> Value
      ) async throws -> Value {
        if isBroken { throw JournalError.closed }
        return try await body()
      }
    }

    @Test("A journal that is a struct is held, with what it refers to")
    func structure() async throws {
      weak var held: InMemoryJournal?
      do {
        let memory = InMemoryJournal()
        held = memory
        desk.inspector.watch(Wrapped(decorated: memory), as: "Orders")
      }
      #expect(held != nil)
      #expect(await desk.get("/watched/1").text.contains("<dt>Ready</dt><dd>0</dd>"))
    }

    @Test("A journal that can't be read says why")
    func broken() async {
      desk.inspector.watch(
        Wrapped(decorated: InMemoryJournal(), isBroken: true), as: "Orders")
      let page = await desk.get("/watched/1")
      #expect(page.status == 200 && page.text.contains(">not readable</span>"))
    }
  }
#endif
