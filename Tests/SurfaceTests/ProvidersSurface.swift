import Fieldstone
import FieldstoneTesting
import Testing

// Without `import Foundation`, because adopting the public types must not need it.

/// A provider as an app declares it.
private struct Capitals: DataProvider {
  let capitals = ["AT": "Vienna", "PL": "Warsaw"]

  func load(_ country: String, reporting events: LoadEvents<String>) async throws -> String {
    try Task.checkCancellation()
    events.progress(.fraction(0.5))
    guard let capital = capitals[country] else { throw NoCapital.unknown(country) }
    return capital
  }
}

/// An error as an app declares it; a retry helps only if the server is busy.
private enum NoCapital: DescribedError, RetryAdvisingError, Equatable {
  case unknown(String)
  case busy

  var message: String {
    switch self {
    case .unknown(let country): "\(country) is no country; choose one from the list."
    case .busy: "Try again in a second."
    }
  }

  var isWorthRetrying: Bool { self == .busy }
  var retryAfter: Duration? { self == .busy ? .seconds(1) : nil }
}

/// A model as an app declares it, not made from JSON.
private struct City: DataModel, Equatable {
  let name: String

  init(source: String) throws {
    guard let first = source.first, first.isUppercase else {
      throw DataModelError.unusable(detail: "no capital letter", place: "name")
    }
    name = source
  }
}

@Suite("The surface of providers")
struct ProvidersSurface {
  @Test("A provider is adopted, erased, and told by an app's own errors whether to try again")
  func adopted() async throws {
    let provider: AnyProvider<String, String> = Capitals().erased()
    #expect(try await provider.load("AT", reporting: LoadEvents()) == "Vienna")
    await #expect(throws: NoCapital.unknown("XX")) {
      try await provider.load("XX", reporting: LoadEvents())
    }
    #expect(!RetryPolicy.isWorthRetrying(NoCapital.unknown("XX")))
    #expect(RetryPolicy.isWorthRetrying(NoCapital.busy))
    #expect(throws: DataModelError.self) { try City(source: "vienna") }
  }

  @Test("Adapters and combinators are written in one go, and report through each other")
  func combined() async throws {
    let shown = Recorder<String>()
    let progress = Recorder<LoadProgress>()
    let events = LoadEvents<String>(
      onProgress: { progress.record($0) }, onEarlyValue: { shown.record($0) })

    let callback: CallbackProvider<String, Int> = CallbackProvider { name, _, completion in
      completion(.success(name.count))
      return nil
    }
    let closure = ClosureProvider { (length: Int, events: LoadEvents<String>) in
      events.early("about \(length)")
      return "\(length) letters"
    }
    let provider = Capitals().then(callback).then(closure)
      .preceded(by: ValueProvider("from before")) { !$0.isEmpty }
      .attaching(ClosureProvider { (country: String) in country.count }) { _ in }
      .retrying(RetryPolicy(maximumAttempts: 2, shouldRetry: { _ in false }), time: .system)
      .convertingParameters { (code: Character) in "\(code)T" }
    #expect(try await provider.load("A", reporting: events) == "6 letters")
    #expect(shown.elements.contains("about 6") && progress.count > 0)

    let group = GroupProvider(Capitals(), ValueProvider<Void, Int>(3))
      .map { "\($0.0) \($0.1)" }
      .convertingParameters { (code: String) in (code, ()) }
    #expect(try await group.load("PL", reporting: LoadEvents()) == "Warsaw 3")
    let dropped = CallbackProvider<Void, Int> { _, _, _ in nil }
    await #expect(throws: CallbackProviderError.self) {
      try await dropped.load((), reporting: LoadEvents())
    }
  }

  @Test("A cache is read, forgotten by key and by test, and bounded")
  func cached() async throws {
    let (asked, time) = (Recorder<String>(), ManualTime())
    let source = ClosureProvider { (name: String) in
      asked.record(name)
      return name.count
    }
    let cache = source.cached(
      freshFor: .seconds(60), staleFor: .seconds(600), limit: .count(100), time: time.source)
    for _ in 0..<2 { #expect(try await cache.load("Ada", reporting: LoadEvents()) == 3) }
    cache.invalidate("Ada")
    cache.invalidate { $0.hasPrefix("A") }
    _ = try await cache.load("Ada", reporting: LoadEvents())
    cache.invalidateAll()
    #expect(asked.count == 2)
    let costly = source.cached(freshFor: .seconds(1), limit: .cost(5) { $0 }) { $0.count }
    #expect(try await costly.load("Ada", reporting: LoadEvents()) == 3)
  }

  @Test("Many at once, by an integrator")
  @MainActor func batches() async throws {
    let capitals = Integrator(provider: Capitals())
    #expect(try await capitals.batch(["AT", "PL"], maxConcurrent: 2) == ["Vienna", "Warsaw"])
    let outcomes = try await capitals.batchCollecting(["AT", "XX"])
    #expect(outcomes.map { $0.value } == ["Vienna", nil] && outcomes[1].error is NoCapital)
  }

  @Test("The conformance suite runs over an app's own provider")
  func conformance() async throws {
    var suite = ProviderConformance(parameters: "AT", expected: "Vienna") { Capitals() }
    suite.time = ManualTime().source
    try await suite.check()
  }
}
