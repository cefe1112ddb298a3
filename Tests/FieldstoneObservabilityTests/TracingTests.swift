#if Observability
  import FieldstoneDurable
  import FieldstoneObservability
  import FieldstoneTesting
  import Foundation
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite("The traces of a durable runner", .timeLimit(.minutes(20)))
  struct TracingTests {
    let tracer = InMemoryTracer()

    func options() -> DurableRunnerOptions {
      var options = DurableRunnerOptions(shutdownGrace: .zero)
      options.trace(with: tracer)
      return options
    }

    /// The spans of stages, as their attributes say them.
    var stages: [String] {
      tracer.finishedSpans.filter { $0.operationName == "stage errand" }.map { span in
        ["flow", "run", "sequence", "attempt"].map { name in
          switch span.attributes.get("fieldstone." + name) {
          case .string(let text): text
          case .int64(let number): "\(number)"
          default: "?"
          }
        }.joined(separator: " ")
      }
    }

    @Test("Each attempt at a stage is a span that says whose it is")
    func spans() async throws {
      let runner = try errandRunner(
        options(), retries: StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
      ) { stage, context in
        if context.attempt == 1, context.sequence == 1 { throw Trouble() }
        return stage.name == "a" ? .advance(to: "b") : .complete("done")
      }
      let id = try await working(runner) {
        let run = try await runner.start(Errand("a"))
        _ = try await run.value
        return run.id
      }
      #expect(stages == ["errand \(id) 0 1", "errand \(id) 1 1", "errand \(id) 1 2"])
      let spans = tracer.finishedSpans
      try #require(spans.count == 3)
      #expect(spans.map { $0.errors.count } == [0, 1, 0])
      #expect(spans[1].errors.first?.error as? Trouble == Trouble())
      #expect(spans.map { $0.status?.code } == [nil, .error, nil])
      #expect(spans.allSatisfy { $0.kind == .internal })
      // Each begins a trace: nothing is current around the runner.
      #expect(spans.allSatisfy { $0.parentSpanID == nil })
      #expect(tracer.activeSpans.isEmpty)
    }

    @Test("The stages of a run, and of those that it starts, are in the trace of its start")
    func travels() async throws {
      let runner = try errandRunner(options()) { stage, context in
        if stage.name == "a" { try context.start(Errand("c"), key: "c") }
        return stage.name == "a" ? .advance(to: "b") : .complete("done")
      }
      let parent = tracer.startAnySpan("request")
      try await working(runner) {
        let options = RunOptions().traced(with: tracer, context: parent.context)
        #expect(!options.trace.isEmpty)
        let run = try await runner.start(Errand("a"), options: options)
        _ = try await run.value
        let started = try await runner.journal.runs(RunQuery(key: "c")).runs
        let id = try #require(started.first?.id)
        _ = try await runner.handle(id, completion: String.self).value
      }
      parent.end()
      let spans = tracer.finishedSpans
      let request = try #require(spans.first { $0.operationName == "request" })
      let stages = spans.filter { $0.operationName != "request" }
      #expect(stages.count == 3)
      #expect(stages.allSatisfy { $0.parentSpanID == request.spanID })
      #expect(stages.allSatisfy { $0.traceID == request.traceID })
    }

    @Test("The spans of the work are the children of its stage's")
    func children() async throws {
      let tracer = tracer
      let runner = try errandRunner(options()) { _, _ in
        tracer.startSpan("inner").end()
        return .complete("done")
      }
      try await working(runner) { _ = try await runner.start(Errand("a")).value }
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["inner", "stage errand"])
      #expect(spans.first?.parentSpanID != nil)
      #expect(spans.first?.parentSpanID == spans.last?.spanID)
    }

    @Test("Work that a shutdown cuts short is no error")
    func cutShort() async throws {
      let gate = Gate()
      let runner = try errandRunner(options()) { _, _ in
        try await gate.waitUnlessCancelled()
        return .complete("done")
      }
      let work = Task { try await runner.run() }
      _ = try await runner.start(Errand("a"))
      await gate.arrivals(atLeast: 1)
      await runner.shutdown()
      try await work.value
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.errors.isEmpty && span.status == nil)
    }

    @Test("An error of work that cancels its own task is in its span")
    func cancelsItself() async throws {
      let runner = try errandRunner(options()) { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw Trouble()
      }
      try await working(runner) {
        let run = try await runner.start(Errand("a"))
        await #expect(throws: DurableRunError.self) { try await run.value }
      }
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.errors.first?.error as? Trouble == Trouble())
      #expect(span.status?.code == .error)
    }

    @Test("The end of a time limit is an error in the span")
    func timeLimit() async throws {
      let gate = Gate()
      let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000))
      let flow = DurableFlow(
        Errand.self, name: "errand",
        services: Errands { _, _ in
          try await gate.waitUnlessCancelled()
          return .complete("done")
        }, options: FlowOptions(retryPolicy: { _ in .never }, timeLimit: { _ in .seconds(2) }))
      let runner = try DurableRunner(
        journal: InMemoryJournal(), flows: [flow], options: options(), time: time.source)
      try await working(runner) {
        let run = try await runner.start(Errand("a"))
        await gate.arrivals(atLeast: 1)
        let ended = Task { try await run.value }
        while tracer.finishedSpans.isEmpty {
          time.advance(by: .seconds(2))
          await Task.yield()
        }
        await #expect(throws: DurableRunError.self) { try await ended.value }
      }
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.errors.first?.error as? DurableRunnerError == .timeLimitExceeded(.seconds(2)))
      #expect(span.status?.code == .error)
    }

    @Test("What stood around stages before stands inside the span")
    func inside() async throws {
      let tracer = tracer
      let contexts = Recorder<Bool>()
      var options = DurableRunnerOptions(aroundStage: { attempt in
        contexts.record(ServiceContext.current != nil && tracer.finishedSpans.isEmpty)
        return try await attempt.perform()
      })
      options.trace(with: tracer)
      let runner = try errandRunner(options) { _, _ in .complete("done") }
      try await working(runner) { _ = try await runner.start(Errand("a")).value }
      #expect(contexts.elements == [true])
      #expect(tracer.finishedSpans.count == 1)
    }
  }
#endif
