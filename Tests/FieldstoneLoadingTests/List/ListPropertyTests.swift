import FieldstoneTesting
import Testing

@Suite("Lists against a model of what they promise")
struct ListPropertyTests {
  @Test(
    "Whatever is done in whatever order, the list is what its model is", arguments: 0..<10)
  func anyOrder(part: Int) {
    for number in 0..<2_000 {
      let seed = UInt64(part * 2_000 + number)
      let simulation = ListSimulation(seed: seed)
      simulation.run(steps: 16)
      if simulation.problems.isEmpty { continue }
      let again = ListSimulation(seed: seed, tellsStory: true)
      again.run(steps: 16)
      Issue.record("seed \(seed): \(again.problems)\n\(again.story.joined(separator: "\n"))")
      return
    }
  }
}
