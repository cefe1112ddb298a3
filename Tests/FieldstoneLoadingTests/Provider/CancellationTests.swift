import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Cancelling what is made of providers")
struct ProviderCancellationTests {
  private let sources = (0..<12).map { _ in ManualProvider<Int, Int>() }
  private let stops = Recorder<Int>()

  /// Every combinator and adapter around providers that record their cancellation, in one tree.
  private func tree() -> some DataProvider<Int, Int> {
    let stops = stops
    let callback = CallbackProvider { (number: Int, _, completion: LoadCompletion<Int>) in
      // Kept by what stops it.
      { withExtendedLifetime(completion) { stops.record(number) } }
    }
    let first = GroupProvider(
      sources[0].then(sources[1]),
      ValueProvider<Int, Int>(1).then(sources[2]),
      sources[3].preceded(by: sources[4]),
      sources[5].attaching(sources[6]))
    let second = GroupProvider(
      sources[7].retrying().map { $0 + 1 },
      sources[8].convertingParameters { (number: Int) in number }.erased(),
      sources[9].cached(freshFor: .seconds(1)),
      callback)
    let third = GroupProvider(
      first.convertingParameters { (number: Int) in (number, number, number, number) },
      second.convertingParameters { (number: Int) in (number, number, number, number) })
    return third.convertingParameters { (number: Int) in (number, number) }
      .map { $0.0.0 }
      .preceded(by: ClosureProvider(sources[10].load))
      .attaching(sources[11])
  }

  @Test("Cancelling outside cancels every child in a tree of all combinators")
  func everyChild() async throws {
    let tree = tree()
    let task = Task { try await tree.load(7, reporting: LoadEvents()) }
    var loads: [ManualProvider<Int, Int>.Load] = []
    // The second of a sequence has not begun.
    for index in sources.indices where index != 1 {
      loads.append(await sources[index].load(at: 0))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for load in loads { await load.cancelled() }
    #expect(await stops.elements(atLeast: 1) == [7])
    #expect(sources[1].loadCount == 0)
  }

  @Test("A failure in a group deep inside cancels its neighbours, and those above")
  func failure() async throws {
    let tree = tree()
    let task = Task { try await tree.load(7, reporting: LoadEvents()) }
    var loads: [ManualProvider<Int, Int>.Load] = []
    for index in sources.indices where index != 1 {
      loads.append(await sources[index].load(at: 0))
    }
    // What comes first has ended, so that the failure is not held back for it.
    loads[9].succeed(1)
    loads[7].fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await task.value }
    // Attached to the whole, and not to what failed.
    for load in loads.dropLast() where load !== loads[9] && load !== loads[7] {
      await load.cancelled()
    }
    #expect(await stops.elements(atLeast: 1) == [7])
    loads[10].succeed(1)
  }
}
