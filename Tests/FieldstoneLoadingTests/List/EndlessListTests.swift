import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

// snippet: endless-provider
struct Article: Identifiable, Sendable, Codable {
  let id: Int
  var title: String
  var isRead = false
}

/// What a server answers: some articles, and where to go on.
struct ArticlePages: DataProvider {
  let fetch: @Sendable (_ after: String?) async throws -> (articles: [Article], after: String?)

  @concurrent
  func load(
    _ request: PageRequest<String>, reporting events: LoadEvents<ItemPage<Article, String>>
  ) async throws -> ItemPage<Article, String> {
    let answer = try await fetch(request.cursor)
    return ItemPage(answer.articles, next: answer.after)
  }
}
// end

// snippet: endless-footer
/// What stands below the last row.
enum Footer: Equatable {
  case nothing
  case spinner
  case retryButton(String)
  case end

  init(_ state: ListEdgeState) {
    switch state {
    case .idle: self = .nothing
    case .loading: self = .spinner
    case .failed(let error): self = .retryButton("\(error.localizedDescription)")
    case .end: self = .end
    }
  }
}
// end

@Suite("The tutorial of an endless list")
@MainActor
struct EndlessListTests {
  typealias Answer = (articles: [Article], after: String?)

  @Test("An endless list whose second page fails, and comes with a retry")
  func tutorial() async throws {
    let server = HandProvider<String?, Answer>()
    let fetch: @Sendable (String?) async throws -> Answer = { cursor in
      try await server.load(cursor, reporting: LoadEvents())
    }
    func answer(_ number: Int, _ ids: ClosedRange<Int>, after: String?) async {
      let articles = ids.map { Article(id: $0, title: "Article \($0)") }
      await server.load(number).succeed((articles, after))
    }

    // snippet: endless-list
    let articles = PaginatedList(provider: ArticlePages(fetch: fetch), prefetchDistance: 2)
    let first = articles.reload(.firstPage)
    // end
    await answer(0, 1...5, after: "5")
    _ = await first.outcome
    #expect(articles.items.map(\.id) == [1, 2, 3, 4, 5])

    let row = try #require(articles.items.last)
    // snippet: endless-row
    articles.itemAppeared(row.id)  // where a row comes into sight
    articles.itemDisappeared(row.id)  // and where it goes out of it
    // end
    #expect(Footer(articles.appendState) == .spinner)

    await server.load(1).fail(MessageError("No network."))
    _ = await articles.loadMore().outcome
    #expect(Footer(articles.appendState) == .retryButton("No network."))
    #expect(articles.items.count == 5 && articles.hasMore)

    // snippet: endless-retry
    let retried = articles.retry()  // from the button, or when the network is back
    // end
    #expect(await server.load(2).parameters == "5")
    await answer(2, 5...8, after: nil)
    _ = await retried.first?.outcome
    #expect(articles.items.map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(Footer(articles.appendState) == .end)

    async let refused: Void = server.load(3).fail(MessageError("No network."))
    // snippet: endless-refresh
    let refresh = articles.reload(.firstPage)  // pulling to refresh
    switch await refresh.outcome {
    case .success(let report): _ = "\(report.addedCount) articles"
    case .failure: break  // the old ones are still there, and articles.refreshState says why
    case .cancelled: break  // something else came first
    }
    // end
    await refused
    #expect(articles.refreshState.error != nil && articles.items.count == 8)

    // snippet: endless-edit
    articles.update(3) { $0.isRead = true }
    articles.remove(4)
    articles.insert(Article(id: 100, title: "Mine"), at: .start)
    // end
    #expect(articles.items.map(\.id) == [100, 1, 2, 3, 5, 6, 7, 8])

    // snippet: endless-store
    let stored = articles.snapshot  // Codable, where articles are
    articles.restore(stored)
    // end
    #expect(articles.items.count == 8)
  }
}
