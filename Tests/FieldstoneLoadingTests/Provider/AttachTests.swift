import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("A provider that runs along")
struct AttachTests {
  private let main = ManualProvider<Int, String>()
  private let side = ManualProvider<Int, Int>()
  private let heard = Recorder<String>()
  private let ends = Recorder<String>()

  private func load(beside side: some DataProvider<Int, Int>) -> Task<String, any Error> {
    let provider = main.attaching(side) { ends.record("\($0)") }
    return Task { try await provider.load(5, reporting: .recording(heard)) }
  }

  @Test("It is told the same, and can't delay the load; it goes on to its own end")
  func delay() async throws {
    let task = load(beside: side)
    let (load, other) = await (main.load(at: 0), side.load(at: 0))
    #expect(other.parameters == 5)
    load.events.progress(.fraction(0.5))
    other.events.progress(.fraction(0.7))
    other.events.early(1)
    load.events.early("early")
    load.succeed("value")
    #expect(try await task.value == "value")
    #expect(heard.elements == ["0.5", "early"])
    #expect(!other.isCancelled)
    other.succeed(7)
    #expect(await ends.elements(atLeast: 1) == ["success(7)"])
  }

  @Test("It can't fail the load")
  func failure() async throws {
    let task = load(beside: side)
    await side.load(at: 0).fail(Failure.broken)
    await ends.elements(atLeast: 1)
    await main.load(at: 0).succeed("value")
    #expect(try await task.value == "value")
  }

  @Test("It is cancelled with the load")
  func cancelled() async {
    let task = load(beside: side)
    let (load, other) = await (main.load(at: 0), side.load(at: 0))
    task.cancel()
    #expect(load.isCancelled)
    #expect(other.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("What it throws because it was cancelled is a cancellation, whatever it is")
  func cancelledWithAnErrorOfItsOwn() async {
    let stubborn = ManualProvider<Int, Int>(heedsCancellation: false)
    let task = load(beside: stubborn)
    let other = await stubborn.load(at: 0)
    _ = await main.load(at: 0)
    task.cancel()
    await other.cancelled()
    other.fail(Failure.broken)
    #expect(
      await ends.elements(atLeast: 1) == ["cancelled(FieldstoneCore.CancellationReason.caller)"])
  }

  @Test("One that does not heed that delays nothing")
  func uncooperative() async {
    let stubborn = ManualProvider<Int, Int>(heedsCancellation: false)
    let task = load(beside: stubborn)
    let other = await stubborn.load(at: 0)
    _ = await main.load(at: 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await other.cancelled()
    other.succeed(1)
  }
}
