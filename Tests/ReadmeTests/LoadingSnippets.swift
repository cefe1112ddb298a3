import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// snippet: loading
struct FoundUsers: DataModel, Decodable {  // made from JSON, off the main actor
  let items: [FoundUser]
}

struct FoundUser: Decodable, Sendable {
  let login: String
}

func userSearch(at address: URL) -> some DataProvider<String, Data> {
  URLProvider { (name: String) in
    URLRequest(url: address.appending(queryItems: [URLQueryItem(name: "q", value: name)]))
  }
  .map { $0.body }
}
// end

// snippet: loading-pages
struct ArticlePages: DataProvider {
  @concurrent
  func load(
    _ request: PageRequest<Int>, reporting events: LoadEvents<ItemPage<Article, Int>>
  ) async throws -> ItemPage<Article, Int> {
    let answer = try await server.articles(after: request.cursor)
    return ItemPage(answer.articles, next: answer.last)
  }
}
// end

struct Article: Identifiable, Sendable {
  let id: Int
  var isRead = false
}

/// A server that can be disconnected.
private final class ArticleServer: Sendable {
  private let isUnplugged = Locked(false)

  func unplug(_ isUnplugged: Bool = true) { self.isUnplugged.withLock { $0 = isUnplugged } }

  func articles(after last: Int?) async throws -> (articles: [Article], last: Int?) {
    if isUnplugged.withLock({ $0 }) { throw MessageError("No network.") }
    let first = (last ?? 0) + 1
    return ((first..<first + 3).map { Article(id: $0) }, first < 4 ? first + 2 : nil)
  }
}

private let server = ArticleServer()

@MainActor private final class ResultsScreen {
  var log: [String] = []
  func spin(_ isSpinning: Bool) { log.append(isSpinning ? "spins" : "stands") }
  func show(_ users: [FoundUser]) { log.append(users.map(\.login).joined(separator: " ")) }
  func show(_ error: any Error) { log.append(error.localizedDescription) }
}

@Suite("README: loading", .serialized)
@MainActor
struct LoadingSnippets {
  private let search = ClosureProvider { (name: String) in
    Data(#"{"items": [{"login": "\#(name)"}]}"#.utf8)
  }

  @Test("Calls")
  func calls() async throws {
    let (search, screen) = (search, ResultsScreen())
    // snippet: loading-calls
    let users = Integrator(provider: search, model: FoundUsers.self, policy: .latest)
    let first = users.call("a")
      .retry(RetryPolicy(maximumAttempts: 3))
      .onBeginning { screen.spin(true) }
      .onSuccess { screen.show($0.items) }
      .onError { screen.show($0) }
      .onCompletion { _ in screen.spin(false) }
      .start()
    let ada = try await users("ada")  // the same, awaited; it supersedes the first at once
    switch await first.outcome {
    case .success, .failure: break
    case .cancelled(let reason): print(reason)  // superseded
    }
    // users.phase is .loaded(ada), for a view that follows it
    // end
    #expect(await first.outcome.value == nil && first.currentOutcome?.error == nil)
    #expect(ada.items.map(\.login) == ["ada"] && users.phase.value?.items.count == 1)
    #expect(screen.log.last == "stands" && !screen.log.contains("a"))
    _ = userSearch(at: URL(filePath: "/"))
  }

  @Test("Providers")
  func providers() async throws {
    let search = search
    let badges = ClosureProvider { (name: String) in "Countess \(name)" }
    // snippet: loading-combined
    let cached =
      search
      .retrying(RetryPolicy(maximumAttempts: 3))
      .cached(freshFor: .seconds(60), staleFor: .seconds(600))  // stale first, then fresh
    let profile = GroupProvider(cached, badges)  // at once; the first failure cancels the other
      .convertingParameters { (name: String) in (name, name) }
    let (data, badge) = try await profile.load("ada", reporting: LoadEvents())
    // end
    #expect(badge == "Countess ada" && !data.isEmpty)
  }

  @Test("Lists")
  func lists() async throws {
    // snippet: loading-lists
    let articles = PaginatedList(provider: ArticlePages())
    _ = await articles.reload(.firstPage).outcome
    articles.itemAppeared(3)  // the last row is in sight: the next page is loaded, once
    _ = await articles.loadMore().outcome  // joins it
    articles.update(2) { $0.isRead = true }  // stays, whatever older page still comes

    server.unplug()
    let refresh = await articles.reload(.allLoaded).outcome  // fails; six articles are still there
    server.unplug(false)
    for call in articles.retry() { _ = await call.outcome }  // touches what has failed only
    // end
    #expect(refresh.error is MessageError)
    #expect(articles.items.map(\.id) == [1, 2, 3, 4, 5, 6] && !articles.hasMore)
    #expect(articles.refreshState.error == nil)
  }
}
