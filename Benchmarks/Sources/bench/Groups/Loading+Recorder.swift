import Fieldstone
import Harness

/// What observers of activities cost: nothing while there is none, also after one has gone.
///
/// That the question whether there is one costs nothing, too, is counted in instructions, by
/// callgrind: there is no build without it to be measured beside.
let recorderOff = Group("recorder-off", floor: "fieldstone, awaited") {
  observedCalls("fieldstone, awaited") {}
  observedCalls("fieldstone, awaited, after an observer", goals: [.atMost(1.05)]) {
    ActivityEvent.observe { event in blackHole(event.number) }.cancel()
  }
  observedCalls("fieldstone, awaited, observed") {
    ActivityEvent.observe { event in blackHole(event.number) }
  }
}

private func observedCalls<Kept>(
  _ name: String, goals: [Goal] = [], _ observe: @escaping @MainActor () -> Kept
) -> Case {
  Case.onMainActor(
    name, operations: 100, goals: goals, setup: { Integrator(provider: Doubling()) }
  ) { integrator in
    let kept = observe()
    for _ in 0..<100 { blackHole(try await integrator(opaque(1))) }
    withExtendedLifetime(kept) {}
  }
}
