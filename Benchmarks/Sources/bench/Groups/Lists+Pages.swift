import Fieldstone
import Harness

/// So many pages of 50 items that are appended while somebody holds the items as they were last.
func pages(_ count: Int) -> Group {
  Group("pages-\(count)", floor: "items += page, nobody holds them") {
    Case("items += page, nobody holds them", operations: count, runs: 1) {
      PageStack(count)
    } _: { stack in
      var items: [ListEntry] = []
      for page in stack.pages { items += page }
      blackHole(items)
    }
    listCase("fieldstone PaginatedList", pages: count, goals: [.atMost(60)])
    // The same list while it is short: a page costs what it cost then.
    if count > 100 {
      listCase("fieldstone PaginatedList, 100 pages", pages: 100, goals: [])
      listCase(
        "fieldstone PaginatedList, again", pages: count,
        goals: [.atMostTimes(1.3, of: "fieldstone PaginatedList, 100 pages")])
    }
    Case("array and set of ids, the last snapshot held", operations: count, runs: 1) {
      PageStack(count)
    } _: { stack in
      var items: [ListEntry] = []
      var ids: Set<Int> = []
      var snapshot = items
      for page in stack.pages {
        items += page.filter { ids.insert($0.id).inserted }
        snapshot = items
      }
      blackHole(snapshot)
    }
  }
}

private func listCase(_ name: String, pages count: Int, goals: [Goal]) -> Case {
  // Short lists are built several times a sample, so that each sample is long enough.
  let rounds = max(1, 1_000 / count)
  return .onMainActor(name, operations: count * rounds, runs: 1, goals: goals) {
    (stack: PageStack(count), lists: (0..<rounds).map { _ in emptyList() })
  } _: { state in
    var snapshot = ListItems<ListEntry>()
    for list in state.lists {
      for page in state.stack.pagesWithCursors {
        try list.receive(page)
        snapshot = list.items
      }
    }
    blackHole(snapshot)
  }
}

@MainActor
private func emptyList() -> PaginatedList<ListEntry, Int> {
  PaginatedList(provider: .value(ItemPage<ListEntry, Int>([])))
}

/// Pages that were loaded before anything is timed.
private struct PageStack {
  let pages: [[ListEntry]]
  let pagesWithCursors: [ItemPage<ListEntry, Int>]

  init(_ count: Int) {
    let size = 50
    let pages = (0..<count).map { page in
      (0..<size).map { ListEntry(id: page * size + $0, stamp: page) }
    }
    self.pages = pages
    pagesWithCursors = pages.indices.map { ItemPage(pages[$0], next: $0 + 1) }
  }
}

private struct ListEntry: Identifiable, Sendable {
  var id: Int
  var stamp: Int
}
