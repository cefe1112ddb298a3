import Fieldstone
import Harness

/// So many pages of 50 items that are appended while somebody holds the items as they were last.
func pages(_ count: Int) -> Group {
  Group("pages-\(count)", floor: "items += page, nobody holds them") {
    Case("items += page, nobody holds them", operations: pageTotal, runs: 1) {
      PageStack(count)
    } _: { stack in
      for pages in stack.lists {
        var items: [ListEntry] = []
        for page in pages { items += page.items }
        blackHole(items)
      }
    }
    listCase("fieldstone PaginatedList", pages: count, goals: [.atMost(60)])
    // The same list while it is short: a page costs what it cost then.
    if count > 100 {
      listCase("fieldstone PaginatedList, 100 pages", pages: 100, goals: [])
      listCase(
        "fieldstone PaginatedList, again", pages: count,
        goals: [.atMostTimes(1.3, of: "fieldstone PaginatedList, 100 pages")])
    }
    Case("array and set of ids, the last snapshot held", operations: pageTotal, runs: 1) {
      PageStack(count)
    } _: { stack in
      for pages in stack.lists {
        var items: [ListEntry] = []
        var ids: Set<Int> = []
        var snapshot = items
        for page in pages {
          items += page.items.filter { ids.insert($0.id).inserted }
          snapshot = items
        }
        blackHole(snapshot)
      }
    }
  }
}

private func listCase(_ name: String, pages count: Int, goals: [Goal]) -> Case {
  .onMainActor(name, operations: pageTotal, runs: 1, goals: goals) {
    let stack = PageStack(count)
    return (stack, stack.lists.map { _ in emptyList() })
  } _: { (state: inout (stack: PageStack, lists: [PaginatedList<ListEntry, Int>])) in
    for (list, pages) in zip(state.lists, state.stack.lists) {
      var snapshot = ListItems<ListEntry>([])
      for page in pages {
        try list.receive(page)
        snapshot = list.items
      }
      blackHole(snapshot)
    }
  }
}

@MainActor
private func emptyList() -> PaginatedList<ListEntry, Int> {
  PaginatedList(provider: .value(ItemPage<ListEntry, Int>([])))
}

/// How many pages a sample appends: to one long list or to many short ones, so that both read as
/// much from memory.
private let pageTotal = 4_000

/// The pages of so many lists, loaded before anything is timed.
private struct PageStack {
  let lists: [[ItemPage<ListEntry, Int>]]

  init(_ count: Int) {
    let size = 50
    lists = (0..<pageTotal / count).map { list in
      (0..<count).map { page in
        let first = (list * count + page) * size
        return ItemPage(
          (first..<first + size).map { ListEntry(id: $0, stamp: page) }, next: page + 1)
      }
    }
  }
}

private struct ListEntry: Identifiable, Sendable {
  var id: Int
  var stamp: Int
}
