#if Observability
  import FieldstoneCore
  import FieldstoneDurable
  import Metrics

  /// Counts and times events, by flow.
  final class RunnerMetrics: Sendable {
    private let factory: any MetricsFactory
    private let journalUnavailable: Counter
    private let flows = Locked<[String: FlowMetrics]>([:])

    init(factory: any MetricsFactory) {
      self.factory = factory
      journalUnavailable = Counter(label: "fieldstone.journal.unavailable", factory: factory)
    }

    func record(_ event: RunnerEvent) {
      // A claim that fails concerns no flow: it must not look like another series.
      if case .journalUnavailable = event.kind { return journalUnavailable.increment() }
      guard let flow = event.flow else { return }
      metrics(of: flow).record(event.kind)
    }

    private func metrics(of flow: String) -> FlowMetrics {
      if let metrics = flows.withLock({ $0[flow] }) { return metrics }
      // The factory is the user's: not under the lock. Of two made at once the first counts.
      let made = FlowMetrics(flow: flow, factory: factory)
      return flows.withLock { flows in
        if let metrics = flows[flow] { return metrics }
        flows[flow] = made
        return made
      }
    }
  }
#endif
