import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Cached providers")
struct CachedProviderTests {
  private let source = ManualProvider<String, String>()
  private let time = ManualTime()
  private let heard = Recorder<String>()

  private func cached(
    fresh: Duration = .seconds(10), stale: Duration = .zero,
    limit: CacheLimit<String> = .count(100)
  ) -> CachedProvider<ManualProvider<String, String>, String> {
    source.cached(freshFor: fresh, staleFor: stale, limit: limit, time: time.source)
  }

  private func load(
    _ key: String, _ provider: some DataProvider<String, String>
  ) -> Task<String, any Error> {
    Task { try await provider.load(key, reporting: .recording(heard)) }
  }

  /// Loads a key that is not there and answers it.
  private func fill(
    _ key: String, _ value: String, _ provider: some DataProvider<String, String>
  ) async throws {
    let task = load(key, provider)
    await source.load(at: source.loadCount).succeed(value)
    _ = try await task.value
  }

  @Test("What is fresh is given without a load, until its time is over")
  func fresh() async throws {
    let users = cached()
    try await fill("ada", "one", users)
    time.advance(by: .milliseconds(9_999))
    #expect(try await load("ada", users).value == "one")
    #expect(source.loadCount == 1)
    time.advance(by: .milliseconds(1))
    try await fill("ada", "two", users)
    #expect(try await load("ada", users).value == "two")
    #expect(source.loadCount == 2)
    #expect(heard.count == 0)
  }

  @Test("Its age does not go by the wall clock")
  func wallClock() async throws {
    let users = cached()
    try await fill("ada", "one", users)
    time.setWallClock(to: .distantFuture)
    #expect(try await load("ada", users).value == "one")
  }

  @Test("What is stale is shown early, and a load follows")
  func stale() async throws {
    let users = cached(stale: .seconds(5))
    try await fill("ada", "one", users)
    time.advance(by: .seconds(10))
    let task = load("ada", users)
    let revalidation = await source.load(at: 1)
    #expect(heard.elements == ["one"])
    revalidation.succeed("two")
    #expect(try await task.value == "two")
    #expect(try await load("ada", users).value == "two")
    #expect(source.loadCount == 2)
  }

  @Test("What is older than stale is forgotten")
  func expired() async throws {
    let users = cached(stale: .seconds(5))
    try await fill("ada", "one", users)
    time.advance(by: .seconds(15))
    try await fill("ada", "two", users)
    #expect(heard.count == 0)
    #expect(source.loadCount == 2)
  }

