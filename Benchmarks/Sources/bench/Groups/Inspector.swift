#if INSPECTOR
  import Fieldstone
  import FieldstoneDurable
  import FieldstoneInspector
  import Foundation
  import Harness
  import Synchronization

  /// What the inspector costs: its pages of a big journal, the work beside them, and the objects of
  /// an app that it watches.
  let inspector = Area("inspector") {
    pages
    checkpointsBesidePages
    mainActorHeld
    watchedCalls
    watchedObjects
    timelineEvents
  }

  private let runs = InspectedRuns()

  /// Every page of a journal with a million runs, beside a thousand checkpoints a second.
  ///
  /// The floor is a page that reads nothing.
  private let pages = Group("inspector-pages-1000000", floor: InspectedRuns.Page.keys.rawValue) {
    for page in InspectedRuns.Page.allCases {
      Case(
        page.rawValue, runs: 1, goals: [.atMostAbsolute(100_000_000)],
        taking: { try await runs.answer(page, times: $0) })
    }
  }

  /// Checkpoints, a thousand a second, while somebody looks at ten pages a second.
  private let checkpointsBesidePages = Group("inspector-checkpoints", floor: "without pages") {
    Case(
      "without pages", operations: 1_000, runs: 1,
      taking: { _ in try await runs.checkpoints(besideAPageEvery: nil) })
    Case(
      "fieldstone, ten pages a second", operations: 1_000, runs: 1, goals: [.atMost(1.1)],
      taking: { _ in try await runs.checkpoints(besideAPageEvery: .milliseconds(100)) })
  }

  /// A call that is watched, of a load that takes as long as an answer of a near server.
  private let watchedCalls = Group("inspector-watched", floor: "not watched, 1 ms") {
    watched("not watched, 1 ms", .milliseconds(1)) { _ in nil }
    watched("fieldstone, watched, 1 ms", .milliseconds(1), goals: [.atMost(1.05)]) {
      let inspector = Inspector(name: "bench")
      inspector.watch($0, as: "Numbers")
      return inspector
    }
    watched("not watched, at once", nil) { _ in nil }
    watched("fieldstone, watched, at once", nil) {
      let inspector = Inspector(name: "bench")
      inspector.watch($0, as: "Numbers")
      return inspector
    }
  }

  private func watched(
    _ name: String, _ time: Duration?, goals: [Goal] = [],
    _ watch: @escaping @MainActor (Integrator<Int, Int>) -> Inspector?
  ) -> Case {
    Case.onMainActor(
      name, operations: 20, goals: goals,
      setup: {
        let integrator = Integrator(provider: Answering(time: time))
        return (integrator, watch(integrator))
      }
    ) { state in
      for _ in 0..<20 { blackHole(try await state.0(opaque(1))) }
    }
  }

  /// A provider that answers after a time.
  private struct Answering: DataProvider {
    let time: Duration?

    @concurrent
    func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
      if let time { try await Task.sleep(for: time) }
      return number &* 2
    }
  }

  /// Events of a runner into a timeline that is full.
  ///
  /// At 10,000 a second, 5 µs each are a twentieth of a core.
  private let timelineEvents = Group("inspector-timeline", floor: "an array under a lock") {
    Case(
      "an array under a lock", operations: 20_000,
      setup: { LockedEvents() },
      { events in
        for _ in 0..<20_000 {
          events.events.withLock { events in
            if events.count == 10_000 { events.removeAll(keepingCapacity: true) }
            events.append(finished)
          }
        }
      })
    Case(
      "fieldstone", operations: 20_000, goals: [.atMostAbsolute(5_000)],
      setup: {
        // The closure does not keep the inspector.
        let inspector = Inspector(name: "bench")
        let record = inspector.runnerEvents(as: "bench")
        for _ in 0..<10_000 { record(finished) }
        return (inspector, record)
      },
      { state in for _ in 0..<20_000 { state.1(finished) } })
  }

  private final class LockedEvents: Sendable {
    let events = Mutex<[RunnerEvent]>([])
  }

  private let finished = RunnerEvent(
    .stageFinished(attempt: 1, duration: .milliseconds(12)), flow: "orders",
    run: RunID(at: .distantPast), sequence: 3)
#endif
