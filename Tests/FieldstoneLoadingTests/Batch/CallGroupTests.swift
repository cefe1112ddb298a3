import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Calls of several integrators at once")
@MainActor
struct CallGroupTests {
  let numbers = HandProvider<Int, Int>()
  let texts = HandProvider<String, String>()
  let log = Recorder<String>()

  @Test("Each ends by itself, in the types and the order of the calls")
  func outcomes() async throws {
    let (number, text) = (
      Integrator(provider: numbers, errorHandlers: ErrorHandlers()),
      Integrator(provider: texts, errorHandlers: ErrorHandlers())
    )
    let group = CallGroup(
      number.call(1).recording(in: log), text.call("a"),
      number.call(2).recover { _ in .value(20) })
    for round in 0..<2 {
      let task = Task { try await group.outcomes() }
      await texts.load(round).succeed("A")
      for load in [round * 2, round * 2 + 1] {
        await numbers.load(load).fail(Trouble(number: await numbers.load(load).parameters))
      }
      let (one, two, three) = try await task.value
      #expect(one.text == "failure 1" && two.value == "A" && three.value == 20)
    }
    #expect(await log.elements(atLeast: 6).filter { $0 == "error 1" }.count == 2)
  }

  @Test("Cancelling the task cancels the calls that have not ended")
  func cancelling() async throws {
    let (number, text) = (Integrator(provider: numbers), Integrator(provider: texts))
    let group = CallGroup(
      number.call(1).recording(in: log, as: "number"), text.call("a").recording(in: log, as: "text")
    )
    let task = Task { try await group.outcomes() }
    let load = await texts.load(0)
    await numbers.load(0).succeed(1)
    await log.elements(atLeast: 4)
    task.cancel()
    await load.cancellation()
    await #expect(throws: CancellationError.self) { try await task.value }
    let heard = await log.elements(atLeast: 5)
    #expect(heard.contains("number completion success 1"))
    #expect(heard.contains("text completion cancelled caller"))
  }

  @Test("In a task that is cancelled already, no call is made")
  func cancelledBefore() async {
    let integrator = Integrator(provider: numbers)
    let task = Task {
      await turnOfTheMainActor()
      _ = try await CallGroup(integrator.call(1), integrator.call(2)).outcomes()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let others = Task {
      await turnOfTheMainActor()
      _ = try await [integrator.call(1)].outcomes()
    }
    others.cancel()
    await #expect(throws: CancellationError.self) { try await others.value }
    #expect(numbers.loadCount == 0)
  }

  @Test("Calls of one type come as an array, those that a policy turns away as cancelled")
  func array() async throws {
    let latest = Integrator(provider: Doubling(), policy: .latest)
    let other = Integrator(provider: Doubling())
    let outcomes = try await [latest.call(1), latest.call(2), other.call(4)].outcomes()
    #expect(outcomes.map(\.text) == ["cancelled superseded", "success 4", "success 8"])
    #expect(try await [CallBuilder<Int>]().outcomes().isEmpty)
  }
}
