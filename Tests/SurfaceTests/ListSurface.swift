import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

/// A source as an app declares it: pages of two numbers, forwards and backwards.
private struct Numbers: DataProvider {
  struct Number: Identifiable, Sendable, Codable, Equatable {
    let id: Int
    var isMarked = false
  }

  @concurrent
  func load(
    _ request: PageRequest<Int>, reporting events: LoadEvents<ItemPage<Number, Int>>
  ) async throws -> ItemPage<Number, Int> {
    let first = request.cursor ?? 0
    if first == 6 { throw MessageError("There is no six.") }
    return ItemPage(
      [Number(id: first), Number(id: first + 1)],
      next: request.direction == .next ? first + 2 : nil,
      previous: first > -4 ? first - 2 : nil)
  }
}

@Suite("The surface of lists")
@MainActor
struct ListSurface {
  private let list = PaginatedList(
    provider: Numbers(), pageLimit: 10, skipLimit: 2, prefetchDistance: 1)

  @Test("A list is loaded at both edges, fails, and is retried")
  func loading() async throws {
    let call: ListCall = list.loadMore()
    let report: PageReport = try await call.value
    #expect(report == PageReport(pageCount: 1, addedCount: 2, duplicateCount: 0))
    #expect(call.currentOutcome?.value == report && list.hasMore && list.hasPrevious)
    _ = await list.loadPrevious().outcome
    for _ in 0..<2 { _ = try await list.loadMore().value }
    #expect(await list.loadMore().outcome.error is MessageError)
    switch list.appendState {
    case .failed(let error): #expect(error.localizedDescription == "There is no six.")
    case .idle, .loading, .end: Issue.record("\(list.appendState)")
    }
    #expect(list.appendState.error != nil && !list.appendState.isLoading)
    #expect(list.items.map(\.id) == Array(-2...5) && list.prependState.error == nil)
    let retried = list.retry()
    #expect(retried.count == 1)
    retried[0].cancel()
    list.itemAppeared(-2)
    list.itemDisappeared(-2)
    #expect(list.prependState.isLoading)
  }

  @Test("A list is reloaded in each mode", arguments: ReloadMode.allCases)
  func reloading(mode: ReloadMode) async throws {
    _ = try await list.loadMore().value
    _ = try await list.loadMore().value
    let call = list.reload(mode)
    switch list.refreshState {
    case .loading(let running): #expect(running == mode)
    case .idle, .failed: Issue.record("\(list.refreshState)")
    }
    #expect(list.refreshState.isLoading && list.refreshState.error == nil)
    _ = try await call.value
    #expect(list.items.count == (mode == .allLoaded ? 4 : 2))
  }

  @Test("A list is edited, receives what is pushed, and goes into a file and back")
  func editing() async throws {
    _ = try await list.loadMore().value
    list.update(0) { $0.isMarked = true }
    let places: [ItemPlace<Int>] = [.start, .end, .before(0), .after(1)]
    for (number, place) in places.enumerated() {
      #expect(list.insert(Numbers.Number(id: 100 + number), at: place))
    }
    #expect(list.remove(1) && list.item(0)?.isMarked == true && list.item(1) == nil)
    #expect(list.items.map(\.id) == [100, 102, 0, 103, 101] && list.duplicateCount == 0)
    try list.receive(ItemPage([Numbers.Number(id: 2)], next: 4), at: .next)
    #expect(throws: PaginatedListError.cursorLoop(cursor: "4")) {
      try list.receive(ItemPage([Numbers.Number(id: 3)], next: 4))
    }

    let stored = try JSONEncoder().encode(list.snapshot)
    let other = PaginatedList(provider: Numbers())
    let snapshot = try JSONDecoder().decode(
      PaginatedListSnapshot<Numbers.Number, Int>.self, from: stored)
    other.restore(snapshot)
    #expect(other.items == list.items && snapshot.items.count == 6)
    let page = PaginatedListSnapshot<Numbers.Number, Int>.Page([Numbers.Number(id: 7)])
    other.restore(PaginatedListSnapshot(pages: [page], next: [], previous: [], removed: []))
    #expect(other.items.last?.id == 7 && !other.hasMore)
  }

  @Test("Items are a collection of their own, which is kept and made by hand")
  func items() async throws {
    _ = try await list.loadMore().value
    let kept: ListItems<Numbers.Number> = list.items
    list.remove(0)
    #expect(kept.map(\.id) == [0, 1] && list.items[0].id == 1 && kept.count == 2)
    #expect(ListItems([1, 2]) == ListItems([1, 2]))
    #expect("\(ListItems([1, 2]))" == "[1, 2]")
  }

  @Test("A source that counts is told how far the list has come")
  func offsets() async throws {
    let source = ClosureProvider { (request: OffsetRequest) in
      OffsetPage(
        (request.offset..<request.offset + request.limit).map { Numbers.Number(id: $0) }, total: 5)
    }
    let list = PaginatedList(offsetProvider: source, pageSize: 2, start: 2)
    _ = try await list.loadMore().value
    _ = try await list.loadPrevious().value
    #expect(list.items.map(\.id) == [0, 1, 2, 3] && list.hasMore && !list.hasPrevious)
    #expect(PageDirection.allCases == [.next, .previous])
  }
}
