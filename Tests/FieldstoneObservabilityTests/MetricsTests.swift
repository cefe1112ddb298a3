#if Observability
  import FieldstoneDurable
  import FieldstoneObservability
  import FieldstoneTesting
  import Foundation
  import Metrics
  import MetricsTestKit
  import Testing

  @Suite("The metrics of a durable runner", .timeLimit(.minutes(20)))
  struct MetricsTests {
    let metrics = TestMetrics()

    static let counted: [(RunnerEvent.Kind, String)] = [
      (.started, "fieldstone.runs.started flow=errand"),
      (.completed, "fieldstone.runs.completed flow=errand"),
      (.retry(attempt: 1, at: .distantPast, error: "no"), "fieldstone.stage.retries flow=errand"),
      (.dead(attempts: 3, error: "no"), "fieldstone.runs.dead flow=errand"),
      (.blocked(error: "what?"), "fieldstone.runs.blocked flow=errand"),
      (.parked, "fieldstone.runs.parked flow=errand"),
      (.lost(.claimLost), "fieldstone.runs.lost flow=errand loss=claimLost"),
      (.lost(.leaseEnded), "fieldstone.runs.lost flow=errand loss=leaseEnded"),
      (.journalUnavailable(error: "full"), "fieldstone.journal.unavailable"),
      (.renewalStopped(heldUpFor: .seconds(300)), "fieldstone.renewal.stopped"),
      (.scheduleFailed(schedule: "nightly", error: "no"), "fieldstone.schedules.failed"),
    ]

    /// The counters that are not at zero, with their dimensions.
    var counts: [String: Int64] {
      let named = metrics.counters.map { counter in
        let dimensions = counter.dimensions.map { " \($0.0)=\($0.1)" }.joined()
        return (counter.label + dimensions, counter.totalValue)
      }
      return Dictionary(named, uniquingKeysWith: +).filter { $0.value != 0 }
    }

    func options() -> DurableRunnerOptions {
      var options = DurableRunnerOptions()
      options.measure(with: metrics)
      return options
    }

    @Test("Each event counts in its counter and in no other", arguments: counted)
    func counter(kind: RunnerEvent.Kind, name: String) {
      let options = options()
      for _ in 1...2 {
        options.onEvent?(RunnerEvent(kind, flow: "errand", run: RunID.sample(), sequence: 7))
      }
      #expect(counts == [name: 2])
      #expect(metrics.timers.allSatisfy { $0.values.isEmpty })
    }

    @Test("A stage's duration is timed by flow")
    func durations() throws {
      let options = options()
      for (flow, duration) in [("a", 5), ("b", 7), ("a", 9)] {
        let kind = RunnerEvent.Kind.stageFinished(attempt: 1, duration: .milliseconds(duration))
        options.onEvent?(RunnerEvent(kind, flow: flow, run: RunID.sample(), sequence: 0))
      }
      let timer = "fieldstone.stage.duration"
      #expect(try metrics.expectTimer(timer, [("flow", "a")]).values == [5_000_000, 9_000_000])
      #expect(try metrics.expectTimer(timer, [("flow", "b")]).values == [7_000_000])
      #expect(counts.isEmpty)
    }

    @Test("The time for which the executor was held up is timed once, when it is over")
    func heldUp() throws {
      let options = options()
      for (wait, isOver) in [(10, false), (25, true)] {
        options.onEvent?(
          RunnerEvent(.executorHeldUp(for: .milliseconds(wait), isOver: isOver)))
      }
      #expect(try metrics.expectTimer("fieldstone.executor.held-up").values == [25_000_000])
    }

    @Test("No dimension names a run, however many there are")
    func dimensions() {
      let options = options()
      for (kind, _) in Self.counted {
        for _ in 1...3 {
          options.onEvent?(RunnerEvent(kind, flow: "errand", run: RunID.sample(), sequence: 7))
        }
      }
      let keys = metrics.counters.flatMap(\.dimensions) + metrics.timers.flatMap(\.dimensions)
      #expect(Set(keys.map { $0.0 }) == ["flow", "loss"])
      #expect(Set(keys.map { $0.1 }) == ["errand", "claimLost", "leaseEnded"])
      #expect(metrics.counters.count == 11 && metrics.timers.count == 2)
    }

    @Test("A flow's metrics are made once")
    func madeOnce() {
      let made = FieldstoneTesting.Recorder<String>()
      let factory = MakingMetrics(made: made)
      var options = DurableRunnerOptions()
      options.measure(with: factory)
      for _ in 1...3 { options.onEvent?(RunnerEvent(.started, flow: "errand")) }
      let labels = made.elements
      #expect(labels.filter { $0 == "fieldstone.runs.started" }.count == 1)
      options.onEvent?(RunnerEvent(.started, flow: "other"))
      #expect(made.elements.filter { $0 == "fieldstone.runs.started" }.count == 2)
    }

    @Test("A run that is tried again and completes, and one that is dead, are counted as such")
    func runs() async throws {
      let runner = try errandRunner(
        options(), retries: StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
      ) { stage, context in
        if stage.name == "bad" || context.attempt == 1 { throw Trouble() }
        return .complete("done")
      }
      try await working(runner) {
        _ = try await runner.start(Errand("good")).value
        await #expect(throws: DurableRunError.self) {
          _ = try await runner.start(Errand("bad")).value
        }
      }
      #expect(
        counts == [
          "fieldstone.runs.started flow=errand": 2, "fieldstone.runs.completed flow=errand": 1,
          "fieldstone.runs.dead flow=errand": 1, "fieldstone.stage.retries flow=errand": 2,
        ])
      #expect(metrics.timers.flatMap(\.values).count == 1)
    }
  }

  /// Metrics that say what was made.
  private struct MakingMetrics: MetricsFactory {
    let made: FieldstoneTesting.Recorder<String>
    let metrics = TestMetrics()

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      made.record(label)
      return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
      metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      made.record(label)
      return metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { metrics.destroyCounter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { metrics.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { metrics.destroyTimer(handler) }
  }
#endif
