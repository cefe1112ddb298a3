import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// snippet: tutorial-model
struct FoundUsers: DataModel, Decodable {
  let items: [FoundUser]
}

struct FoundUser: Decodable, Sendable {
  let userName: String
  let homeURL: URL?

  enum CodingKeys: String, CodingKey {
    case userName = "login"
    case homeURL = "html_url"
  }
}
// end

// snippet: tutorial-provider
func userSearch(at address: URL) -> some DataProvider<String, Data> {
  URLProvider { (name: String) in
    let query = [URLQueryItem(name: "q", value: name)]
    return URLRequest(url: address.appending(path: "search/users").appending(queryItems: query))
  }
  .map { $0.body }
}
// end

// snippet: tutorial-screen
@MainActor
final class UsersScreen {
  private(set) var rows: [FoundUser] = []
  private(set) var banner: String?
  private(set) var isSpinning = false

  private let users: Integrator<String, FoundUsers>

  init(address: URL) {
    users = Integrator(provider: userSearch(at: address), model: FoundUsers.self)
  }

  @discardableResult
  func show(_ name: String) -> Call<FoundUsers> {
    users.call(name)
      .onBeginning(owner: self) { $0.isSpinning = true }
      .onSuccess(owner: self) { $0.rows = $1.items }
      .onError(owner: self) { $0.banner = $1.localizedDescription }
      .onCompletion(owner: self) { screen, _ in screen.isSpinning = false }
      .start()
  }
}
// end

// snippet: tutorial-search
@MainActor
final class UserSearchScreen {
  let users: Integrator<String, FoundUsers>

  init(address: URL, time: TimeSource = .system) {
    users = Integrator(
      provider: userSearch(at: address), model: FoundUsers.self,
      policy: .latest(debounce: .milliseconds(300)), time: time)
  }

  func type(_ text: String) {
    users.call(text).start()
  }

  var rows: [FoundUser] { users.phase.value?.items ?? [] }
  var isSpinning: Bool { users.phase.isLoading }
  var banner: String? { users.phase.error?.localizedDescription }
}
// end

@Suite("The tutorial: users by name", .timeLimit(.minutes(20)))
@MainActor
struct TutorialTests {
  /// Answers as the server of the seed's example does.
  nonisolated private static func answer(_ request: WebServer.Request) -> WebReply {
    let name = request.path.split(separator: "=").last.map(String.init) ?? ""
    if name == "broken" { return WebReply(body: #"{"items": [{"name": 1}]}"#) }
    if name == "down" { return WebReply(status: 503, body: "later") }
    return WebReply(
      body: """
        {"items": [{"login": "\(name)", "html_url": "https://example.org/\(name)"},
          {"login": "\(name)pie"}]}
        """)
  }

  private let server: WebServer

  init() throws {
    server = try WebServer { Self.answer($0) }
  }

  private var address: URL { server.url() }

  @Test("A screen shows the users of a name")
  func screen() async {
    let screen = UsersScreen(address: address)
    let call = screen.show("apple")
    _ = await call.outcome
    await turnOfTheMainActor()
    #expect(screen.rows.map(\.userName) == ["apple", "applepie"])
    #expect(screen.rows.map(\.homeURL?.lastPathComponent) == ["apple", nil])
    #expect(!screen.isSpinning && screen.banner == nil)
    #expect(server.requests.map(\.path) == ["/search/users?q=apple"])
  }

  @Test(
    "Bad data and a server that is down are errors with a message", arguments: ["broken", "down"])
  func errors(name: String) async throws {
    let screen = UsersScreen(address: address)
    _ = await screen.show(name).outcome
    await turnOfTheMainActor()
    let banner = try #require(screen.banner)
    #expect(banner.contains(name == "down" ? "503" : "login"))
    #expect(screen.rows.isEmpty && !screen.isSpinning)
  }

  @Test("Search as you type asks once, and shows what was typed last")
  func search() async {
    let time = ManualTime()
    let screen = UserSearchScreen(address: address, time: time.source)
    for text in ["a", "ap", "app"] { screen.type(text) }
    #expect(screen.isSpinning)
    time.advance(by: .milliseconds(300))
    await shown(by: screen)
    #expect(screen.rows.map(\.userName) == ["app", "apppie"])
    #expect(server.requests.map(\.path) == ["/search/users?q=app"])
    screen.type("down")
    #expect(screen.rows.count == 2)
    time.advance(by: .milliseconds(300))
    await shown(by: screen)
    #expect(screen.banner?.contains("503") == true && screen.rows.count == 2)
  }

  /// Waits until nothing is loaded any more.
  private func shown(by screen: UserSearchScreen) async {
    let settled = Recorder<Bool>()
    screen.users.defaultHandlers = CallHandlers().onCompletion { outcome in
      if outcome.cancellation == nil { settled.record(true) }
    }
    if screen.isSpinning { await settled.elements(atLeast: 1) }
  }

  @Test("The same calls, awaited")
  func awaited() async throws {
    let users = Integrator(provider: userSearch(at: address), model: FoundUsers.self)
    // snippet: tutorial-await
    let apples = try await users("apple")
    let pears = try await users.call("pear").retry(RetryPolicy()).run()
    // end
    #expect(apples.items.first?.userName == "apple" && pears.items.first?.userName == "pear")
  }

  @Test("A favourite is shown before the server has it")
  func favourite() async throws {
    let users = Integrator(provider: userSearch(at: address), model: FoundUsers.self)
    _ = try await users("apple")
    let server = server
    // snippet: tutorial-change
    try await users.update {
      $0 = FoundUsers(items: $0.items.filter { $0.userName != "apple" })
    } while: {
      try await remove("apple", from: server.url("/users"))
    }
    // end
    #expect(users.phase.value?.items.map(\.userName) == ["applepie"])
  }

  private func remove(_ name: String, from address: URL) async throws {
    _ = try await URLProvider { (name: String) in URLRequest(url: address.appending(path: name)) }
      .load(name, reporting: LoadEvents())
  }

  @Test("Chains, recovery and handlers of a whole app")
  func more() async throws {
    let users = Integrator(provider: userSearch(at: address), model: FoundUsers.self)
    let log = Recorder<String>()
    let refreshToken: @Sendable () async throws -> Void = { log.record("refreshed") }
    // snippet: tutorial-recover
    let call = users.call("down")
      .recover { error in
        guard case URLProviderError.status = error else { return .fail }
        try await refreshToken()
        return .again
      }
      .ignoring(URLError.self)  // the app shows elsewhere that it is offline
      .next(on: .error) { _ in users.call("apple").delay(.milliseconds(1)) }
    // end
    let handlers = ErrorHandlers()
    let showLogin = { log.record("login") }
    // snippet: tutorial-errors
    let registration = handlers.add(for: URLProviderError.self, priority: 10) { error in
      guard case .status(let response, _) = error, response.status == 503 else { return .passedOn }
      showLogin()
      return .handled
    }
    // end
    _ = await call.start().outcome
    #expect(await log.elements(atLeast: 1) == ["refreshed"])
    let paths = await server.requests(atLeast: 3).map(\.path)
    #expect(paths.map { $0.suffix(5) } == ["=down", "=down", "apple"])
    let other = Integrator(
      provider: userSearch(at: address), model: FoundUsers.self, errorHandlers: handlers)
    _ = await other.call("down").start().outcome
    #expect(await log.elements(atLeast: 2) == ["refreshed", "login"])
    registration.cancel()
  }
}
