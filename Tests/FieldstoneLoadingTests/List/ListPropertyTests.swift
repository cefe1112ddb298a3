import FieldstoneTesting
import Testing

@Suite("Lists against a model of what they promise")
struct ListPropertyTests {
  @Test(
    "Whatever is done in whatever order, the list is what its model is", arguments: 0..<10)
  func anyOrder(part: Int) {
    for number in 0..<Rounds.of(2_000) {
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

  @Test("A list that keeps a few pages has no hole, and loses nothing", arguments: 0..<5)
  func window(part: Int) {
    for number in 0..<Rounds.of(1_000) {
      let seed = UInt64(part * 1_000 + number)
      let simulation = WindowSimulation(seed: seed)
      simulation.run(steps: 24)
      if simulation.problems.isEmpty { continue }
      let story = simulation.story.joined(separator: "\n")
      Issue.record("seed \(seed): \(simulation.problems)\n\(story)")
      return
    }
  }

  @Test(
    "The list itself, with its tasks and calls, is what the model is", .timeLimit(.minutes(20)),
    arguments: 0..<4)
  @MainActor func shell(part: Int) async {
    for number in 0..<Rounds.of(1_000) {
      let seed = UInt64(part * 1_000 + number)
      let simulation = ListShellSimulation(seed: seed)
      await simulation.run(steps: 16)
      if simulation.problems.isEmpty { continue }
      let story = simulation.story.joined(separator: "\n")
      Issue.record("seed \(seed): \(simulation.problems)\n\(story)")
      return
    }
  }

  @Test(
    "A list by offset loses nothing, whatever is edited in it and in its source",
    arguments: [false, true])
  @MainActor func offsets(hasPageLimit: Bool) async {
    for seed in 0..<UInt64(Rounds.of(4_000)) {
      let simulation = OffsetSimulation(seed: seed, hasPageLimit: hasPageLimit)
      await simulation.run(steps: 20)
      guard let problem = simulation.problem else { continue }
      Issue.record("seed \(seed): \(problem)\n\(simulation.story.joined(separator: "\n"))")
      return
    }
  }
}
