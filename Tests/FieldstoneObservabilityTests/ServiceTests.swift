#if Observability
  import FieldstoneDurable
  import FieldstoneObservability
  import FieldstoneTesting
  import InMemoryLogging
  import InMemoryTracing
  import Logging
  import MetricsTestKit
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Testing
  import UnixSignals

  @Suite("A durable runner as a service", .timeLimit(.minutes(20)))
  struct ServiceTests {
    @Test("A graceful shutdown of the group gives runs back and is no error")
    func group() async throws {
      let gate = Gate()
      let events = Recorder<RunnerEvent.Kind>()
      let runner = try errandRunner(
        DurableRunnerOptions(shutdownGrace: .zero, onEvent: { events.record($0.kind) })
      ) {
        _, _ in
        try await gate.waitUnlessCancelled()
        return .complete("done")
      }
      let run = try await runner.start(Errand("a"))
      let logger = Logger(label: "group", factory: { _ in InMemoryLogHandler() })
      let group = ServiceGroup(services: [runner.service], logger: logger)
      let work = Task { try await group.run() }
      await gate.arrivals(atLeast: 1)
      await group.triggerGracefulShutdown()
      try await work.value
      let record = try await run.record
      #expect(record.state == .ready && record.attempts == 0 && record.worker == nil)
      #expect(events.elements.last == .parked)
    }

    @Test("A shutdown before it begins ends it, too")
    func early() async throws {
      let runner = try errandRunner(DurableRunnerOptions()) { _, _ in
        Issue.record("it was begun")
        return .complete("done")
      }
      _ = try await runner.start(Errand("a"))
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        let service: any Service = runner.service
        try await service.run()
      }
    }

    @Test("Cancelled, it says so")
    func cancelled() async throws {
      let runner = try errandRunner(DurableRunnerOptions()) { _, _ in .complete("done") }
      let gate = Gate()
      let work = Task {
        await gate.wait()
        let service: any Service = runner.service
        try await service.run()
      }
      work.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test("The article's example: one runner, watched and served")
    func article() async throws {
      let logger = Logger(label: "orders", factory: { _ in InMemoryLogHandler() })
      let factory = TestMetrics()
      let tracer = InMemoryTracer()
      let journal = InMemoryJournal()
      let flows = [
        DurableFlow(
          Errand.self, name: "errand", services: Errands(next: { _, _ in .complete("done") }))
      ]
      // snippet: observability-overview
      var options = DurableRunnerOptions(shutdownGrace: .seconds(20))
      options.log(to: logger)
      options.measure(with: factory)
      options.trace(with: tracer)
      let runner = try DurableRunner(journal: journal, flows: flows, options: options)
      let group = ServiceGroup(
        services: [runner.service], gracefulShutdownSignals: [.sigterm], logger: logger)
      async let work: Void = group.run()
      // end
      let run = try await runner.start(Errand("a"))
      #expect(try await run.value == "done")
      await group.triggerGracefulShutdown()
      try await work
      #expect(factory.counterTotal(label: "fieldstone.runs.completed") == 1)
      #expect(tracer.finishedSpans.count == 1)
    }
  }
#endif
