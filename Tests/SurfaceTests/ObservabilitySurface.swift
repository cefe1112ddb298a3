#if Observability
  import FieldstoneDurable
  import FieldstoneObservability
  import FieldstoneTesting
  import Logging
  import Metrics
  import ServiceLifecycle
  import Testing
  import Tracing

  @Suite("The surface of observability")
  struct ObservabilitySurface {
    @Test("Options take a log, metrics and traces, and keep what they had")
    func options() throws {
      let events = Recorder<RunnerEvent>()
      var options = DurableRunnerOptions(onEvent: { events.record($0) })
      options.log(to: Logger(label: "quiet", factory: { _ in SwiftLogNoOpLogHandler() }))
      options.measure()
      options.measure(with: NOOPMetricsHandler.instance)
      options.trace()
      options.trace(with: NoOpTracer())
      #expect(options.aroundStage != nil)
      options.onEvent?(RunnerEvent(.completed, flow: "flow"))
      #expect(events.elements == [RunnerEvent(.completed, flow: "flow")])
    }

    @Test("A runner is a service")
    func service() throws {
      let runner = try DurableRunner(journal: InMemoryJournal(), flows: [])
      let services: [any Service] = [runner.service]
      #expect(
        ServiceGroupConfiguration(services: services, logger: Logger(label: "x")).services.count
          == 1)
    }
  }
#endif