  @Test("A failed load is not kept; the stale value stays")
  func failure() async throws {
    let users = cached(stale: .seconds(5))
    let failing = load("ada", users)
    await source.load(at: 0).fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await failing.value }
    #expect(users.census == (0, 0, 0))
    try await fill("ada", "one", users)
    time.advance(by: .seconds(12))
    for index in [2, 3] {
      let stale = load("ada", users)
      await source.load(at: index).fail(Failure.other(index))
      await #expect(throws: Failure.other(index)) { try await stale.value }
    }
    #expect(heard.elements == ["one", "one"])
  }

  @Test("Loads of one key are one; other keys have their own")
  func sharing() async throws {
    let users = cached()
    let first = load("ada", users)
    let ada = await source.load(at: 0)
    ada.events.progress(.fraction(0.5))
    // The replayed progress says that the second has joined.
    let second = load("ada", users)
    await heard.elements(atLeast: 2)
    let other = load("alan", users)
    let alan = await source.load(at: 1)
    #expect(alan.parameters == "alan")
    ada.succeed("one")
    alan.succeed("two")
    #expect(try await first.value == "one")
    #expect(try await second.value == "one")
    #expect(try await other.value == "two")
    #expect(source.loadCount == 2)
  }

  @Test("A cancelled caller returns at once and fails nobody", arguments: [0, 1])
  func cancelledCaller(leaving: Int) async throws {
    let users = cached()
    var tasks = [load("ada", users)]
    let ada = await source.load(at: 0)
    ada.events.early("early")
    tasks.append(load("ada", users))
    await heard.elements(atLeast: 2)
    tasks[leaving].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[leaving].value }
    #expect(!ada.isCancelled)
    ada.succeed("one")
    #expect(try await tasks[1 - leaving].value == "one")
    #expect(users.census == (1, 1, 0))
  }

  @Test(
    "The last caller who leaves stops the work; the next one begins anew", arguments: [true, false])
  func lastCaller(heedsCancellation: Bool) async throws {
    let source = ManualProvider<String, String>(heedsCancellation: heedsCancellation)
    let users = source.cached(freshFor: .seconds(10), time: time.source)
    let task = load("ada", users)
    let ada = await source.load(at: 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await ada.cancelled()
    #expect(users.census == (0, 0, 0))
    let next = load("ada", users)
    let second = await source.load(at: 1)
    ada.succeed("late")
    second.succeed("one")
    #expect(try await next.value == "one")
    #expect(try await load("ada", users).value == "one")
  }

  @Test("An invalidated key is loaded anew")
  func invalidate() async throws {
    let users = cached()
    try await fill("ada", "one", users)
    try await fill("alan", "two", users)
    users.invalidate("ada")
    users.invalidate("unknown")
    #expect(try await load("alan", users).value == "two")
    try await fill("ada", "three", users)
    #expect(source.loadCount == 3)
  }

  @Test("Keys can be invalidated by a test, which may use the cache itself")
  func invalidateWhere() async throws {
    let users = cached()
    for name in ["ada", "alan", "grace"] { try await fill(name, name, users) }
    users.invalidate { name in
      users.invalidate("grace")
      return name.hasPrefix("a")
    }
    #expect(users.census == (0, 0, 0))
    try await fill("ada", "one", users)
    users.invalidateAll()
    #expect(users.census == (0, 0, 0))
  }

  @Test("Invalidated during a load, its result is for its callers and is not kept")
  func invalidateDuringLoad() async throws {
    let users = cached()
    let task = load("ada", users)
    let before = await source.load(at: 0)
    users.invalidate { _ in true }
    let next = load("ada", users)
    let after = await source.load(at: 1)
    after.succeed("new")
    #expect(try await next.value == "new")
    before.succeed("old")
    #expect(try await task.value == "old")
    #expect(try await load("ada", users).value == "new")
    #expect(source.loadCount == 2)
  }

  @Test("Full, it forgets what was used least recently")
  func count() async throws {
    let users = cached(limit: .count(2))
    try await fill("ada", "1", users)
    try await fill("alan", "2", users)
    _ = try await load("ada", users).value
    try await fill("grace", "3", users)
    #expect(users.census == (2, 2, 0))
    #expect(try await load("ada", users).value == "1")
    #expect(try await load("grace", users).value == "3")
    #expect(source.loadCount == 3)
    try await fill("alan", "4", users)
    #expect(source.loadCount == 4)
  }

  @Test("It can be bounded by cost; what costs too much is not kept")
  func cost() async throws {
    let users = cached(stale: .seconds(5), limit: .cost(10) { $0.count })
    try await fill("a", "1234", users)
    try await fill("b", "12345", users)
    #expect(users.census == (2, 9, 0))
    try await fill("c", "12", users)
    #expect(users.census == (2, 7, 0))
    try await fill("d", "12345678901", users)
    #expect(users.census == (2, 7, 0))
    time.advance(by: .seconds(10))
    try await fill("b", "12345678901", users)
    #expect(users.census == (1, 2, 0), "the older value of the key is outdated, too")
  }

  @Test("With no room and no time it still shares", arguments: [0, -1])
  func nothingKept(limit: Int) async throws {
    let users = cached(fresh: .seconds(-1), stale: .seconds(-1), limit: .count(limit))
    try await fill("ada", "1", users)
    #expect(users.census == (0, 0, 0))
    try await fill("ada", "2", users)
  }

  @Test("The key can be made from the parameters")
  func key() async throws {
    let users = source.cached(freshFor: .seconds(1), time: time.source) { $0.lowercased() }
    try await fill("Ada", "one", users)
    #expect(try await load("ADA", users).value == "one")
    users.invalidate("ada")
    try await fill("ADA", "two", users)
  }

  @Test("A caller who is cancelled already is not served")
  func cancelledBefore() async throws {
    let users = cached()
    try await fill("ada", "one", users)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await users.load("ada", reporting: LoadEvents())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
