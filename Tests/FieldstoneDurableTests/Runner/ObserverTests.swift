import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Testing

@Suite("Observers of a runner", .timeLimit(.minutes(20)))
struct ObserverTests {
  enum Errand: Stage, Codable {
    case only(Int)
    func next() async throws -> Step<Self, Int> {
      switch self {
      case .only(let number): .complete(number)
      }
    }
  }

  @Test("Any number of observers hear the events in order, and none ends another")
  func several() async throws {
    let (handler, first, second) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
    let name: @Sendable (RunnerEvent) -> String = { event in
      "\(event.kind)".prefix { $0 != "(" }.description
    }
    let runner = try DurableRunner(
      journal: InMemoryJournal(), flows: [DurableFlow(Errand.self, name: "errand")],
      options: DurableRunnerOptions(onEvent: { handler.record(name($0)) }))
    let firstRegistration = runner.observe { first.record(name($0)) }
    let secondRegistration = runner.observe { event in
      second.record(name(event))
    }
    let work = Task { try await runner.run() }
    #expect(try await runner.start(Errand.only(1)).value == 1)
    let events = ["started", "claimed", "stageFinished", "completed"]
    #expect(await second.elements(atLeast: 4).sorted() == events.sorted())
    #expect(await first.elements(atLeast: 4) == second.elements)
    // Its end does not concern the others.
    firstRegistration.cancel()
    #expect(try await runner.start(Errand.only(2)).value == 2)
    #expect(await second.elements(atLeast: 8).count == 8)
    #expect(first.count == 4 && handler.count == 8)
    secondRegistration.cancel()
    #expect(try await runner.start(Errand.only(3)).value == 3)
    await runner.shutdown()
    try await work.value
    #expect(second.count == 8 && handler.count == 12)
  }
}
