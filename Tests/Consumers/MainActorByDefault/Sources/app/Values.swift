import Fieldstone
import Foundation

// What travels between the app's actor and others says that it belongs to none.

// snippet: main-actor-values
nonisolated struct Bookmark: Identifiable, Codable {
  let id: Int
  var title: String
}

nonisolated final class LoadBookmark: StatefulOperation<Bookmark>, @unchecked Sendable {
  override func run() throws -> Bookmark { Bookmark(id: 1, title: "Ada") }
}
// end

/// A form as an app declares it, without a word about isolation.
final class BookmarkForm {
  let title = Field<String>("Title").require(.notBlank)
  private(set) lazy var form = FormModel { FormSection("Bookmark") { title } }
    .map(\Bookmark.title, to: title)
}

/// Takes a value through an operation, a list, a form and a file.
enum Values {
  static func travel() async throws -> Bookmark {
    let operation = LoadBookmark()
    OperationQueue().addOperation(operation)
    let loaded = try await operation.value
    let list = PaginatedList(
      provider: ClosureProvider { (_: PageRequest<Int>) in ItemPage([loaded], next: nil) })
    _ = await list.reload(.firstPage).outcome

    let view = BookmarkForm()
    for bookmark in list.items { try view.form.fill(from: bookmark) }
    view.form["Title"]?.text = "Alan"
    var bookmark = loaded
    try view.form.apply(to: &bookmark)

    let store = FileStore<Bookmark>(at: URL(filePath: "bookmark.json"))
    try await store.save(bookmark)
    return try await store.value(default: loaded)
  }
}
