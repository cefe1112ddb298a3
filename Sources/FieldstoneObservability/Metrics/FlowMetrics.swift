#if Observability
  import FieldstoneDurable
  import Metrics

  /// The metrics of one flow.
  final class FlowMetrics: Sendable {
    private let started: Counter
    private let completed: Counter
    private let dead: Counter
    private let blocked: Counter
    private let parked: Counter
    private let claimLost: Counter
    private let leaseEnded: Counter
    private let retries: Counter
    private let duration: Timer

    init(flow: String, factory: any MetricsFactory) {
      func counter(_ label: String, _ others: (String, String)...) -> Counter {
        Counter(
          label: "fieldstone." + label, dimensions: [("flow", flow)] + others, factory: factory)
      }
      func lost(_ loss: RunnerEvent.Loss) -> Counter {
        counter("runs.lost", ("loss", loss.rawValue))
      }
      started = counter("runs.started")
      completed = counter("runs.completed")
      dead = counter("runs.dead")
      blocked = counter("runs.blocked")
      parked = counter("runs.parked")
      claimLost = lost(.claimLost)
      leaseEnded = lost(.leaseEnded)
      retries = counter("stage.retries")
      duration = Timer(
        label: "fieldstone.stage.duration", dimensions: [("flow", flow)], factory: factory)
    }

    func record(_ kind: RunnerEvent.Kind) {
      switch kind {
      case .started: started.increment()
      case .stageFinished(_, let duration): self.duration.record(duration: duration)
      case .completed: completed.increment()
      case .retry: retries.increment()
      case .dead: dead.increment()
      case .blocked: blocked.increment()
      case .parked: parked.increment()
      case .lost(.claimLost): claimLost.increment()
      case .lost(.leaseEnded): leaseEnded.increment()
      case .claimed, .journalUnavailable, .payloadWarning, .executorHeldUp, .renewalStopped: break
      }
    }
  }
#endif
