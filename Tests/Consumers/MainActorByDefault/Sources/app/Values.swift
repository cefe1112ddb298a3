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

/// Enums as an app declares them, without a word about isolation.
enum Shelf: String, CaseIterable, DefaultTransformable { case work, home }
enum Rank: Int, DefaultTransformable { case low = 1, high }

/// A struct that is a field's value belongs to no actor, and neither does its transformer.
nonisolated struct Tag: DefaultTransformable, Equatable {
  let name: String

  static var defaultTransformer: FieldTransformer<Tag> {
    .custom(
      name: "tag",
      import: { json in
        guard case .string(let name) = json else {
          throw FieldIssue.malformed(expected: "tag", found: json)
        }
        return Tag(name: name)
      },
      export: { .string($0.name) })
  }
}

/// A form as an app declares it, without a word about isolation.
final class BookmarkForm {
  let title = Field<String>("Title").require(.notBlank)
  let shelf = Field<Shelf>("Shelf")
  let rank = Field<Rank>("Rank")
  let tag = Field<Tag>("Tag")
  private(set) lazy var form = FormModel {
    FormSection("Bookmark") {
      title; shelf
      rank; tag
    }
  }
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
    view.form["Shelf"]?.text = "home"
    view.form["Rank"]?.text = "2"
    view.form["Tag"]?.text = "new"
    App.expect(view.form.refusals.isEmpty, "a field of a type of the app's was refused")
    App.expect(
      view.shelf.value == .home && view.rank.value == .high && view.tag.value?.name == "new",
      "an enum of the app's was not read")
    var bookmark = loaded
    try view.form.apply(to: &bookmark)

    let store = FileStore<Bookmark>(at: URL(filePath: "bookmark.json"))
    try await store.save(bookmark)
    return try await store.value(default: loaded)
  }
}
