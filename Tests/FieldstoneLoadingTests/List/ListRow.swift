import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// An item of these tests.
struct ListRow: Identifiable, Hashable, Sendable, Codable {
  var id: Int
  var text = ""
}

/// A list whose pages are answered by hand.
@MainActor
struct HandList {
  typealias Pages = HandProvider<PageRequest<Int>, ItemPage<ListRow, Int>>

  let pages: Pages
  let list: PaginatedList<ListRow, Int>

  init(
    heedsCancellation: Bool = true, pageLimit: Int? = nil, skipLimit: Int = 5,
    prefetchDistance: Int = 0, beginsWithReload: Bool = false
  ) {
    pages = Pages(heedsCancellation: heedsCancellation)
    list = PaginatedList(
      provider: pages, pageLimit: pageLimit, skipLimit: skipLimit,
      prefetchDistance: prefetchDistance, beginsWithReload: beginsWithReload)
  }

  var ids: [Int] { list.items.map(\.id) }

  /// Makes the call and answers its load, the one with a number, with a page.
  @discardableResult
  func answer(
    _ number: Int, of call: ListCall, _ ids: [Int], next: Int? = nil, previous: Int? = nil,
    text: String = ""
  ) async -> Outcome<PageReport> {
    await pages.load(number).succeed(page(ids, next: next, previous: previous, text: text))
    return await call.outcome
  }
}

func page(
  _ ids: [Int], next: Int? = nil, previous: Int? = nil, text: String = ""
) -> ItemPage<ListRow, Int> {
  ItemPage(ids.map { ListRow(id: $0, text: text) }, next: next, previous: previous)
}

extension PageReport {
  /// Added, duplicates, pages.
  var figures: [Int] { [addedCount, duplicateCount, pageCount] }
}

extension ListEdgeState {
  /// The state as text, to compare with.
  var text: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed(let error as Trouble): "failed \(error.number)"
    case .failed(let error): "failed \(error)"
    case .end: "end"
    }
  }
}

extension ListRefreshState {
  /// The state as text, to compare with.
  var text: String {
    switch self {
    case .idle: "idle"
    case .loading(let mode): "loading \(mode)"
    case .failed(let error as Trouble, let mode): "failed \(error.number) \(mode)"
    case .failed(let error, let mode): "failed \(error) \(mode)"
    }
  }
}
