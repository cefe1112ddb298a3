import FieldstoneTesting
import Testing

@testable import FieldstoneCore

@Suite("Multicast: random sequences against an array")
struct MulticastPropertyTests {
  @Test("Random sequences of everything agree with the model", arguments: 0..<8)
  func sequences(batch: Int) {
    for number in 0..<Rounds.of(1_500) {
      let seed = UInt64(batch * 1_500 + number)
      let simulation = MulticastSimulation(seed: seed, steps: 60)
      simulation.run()
      guard let fault = simulation.fault else { continue }
      Issue.record("seed \(seed): \(fault)")
      return
    }
  }

  @Test("Numbers come round without a removed callback's registration standing for another's")
  func sequencesComeRound() {
    let multicast = Multicast<() -> Void>()
    var heard = 0
    // A callback that is added where a removed one was has its address, and by now its sequence.
    for _ in 0..<100 {
      multicast.lastSequence = .max - 1
      let removed = multicast.add {}
      multicast.removeAll()
      multicast.lastSequence = .max - 1
      let kept = multicast.add { heard += 1 }
      kept.cancel()
      #expect(multicast.count == 0)
      multicast.invokeEach { $0() }
      removed.cancel()
      #expect(multicast.count == 0)
    }
    #expect(heard == 0)
  }
}
