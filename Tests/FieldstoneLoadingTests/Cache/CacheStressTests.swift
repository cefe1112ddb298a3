import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

/// What the deterministic sequences can't reach: many threads at once, for the thread sanitizer too.
@Suite("Caches under load", .timeLimit(.minutes(20)))
struct CacheStressTests {
  @Test("Of thousands of loads and cancellations at once, each ends, and right")
  func many() async throws {
    let running = Watch()
    let network = ClosureProvider { (key: Int, events: LoadEvents<Int>) in
      running.begin()
      defer { running.end() }
      for step in 0..<10 {
        try Task.checkCancellation()
        await Task.yield()
        events.progress(.fraction(Double(step) / 10))
        events.early(key)
      }
      return key
    }
    let users = network.cached(freshFor: .zero, staleFor: .seconds(60), limit: .count(2))
    let wrong = Recorder<String>()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<3000 {
        let key = index % 3
        group.addTask {
          let load = Task {
            try await users.load(
              key,
              reporting: LoadEvents(onEarlyValue: { if $0 != key { wrong.record("early \($0)") } }))
          }
          if index % 5 == 0 { load.cancel() }
          if index % 50 == 0 { users.invalidate(key) }
          switch await load.result {
          case .success(key): break
          case .failure(is CancellationError) where index % 5 == 0: break
          case let result: wrong.record("\(index): \(result)")
          }
        }
      }
    }
    #expect(wrong.elements == [])
    // Work that everybody left may still be on its way to its end.
    await running.ended()
    #expect(users.census.count <= 2)
  }
}

/// Counts what is under way.
private final class Watch: Sendable {
  private let begun = Recorder<Void>()
  private let over = Recorder<Void>()

  func begin() { begun.record(()) }
  func end() { over.record(()) }

  func ended() async { await over.elements(atLeast: begun.count) }
}
