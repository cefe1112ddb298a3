import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("A cached value first, then a fresh one")
struct MergeTests {
  private let network = ManualProvider<Int, String>()
  private let disk = ManualProvider<Int, String>()
  private let heard = Recorder<String>()

  private func load(if isWorthShowing: @escaping @Sendable (String) -> Bool = { _ in true })
    -> Task<String, any Error>
  {
    let provider = network.preceded(by: disk, if: isWorthShowing)
    return Task { try await provider.load(5, reporting: .recording(heard)) }
  }

  @Test("The cached value is shown early, the fresh one is the output")
  func both() async throws {
    let task = load()
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    #expect(fresh.parameters == 5)
    #expect(cached.parameters == 5)
    cached.events.progress(.fraction(0.9))
    cached.succeed("old")
    await heard.elements(atLeast: 1)
    cached.events.early("late")
    fresh.events.progress(.fraction(0.5))
    fresh.succeed("new")
    #expect(try await task.value == "new")
    #expect(heard.elements == ["old", "0.5"])
  }

  @Test("A late cached value is dropped, and its work stopped", arguments: [true, false])
  func late(heedsCancellation: Bool) async throws {
    let disk = ManualProvider<Int, String>(heedsCancellation: heedsCancellation)
    let provider = network.preceded(by: disk)
    let task = Task { try await provider.load(5, reporting: .recording(heard)) }
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    fresh.succeed("new")
    #expect(try await task.value == "new")
    await cached.cancelled()
    cached.events.early("old")
    cached.succeed("old")
    #expect(heard.count == 0)
  }

  @Test("A cached value is late, too, when something fresh was shown early")
  func lateAfterEarly() async throws {
    let task = load()
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    cached.events.early("older")
    fresh.events.early("newish")
    cached.events.early("old")
    cached.succeed("old")
    fresh.succeed("new")
    #expect(try await task.value == "new")
    #expect(heard.elements == ["older", "newish"])
  }

  @Test("A cached value that is not worth it is not shown")
  func condition() async throws {
    let task = load { !$0.isEmpty }
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    cached.events.early("")
    cached.events.early("old")
    cached.succeed("")
    fresh.events.early("")
    fresh.succeed("new")
    #expect(try await task.value == "new")
    #expect(heard.elements == ["old", ""])
  }

  @Test("What fails or cancels itself in the cache is nobody's business", arguments: [true, false])
  func cacheFails(isCancellation: Bool) async throws {
    let task = load()
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    cached.fail(isCancellation ? CancellationError() : Failure.broken)
    fresh.succeed("new")
    #expect(try await task.value == "new")
    #expect(heard.count == 0)
  }

  @Test("A fresh failure is the load's, and the cached value stays shown")
  func freshFails() async {
    let task = load()
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    cached.succeed("old")
    await heard.elements(atLeast: 1)
    fresh.fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await task.value }
    #expect(heard.elements == ["old"])
  }

  @Test("A fresh failure that is quicker than the cache leaves it time to show its value")
  func freshFailsFirst() async {
    let task = load()
    let (fresh, cached) = await (network.load(at: 0), disk.load(at: 0))
    fresh.fail(Failure.broken)
    cached.events.early("old")
    cached.succeed("old")
    await #expect(throws: Failure.broken) { try await task.value }
    #expect(heard.elements == ["old", "old"])
  }

  @Test("Cancelling cancels both, and ends at once", arguments: [true, false])
  func cancelled(heedsCancellation: Bool) async {
    let stubborn = ManualProvider<Int, String>(heedsCancellation: heedsCancellation)
    let provider = network.preceded(by: stubborn)
    let task = Task { try await provider.load(5, reporting: .recording(heard)) }
    let (fresh, cached) = await (network.load(at: 0), stubborn.load(at: 0))
    task.cancel()
    #expect(fresh.isCancelled)
    #expect(cached.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.value }
    cached.succeed("old")
    #expect(heard.count == 0)
  }
}
