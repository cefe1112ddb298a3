import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Simulations of durable runs")
struct SimulationTests {
  /// How many there are; fewer where each of them takes long.
  static let count =
    ProcessInfo.processInfo.environment["FIELDSTONE_SIMULATIONS"].flatMap { Int($0) }
    ?? Rounds.of(10_000)

  @Test(
    "Whatever fails, all runs end, no chain is broken, no transition made twice, no signal lost, no tick doubled or lost, no fork made in part, no order of a key broken, no rate exceeded",
    arguments: 0..<20)
  func simulations(part: Int) async {
    for seed in stride(from: part, to: Self.count, by: 20) {
      let violations = Simulation(seed: UInt64(seed)).violations()
      #expect(violations.isEmpty, "seed \(seed)")
      // Others want to be tested, too.
      await Task.yield()
    }
  }

  @Test("Nor is any of it lost where payloads are encoded, and nothing else happens than without")
  func coded() async {
    for seed in 0..<Rounds.of(400) {
      let simulations = [false, true].map { Simulation(seed: UInt64(seed), isCoded: $0) }
      for simulation in simulations { #expect(simulation.violations().isEmpty, "seed \(seed)") }
      #expect(simulations[0].world.trace == simulations[1].world.trace, "seed \(seed)")
      await Task.yield()
    }
  }

  @Test("Everything that can happen to a run does happen in them")
  func variety() async {
    var events: [String: Int] = [:]
    for seed in 0..<200 {
      let simulation = Simulation(seed: UInt64(seed))
      _ = simulation.violations()
      events.merge(simulation.world.events, uniquingKeysWith: +)
      await Task.yield()
    }
    let kinds = [
      "claimed", "stageFinished", "completed", "retry", "dead", "parked", "claimLost", "leaseEnded",
      "journalUnavailable", "alone", "group", "poisoned", "convicted", "paused", "full",
      "full flow",
      "deadline", "scheduled", "ticksOverlapped", "ticksMissed", "forked", "bulk",
      "many", "existing", "replaced", "restarted", "begot", "called", "timeLimit", "overdue",
      "rate", "ordered",
    ]
    for kind in kinds { #expect(events[kind] != nil, "\(kind) in \(events)") }
  }

  @Test("The same seed does the same", arguments: [1, 2, 3, 4, 5])
  func repeatable(seed: UInt64) {
    let traces = (0..<2).map { _ in
      let simulation = Simulation(seed: seed)
      _ = simulation.violations()
      return simulation.world.trace
    }
    #expect(traces[0] == traces[1])
  }

  @Test("When it is over nobody keeps its world: no runner, no run, no timer")
  func released() {
    for seed in 0..<50 {
      weak var world: SimulatedWorld?
      do {
        let simulation = Simulation(seed: UInt64(seed))
        world = simulation.world
        _ = simulation.violations()
      }
      #expect(world == nil, "seed \(seed)")
    }
  }
}
