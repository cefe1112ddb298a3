#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's limits and workers")
  struct LimitPageTests {
    private let desk = InspectedJournal()

    private func announce(
      _ name: String = "worker-1", flows: [WorkerRecord.Flow] = [.init(name: "order", version: 2)],
      runs: Int = 0
    ) async throws {
      let record = WorkerRecord(
        name: name, machine: "host <1>", process: 7, protocolVersion: 9, flows: flows,
        startedAt: desk.now.date, lastSeenAt: desk.now.date, interval: .seconds(10),
        runCount: runs)
      try await desk.journal.setWorker(name, to: record, at: desk.now)
    }

    private func start(_ flow: String = "order", key: String) async throws -> RunID {
      desk.time.advance(by: .milliseconds(1))
      let start = RunStart(
        id: RunID(at: desk.time.now), flow: flow, version: 1, payload: Data("1".utf8),
        concurrencyKey: key)
      return try await desk.journal.start(start, at: desk.now).id
    }

    @Test("The limits of flows have the places that are taken, and the full ones come first")
    func limits() async throws {
      #expect(await desk.get("/limits").text.contains("The journal keeps no limits."))
      #expect(!(await desk.get("/").text.contains("Limits that are full")))
      let desk = InspectedJournal()
      for flow in ["a <wide> one", "order"] {
        try await desk.journal.setLimits(
          FlowLimits(runs: 2, rate: .init(100, each: .seconds(60))), of: flow, replacing: true,
          at: desk.now)
      }
      for _ in 0..<3 { try await desk.start() }
      _ = try await desk.claim()
      let page = await desk.get("/limits").text
      #expect(page.contains(#"aria-current="page">Limits</a>"#))
      #expect(page.contains(#"<b>2 of 2</b> <span class="state blocked">full</span>"#))
      #expect(page.contains("<b>0 of 2</b>"))
      #expect(page.contains("<b>98 of 100</b>"))
      let (full, free) = (page.range(of: "2 of 2"), page.range(of: "a &lt;wide&gt; one"))
      let first = try #require(full)
      let second = try #require(free)
      #expect(first.lowerBound < second.lowerBound)
      let overview = await desk.get("/").text
      #expect(overview.contains("Limits that are full") && overview.contains("2 of 2"))
      #expect(!overview.contains("0 of 2"))
      #expect(await desk.get("/flow?name=order").text.contains("2 of 2 taken"))
    }

    @Test("A rate without tokens says when the next comes")
    func rate() async throws {
      try await desk.journal.setLimits(
        FlowLimits(rate: .init(1, each: .seconds(60))), of: "order", replacing: true, at: desk.now)
      try await desk.start()
      _ = try await desk.claim()
      let page = await desk.get("/limits").text
      #expect(page.contains("0 of 1; the next "))
      #expect(page.contains(#"<span class="state blocked">full</span>"#))
    }

    @Test("A full key says how many runs wait behind it")
    func keys() async throws {
      try await desk.journal.setLimits(
        FlowLimits(perKey: .init(1)), of: "order", replacing: true, at: desk.now)
      for key in ["<ada>", "<ada>", "<ada>", "bob"] { _ = try await start(key: key) }
      _ = try await desk.claim()
      let page = await desk.get("/limits").text
      #expect(page.contains("<code>&lt;ada&gt;</code>") && !page.contains("<code>bob</code>"))
      #expect(page.contains("1 of 1"))
      #expect(page.contains(#"<a href="/runs?flow=order&amp;wait=limit">2 runs</a>"#))
      #expect(await desk.get("/flow?name=order").text.contains("<code>&lt;ada&gt;</code>"))
    }

    @Test("Due runs behind a limit of their flow are told from those that wait for a worker")
    func reasons() async throws {
      for (flow, limits) in [
        ("order", FlowLimits(runs: 1)), ("import", FlowLimits(rate: .init(1, each: .seconds(60)))),
      ] {
        try await desk.journal.setLimits(limits, of: flow, replacing: true, at: desk.now)
      }
      let ids = [
        try await desk.start(), try await desk.start(flow: "import"),
        try await desk.start(flow: "free"),
      ]
      for flow in ["order", "import"] {
        try await desk.start(flow: flow)
        _ = try await desk.claim(flow)
      }
      // The claims have taken the first runs; of each limited flow the second waits.
      let waiting = try await desk.journal.runs(RunQuery(states: [.ready])).runs
      let wanted = [
        ("flow-limit", "order"), ("rate", "import"), ("due", "free"),
      ]
      #expect(Set(waiting.map(\.flow)) == Set(wanted.map(\.1)) && ids.count == 3)
      for (wait, flow) in wanted {
        let page = await desk.get("/runs?wait=\(wait)").text
        for run in waiting {
          #expect(page.contains("/runs/\(run.id)") == (run.flow == flow), "\(wait) \(run.flow)")
        }
      }
      let page = await desk.get("/runs").text
      #expect(page.contains("Its flow is limited to 1 runs at a time, and all places are taken."))
    }

    @Test("A run whose flow no live worker has says so, and says nothing where none is announced")
    func unserved() async throws {
      let id = try await desk.start()
      #expect(!(await desk.get("/runs/\(id)").text.contains("No live worker")))
      try await announce(flows: [.init(name: "import", version: 1)])
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("No live worker has its flow."))
      #expect(page.contains("Start a worker that has the flow “order”."))
      #expect(await desk.get("/runs?wait=unserved").text.contains("/runs/\(id)"))
      #expect(!(await desk.get("/runs?wait=due").text.contains("/runs/\(id)")))
      try await announce()
      #expect(!(await desk.get("/runs/\(id)").text.contains("No live worker")))
      // A silent worker serves nothing.
      desk.time.advance(by: .seconds(60))
      #expect(await desk.get("/runs/\(id)").text.contains("No live worker has its flow."))
    }

    @Test("A run of a newer version than the workers' says so")
    func newer() async throws {
      let id = try await desk.start()
      try await announce(flows: [.init(name: "order", version: 0)])
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("It was written by version 1 of its flow, and the workers have 0."))
      #expect(page.contains("Start a worker that has version 1 of the flow, or a newer one."))
    }

    @Test("The page of workers has their numbers, and workers with runs that are not announced")
    func workers() async throws {
      #expect(await desk.get("/workers").text.contains("No worker has announced itself"))
      let desk = InspectedJournal()
      try await desk.start()
      _ = try await desk.claim()
      let record = WorkerRecord(
        name: "w <2>", machine: "host", process: 7, protocolVersion: 9,
        flows: [.init(name: "order", version: 3)], startedAt: desk.now.date,
        lastSeenAt: desk.now.date, interval: .seconds(10), runCount: 12)
      try await desk.journal.setWorker("w <2>", to: record, at: desk.now)
      let page = await desk.get("/workers").text
      #expect(page.contains(#"aria-current="page">Workers</a>"#))
      #expect(page.contains("w &lt;2&gt;") && page.contains(#"<span class="figure">12</span>"#))
      #expect(page.contains("Not announced") && page.contains("<code>worker-1</code>"))
      #expect(page.contains(#"<td class="number">3</td><td class="number">1</td>"#))
      desk.time.advance(by: .seconds(60))
      let later = await desk.get("/workers").text
      #expect(later.contains("A silent worker has missed two announcements"))
      #expect(!later.contains("Flows that are served"))
    }

    @Test("The overview has the next five ticks, and none of a paused schedule")
    func ticks() async throws {
      for number in 0..<7 {
        let schedule = FlowSchedule(
          name: "every <\(number)>", flow: "order", version: 1, stage: #"{"send":{}}"#,
          timing: try ScheduleTiming.cron("\(number) 2 * * *", in: .gmt))
        _ = try await desk.journal.set(schedule, by: nil, at: desk.now)
      }
      _ = try await desk.journal.pauseSchedule("every <1>", by: nil, at: desk.now)
      let page = await desk.get("/").text
      #expect(page.contains("<h2>Next ticks</h2>"))
      for (number, isShown) in [true, false, true, true, true, true, false].enumerated() {
        #expect(page.contains("every &lt;\(number)&gt;") == isShown, "\(number)")
      }
    }
  }
#endif
