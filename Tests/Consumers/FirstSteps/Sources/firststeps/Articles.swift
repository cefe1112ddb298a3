// snippet: first-pages
import Fieldstone

struct Article: Identifiable {
  let id: Int
  let title: String
}

struct ArticlePages: DataProvider {
  @concurrent
  func load(
    _ request: PageRequest<Int>, reporting events: LoadEvents<ItemPage<Article, Int>>
  ) async throws -> ItemPage<Article, Int> {
    let first = request.cursor ?? 1  // nil is the first page
    let articles = (first..<first + 3).map { Article(id: $0, title: "Article \($0)") }
    return ItemPage(articles, next: first < 7 ? first + 3 : nil)  // nil is the end
  }
}
// end
