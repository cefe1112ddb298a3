#if Observability
  import FieldstoneCore
  public import FieldstoneDurable
  public import Metrics

  extension DurableRunnerOptions {
    /// Records metrics of the runner's events, after earlier observers of events.
    ///
    /// | metric | kind | dimensions |
    /// | --- | --- | --- |
    /// | `fieldstone.runs.started` | counter | `flow` |
    /// | `fieldstone.runs.completed` | counter | `flow` |
    /// | `fieldstone.runs.dead` | counter | `flow` |
    /// | `fieldstone.runs.blocked` | counter | `flow` |
    /// | `fieldstone.runs.parked` | counter | `flow` |
    /// | `fieldstone.runs.lost` | counter | `flow`, `loss` (`claimLost`, `leaseEnded`) |
    /// | `fieldstone.stage.retries` | counter | `flow` |
    /// | `fieldstone.stage.duration` | timer | `flow` |
    /// | `fieldstone.journal.unavailable` | counter | none |
    /// | `fieldstone.executor.held-up` | timer | none |
    /// | `fieldstone.renewal.stopped` | counter | none |
    /// | `fieldstone.schedules.failed` | counter | none |
    ///
    /// The stage duration includes the checkpoint. All metrics of a flow exist, at zero, from its
    /// first event on. Dimensions have one value for each flow; runs are in logs and traces, never
    /// in metrics.
    ///
    /// - Parameter factory: makes the metrics; by default that of `MetricsSystem`. A
    ///   `MappingMetricsFactory` renames them.
    public mutating func measure(with factory: any MetricsFactory = MetricsSystem.factory) {
      let metrics = RunnerMetrics(factory: factory)
      observe { metrics.record($0) }
    }
  }

  /// Records metrics of events, by flow.
  final class RunnerMetrics: Sendable {
    private let factory: any MetricsFactory
    private let journalUnavailable: Counter
    private let executorHeldUp: Timer
    private let renewalStopped: Counter
    private let schedulesFailed: Counter
    private let flows = Locked<[String: FlowMetrics]>([:])

    init(factory: any MetricsFactory) {
      self.factory = factory
      journalUnavailable = Counter(label: "fieldstone.journal.unavailable", factory: factory)
      executorHeldUp = Timer(label: "fieldstone.executor.held-up", factory: factory)
      renewalStopped = Counter(label: "fieldstone.renewal.stopped", factory: factory)
      schedulesFailed = Counter(label: "fieldstone.schedules.failed", factory: factory)
    }

    func record(_ event: RunnerEvent) {
      // These events concern no flow, so they must not appear in a series of their own.
      switch event.kind {
      case .journalUnavailable: return journalUnavailable.increment()
      case .renewalStopped: return renewalStopped.increment()
      case .scheduleFailed: return schedulesFailed.increment()
      // Only the final event has the whole time.
      case .executorHeldUp(let wait, isOver: true): return executorHeldUp.record(duration: wait)
      default: break
      }
      guard let flow = event.flow else { return }
      metrics(of: flow).record(event.kind)
    }

    private func metrics(of flow: String) -> FlowMetrics {
      if let metrics = flows.withLock({ $0[flow] }) { return metrics }
      // The user's factory must not run under the lock; if two threads make metrics, the first
      // count.
      let made = FlowMetrics(flow: flow, factory: factory)
      return flows.withLock { flows in
        if let metrics = flows[flow] { return metrics }
        flows[flow] = made
        return made
      }
    }
  }

  /// The metrics of one flow.
  private final class FlowMetrics: Sendable {
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
      case .started, .scheduled: started.increment()
      case .stageFinished(_, let duration): self.duration.record(duration: duration)
      case .completed: completed.increment()
      case .retry: retries.increment()
      case .dead: dead.increment()
      case .blocked: blocked.increment()
      case .parked, .paused: parked.increment()
      case .lost(.claimLost): claimLost.increment()
      case .lost(.leaseEnded): leaseEnded.increment()
      case .claimed, .journalUnavailable, .payloadWarning, .executorHeldUp, .renewalStopped,
        .limitsDiffer, .ticksOverlapped, .ticksMissed, .scheduleFailed:
        break
      }
    }
  }
#endif
