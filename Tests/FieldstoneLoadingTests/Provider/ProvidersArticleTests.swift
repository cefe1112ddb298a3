import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct User: DataModel, Decodable, Equatable {
  var name: String
}

private struct Badge: Sendable, Equatable {
  var title: String
}

/// A client of an older API, which calls back.
private final class Client: Sendable {
  struct Request: Sendable {
    func cancel() {}
  }

  func badge(of name: String, _ answer: @Sendable (Badge?, (any Error)?) -> Void) -> Request {
    answer(Badge(title: "Countess \(name)"), nil)
    return Request()
  }
}

// snippet: provider-adopt
struct Directory: DataProvider {
  let names: [String: [String]]

  func load(
    _ city: String, reporting events: LoadEvents<[String]>
  ) async throws -> [String] {
    try Task.checkCancellation()
    events.progress(.indeterminate)
    return names[city, default: []]
  }
}
// end

@Suite("The article on providers")
struct ProvidersArticleTests {
  private let directory = Directory(names: ["London": ["Ada"]])
  private let client = Client()

  @Test("A provider is adopted, or made from closures and callbacks")
  func adapters() async throws {
    let (directory, client) = (directory, client)
    // snippet: provider-adapters
    let count = ClosureProvider { (city: String) in
      directory.names[city, default: []].count
    }

    let badge = CallbackProvider { (name: String, _, completion) in
      let request = client.badge(of: name) { badge, error in completion(badge, error) }
      return { request.cancel() }
    }
    // end
    #expect(try await directory.load("London", reporting: LoadEvents()) == ["Ada"])
    #expect(try await count.load("London", reporting: LoadEvents()) == 1)
    #expect(try await badge.load("Ada", reporting: LoadEvents()) == Badge(title: "Countess Ada"))
  }

  @Test("Users come from a server")
  func server() async throws {
    let server = try WebServer { _ in WebReply(body: #"[{"name": "Ada"}]"#) }
    let address = server.url("/users")
    // snippet: provider-url
    struct User: DataModel, Decodable, Equatable {
      var name: String
    }

    let users = URLProvider { (name: String) in
      URLRequest(url: address.appending(queryItems: [URLQueryItem(name: "q", value: name)]))
    }
    .map { response in try [User](source: response.body) }
    // end
    #expect(try await users.load("ada", reporting: LoadEvents()) == [User(name: "Ada")])
    #expect(server.requests.map(\.path) == ["/users?q=ada"])
  }

  @Test("Providers come one after the other, and all at once")
  func several() async throws {
    let userID = ValueProvider<String, Int>(7)
    let profile = ClosureProvider { (id: Int) in "Ada \(id)" }
    let inbox = ClosureProvider { (id: Int) in id * 6 }
    // snippet: provider-several
    let screen = userID.then(
      GroupProvider(profile, inbox).convertingParameters { (id: Int) in (id, id) })

    let (name, unread) = try await screen.load("token", reporting: LoadEvents())
    // end
    #expect(name == "Ada 7")
    #expect(unread == 42)
  }

  @Test("A copy on disk comes first")
  func preceded() async throws {
    let network = ManualProvider<String, [String]>()
    let disk = ManualProvider<String, [String]>()
    // snippet: provider-preceded
    let users = network.preceded(by: disk) { !$0.isEmpty }
    // end
    let early = Recorder<[String]>()
    let task = Task {
      try await users.load("London", reporting: LoadEvents(onEarlyValue: { early.record($0) }))
    }
    await disk.load(at: 0).succeed(["Ada"])
    await early.elements(atLeast: 1)
    await network.load(at: 0).succeed(["Ada", "Charles"])
    #expect(try await task.value == ["Ada", "Charles"])
    #expect(early.elements == [["Ada"]])
  }

  @Test("A cache gives what is fresh, and forgets what it is told to")
  func cached() async throws {
    let network = ClosureProvider { (city: String) in [city] }
    // snippet: provider-cached
    let users = network.cached(freshFor: .seconds(60), staleFor: .seconds(600))

    let londoners = try await users.load("London", reporting: LoadEvents())
    users.invalidate("London")
    users.invalidate { $0.hasPrefix("L") }
    // end
    #expect(londoners == ["London"])
  }

  @Test("A provider that fails is tried again")
  func retry() async throws {
    let failures = Recorder<Int>()
    let network = ClosureProvider { (city: String) in
      failures.record(1)
      if failures.count < 3 { throw Failure.broken }
      return city
    }
    let time = ManualTime()
    let task = Task {
      // snippet: provider-retry
      let patient = network.retrying(RetryPolicy(maximumAttempts: 5), time: time.source)
      // end
      return try await patient.load("London", reporting: LoadEvents())
    }
    for attempt in 1...2 {
      await failures.elements(atLeast: attempt)
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(30))
    }
    #expect(try await task.value == "London")
  }

  // snippet: provider-conformance
  @Test func directoryKeepsItsPromises() async throws {
    try await ProviderConformance(parameters: "London", expected: ["Ada"]) {
      Directory(names: ["London": ["Ada"]])
    }
    .check()
  }
  // end
}
