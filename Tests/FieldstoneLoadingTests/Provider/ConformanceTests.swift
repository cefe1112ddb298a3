import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Every provider of the library keeps what a provider promises.
@Suite("Provider conformance", .timeLimit(.minutes(20)))
struct ConformanceTests {
  /// Reports on its way, and gives the parameters as text.
  private let reporting = ClosureProvider { (number: Int, events: LoadEvents<String>) in
    events.progress(.fraction(0.25))
    events.early("early")
    events.progress(.fraction(0.75))
    return "\(number)"
  }

  /// Stands still, so that a slow machine uses up no patience; the suite's time limit ends what
  /// hangs.
  private let time = ManualTime()

  /// Checks a provider, and one around a load that is held until it is cancelled.
  private func check<Provider: DataProvider<Int, String>>(
    goesBack: Bool = false,
    _ make: @escaping @Sendable (ClosureProvider<Int, String>) -> Provider
  ) async throws {
    var suite = ProviderConformance(parameters: 7, expected: "7") { [reporting] in
      make(reporting)
    }
    suite.time = time.source
    suite.allowsProgressToGoBack = goesBack
    suite.makeHeld = {
      let gate = Gate()
      let held = ClosureProvider { (number: Int, _: LoadEvents<String>) in
        try await gate.waitUnlessCancelled()
        return "\(number)"
      }
      return .init(make(held)) { await gate.arrivals(atLeast: 1) }
    }
    try await suite.check()
  }

  @Test("Closures and values conform")
  func adapters() async throws {
    try await check { $0 }
    var suite = ProviderConformance(parameters: 1, expected: "7") {
      ValueProvider<Int, String>("7")
    }
    suite.time = time.source
    try await suite.check()
  }

  @Test("Callbacks conform")
  func callbacks() async throws {
    var suite = ProviderConformance(parameters: 7, expected: "7") {
      CallbackProvider { (number: Int, events: LoadEvents<String>, completion) in
        events.progress(.indeterminate)
        completion(.success("\(number)"))
        return nil
      }
    }
    suite.time = time.source
    suite.makeHeld = {
      let completions = Recorder<LoadCompletion<String>>()
      return .init(
        CallbackProvider { _, _, completion in
          completions.record(completion)
          return {}
        }
      ) { await completions.elements(atLeast: 1) }
    }
    try await suite.check()
  }

  @Test("Combinators conform")
  func combinators() async throws {
    try await check { $0.erased() }
    try await check { $0.map { "\($0)" } }
    try await check { $0.convertingParameters { (number: Int) in number } }
    try await check { $0.then(ClosureProvider { (text: String) in text }) }
    try await check { base in ClosureProvider { (number: Int) in number }.then(base) }
    try await check(goesBack: true) { $0.retrying() }
    try await check { $0.attaching(ClosureProvider { (_: Int) -> Int in throw Failure.broken }) }
    try await check { $0.cached(freshFor: .seconds(60)) }
    try await check { $0.cached(freshFor: .zero) }
    try await check { $0.preceded(by: ValueProvider("cached")) }
    try await check { base in
      ClosureProvider { (_: Int) in "7" }.preceded(by: base).then(
        ClosureProvider { (text: String) in
          // Held by what comes first, it would end by itself.
          _ = try await base.load(7, reporting: LoadEvents())
          return text
        })
    }
  }

  @Test("Groups conform")
  func groups() async throws {
    try await check { base in
      GroupProvider(base, ValueProvider<Int, Int>(1))
        .convertingParameters { (number: Int) in (number, number) }
        .map { $0.0 }
    }
  }

  @Test("URL providers conform")
  func url() async throws {
    let server = try WebServer { request in
      request.path == "/held"
        ? WebReply(length: .claimed(5), fault: (0, .awaitHangUp)) : WebReply(body: request.path)
    }
    let transport = URLTransport()
    let provider = URLProvider(transport: transport) { (path: String) in
      URLRequest(url: server.url(path))
    }
    var suite = ProviderConformance(
      parameters: "/users", isExpected: { $0.body == Data("/users".utf8) },
      makeProvider: { provider })
    suite.time = time.source
    suite.makeHeld = {
      let held = URLProvider(transport: transport) { (_: String) in
        URLRequest(url: server.url("/held"))
      }
      let count = server.requests.count
      return .init(held) { await server.requests(atLeast: count + 1) }
    }
    try await suite.check()
  }
}
