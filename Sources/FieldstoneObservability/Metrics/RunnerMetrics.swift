#if Observability
  import FieldstoneCore
  import FieldstoneDurable
  import Metrics

  /// Counts and times events, by flow.
  final class RunnerMetrics: Sendable {
    private let factory: any MetricsFactory
    private let journalUnavailable: Counter
    private let executorHeldUp: Timer
    private let renewalStopped: Counter
    private let flows = Locked<[String: FlowMetrics]>([:])

    init(factory: any MetricsFactory) {
      self.factory = factory
      journalUnavailable = Counter(label: "fieldstone.journal.unavailable", factory: factory)
      executorHeldUp = Timer(label: "fieldstone.executor.held-up", factory: factory)
      renewalStopped = Counter(label: "fieldstone.renewal.stopped", factory: factory)
    }

    func record(_ event: RunnerEvent) {
      // A claim that fails concerns no flow: it must not look like another series.
      switch event.kind {
      case .journalUnavailable: return journalUnavailable.increment()
      case .renewalStopped: return renewalStopped.increment()
      // The whole time, once it is known.
      case .executorHeldUp(let wait, isOver: true): return executorHeldUp.record(duration: wait)
      default: break
      }
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
