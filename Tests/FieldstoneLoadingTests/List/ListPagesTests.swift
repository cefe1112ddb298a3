import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("The pages of a list")
@MainActor
struct ListPagesTests {
  @Test("An item that comes again keeps its first position, takes the newest value and is counted")
  func duplicates() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 2], next: 1, text: "a")
    let outcome = await hand.answer(
      1, of: hand.list.loadMore(), [2, 3, 1, 4], next: 2, text: "b")
    #expect(outcome.value?.figures == [2, 2, 1])
    #expect(hand.ids == [1, 2, 3, 4])
    #expect(hand.list.items.map(\.text) == ["b", "b", "b", "b"])
    #expect(hand.list.duplicateCount == 3)
    await hand.answer(2, of: hand.list.reload(.firstPage), [1])
    #expect(hand.list.duplicateCount == 0)
  }

  @Test("What a page's provider reports on its way is not heard: a page comes whole, and once")
  func earlyPages() async {
    let hand = HandList()
    let more = hand.list.loadMore()
    let load = await hand.pages.load(0)
    load.events.progress(.fraction(0.5))
    load.events.early(page([1, 2], next: 7))
    #expect(hand.ids.isEmpty && hand.list.appendState.isLoading)
    await hand.answer(0, of: more, [3], next: 1)
    #expect(hand.ids == [3])
    hand.list.loadMore()
    #expect(await hand.pages.load(1).parameters.cursor == 1)
  }

  @Test("An empty or all-duplicate page with a cursor goes on to the next")
  func skips() async {
    let hand = HandList()
    let more = hand.list.loadMore()
    await hand.pages.load(0).succeed(page([], next: 1))
    await hand.answer(1, of: more, [1], next: 2)
    #expect(more.currentOutcome?.value?.figures == [1, 0, 2])
    let next = hand.list.loadMore()
    await hand.pages.load(2).succeed(page([1], next: 3))
    await hand.pages.load(3).succeed(page([], next: 4))
    await hand.answer(4, of: next, [2])
    #expect(next.currentOutcome?.value?.figures == [1, 1, 3])
    #expect(hand.ids == [1, 2])
  }

  @Test("Only so many times, then it ends with nothing added and can be gone on with")
  func skipLimit() async {
    let hand = HandList(skipLimit: 2)
    let more = hand.list.loadMore()
    for number in 0..<3 { await hand.pages.load(number).succeed(page([], next: number + 1)) }
    #expect(await more.outcome.value?.figures == [0, 0, 3])
    #expect(hand.list.appendState.text == "idle")
    await hand.answer(3, of: hand.list.loadMore(), [1])
    #expect(hand.ids == [1])

    let reload = hand.list.reload(.firstPage)
    for number in 4..<7 { await hand.pages.load(number).succeed(page([], next: number)) }
    #expect(await reload.outcome.value?.figures == [0, 0, 3])
    #expect(hand.ids.isEmpty && hand.list.hasMore)
  }

  @Test("A page in between that fails leaves the cursor that leads to it")
  func skipFails() async {
    let hand = HandList()
    let more = hand.list.loadMore()
    await hand.pages.load(0).succeed(page([], next: 1))
    await hand.pages.load(1).fail(Trouble())
    _ = await more.outcome
    hand.list.retry()
    #expect(await hand.pages.load(2).parameters.cursor == 1)
  }

  @Test("A repeated cursor is an error that names the remedy, at an edge and in a reload")
  func cursorLoop() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    await hand.answer(1, of: hand.list.loadMore(), [2], next: 2)
    let outcome = await hand.answer(2, of: hand.list.loadMore(), [3], next: 1)
    let error = outcome.error as? PaginatedListError
    #expect(error == .cursorLoop(cursor: "1"))
    #expect(error?.message.contains("give nil after the last page") == true)
    #expect(hand.ids == [1, 2] && hand.list.hasMore)
    let retried = hand.list.retry()
    #expect(await hand.pages.load(3).parameters.cursor == 2)
    await hand.answer(3, of: retried[0], [3])
    #expect(hand.ids == [1, 2, 3])

    let reload = hand.list.reload(.allLoaded)
    await hand.pages.load(4).succeed(page([1], next: 1))
    await hand.answer(5, of: reload, [2], next: 1)
    #expect(reload.currentOutcome?.error is PaginatedListError)
    #expect(hand.ids == [1, 2, 3] && hand.list.appendState.text == "end")
  }

  @Test("A window drops pages at the other edge, which can be loaded again")
  func window() async {
    let hand = HandList(pageLimit: 2)
    await hand.answer(0, of: hand.list.loadMore(), [0, 1], next: 1)
    await hand.answer(1, of: hand.list.loadMore(), [2, 3], next: 2)
    #expect(!hand.list.hasPrevious)
    await hand.answer(2, of: hand.list.loadMore(), [4, 5], next: 3)
    await hand.answer(3, of: hand.list.loadMore(), [6, 7])
    #expect(hand.ids == [4, 5, 6, 7] && hand.list.hasPrevious && !hand.list.hasMore)

    await hand.answer(4, of: hand.list.loadPrevious(), [2, 3], next: 2)
    #expect(await hand.pages.load(4).parameters == PageRequest(cursor: 1))
    #expect(hand.ids == [2, 3, 4, 5] && hand.list.hasMore && hand.list.hasPrevious)
    await hand.answer(5, of: hand.list.loadPrevious(), [0, 1], next: 1)
    #expect(hand.ids == [0, 1, 2, 3] && !hand.list.hasPrevious)
    await hand.answer(6, of: hand.list.loadMore(), [4, 5], next: 3)
    await hand.answer(7, of: hand.list.loadMore(), [6, 7])
    #expect(hand.ids == [4, 5, 6, 7] && !hand.list.hasMore)
  }

  @Test("A window goes back and forth over pages that say differently where they lead")
  func windowBackAndForth() async {
    let hand = HandList(pageLimit: 1)
    await hand.answer(0, of: hand.list.loadMore(), [0], next: 1, previous: -1)
    await hand.answer(1, of: hand.list.loadPrevious(), [-1], next: 0, previous: -2)
    await hand.answer(2, of: hand.list.loadPrevious(), [-2], next: -1, previous: -3)
    // Loaded forwards, a page may not say what is before it.
    await hand.answer(3, of: hand.list.loadMore(), [-1], next: 0)
    await hand.answer(4, of: hand.list.loadMore(), [0], next: 1, previous: -1)
    await hand.answer(5, of: hand.list.loadPrevious(), [-1], next: 0, previous: -2)
    await hand.answer(6, of: hand.list.loadPrevious(), [-2], next: -1)
    #expect(hand.ids == [-2] && hand.list.prependState.text == "end" && hand.list.hasMore)
  }

  @Test("A page for a place that the window has left is superseded")
  func windowSupersedes() async {
    let hand = HandList(pageLimit: 1)
    await hand.answer(0, of: hand.list.loadMore(), [5], next: 1, previous: -1)
    let previous = hand.list.loadPrevious()
    _ = await hand.pages.load(1)
    await hand.answer(2, of: hand.list.loadMore(), [6], next: 2, previous: 0)
    #expect(previous.currentOutcome?.text == "cancelled superseded")
    #expect(hand.ids == [6])
    hand.list.loadPrevious()
    #expect(await hand.pages.load(3).parameters == PageRequest(.previous, cursor: 0))
  }

  @Test("A window drops pages of 20,000 items, each in time that grows with the page")
  func windowOfLargePages() throws {
    let hand = HandList(pageLimit: 1)
    for number in 0..<3 {
      let ids = Array(number * 20_000..<(number + 1) * 20_000)
      try hand.list.receive(page(ids, next: number + 1))
    }
    #expect(hand.list.items.count == 20_000 && hand.list.item(0) == nil)
    #expect(hand.list.item(40_000) != nil)
  }

  @Test("50,000 items that are all in the list already are found in one pass over their page")
  func samePageAgain() throws {
    let hand = HandList()
    let ids = Array(0..<50_000)
    try hand.list.receive(page(ids, next: 1))
    let report = try hand.list.receive(page(ids.reversed() + [50_000], next: 2))
    #expect(report.duplicateCount == 50_000 && report.addedCount == 1)
    #expect(hand.list.items.count == 50_001 && hand.list.items.last?.id == 50_000)
  }

  @Test("A window is reloaded where it stands")
  func windowReload() async {
    let hand = HandList(pageLimit: 2)
    for number in 0..<4 {
      await hand.answer(number, of: hand.list.loadMore(), [number], next: number + 1)
    }
    let reload = hand.list.reload(.allLoaded)
    #expect(await hand.pages.load(4).parameters.cursor == 2)
    await hand.pages.load(4).succeed(page([2], next: 13))
    await hand.answer(5, of: reload, [3], next: 14)
    #expect(hand.ids == [2, 3] && hand.list.hasPrevious)
    let again = hand.list.reload(.allLoaded)
    #expect(await hand.pages.load(6).parameters.cursor == 2)
    await hand.pages.load(6).succeed(page([2], next: 13))
    await hand.answer(7, of: again, [3], next: 14)
    #expect(hand.ids == [2, 3])
    hand.list.loadPrevious()
    #expect(await hand.pages.load(8).parameters.cursor == 1)
  }

  @Test("A window of pages that were all prepended is stored, and reloaded where it stands")
  func windowOfPrepended() async {
    let hand = HandList(pageLimit: 1)
    await hand.answer(0, of: hand.list.loadMore(), [0], next: 1, previous: -1)
    await hand.answer(1, of: hand.list.loadPrevious(), [-1], previous: -2)
    let other = HandList(pageLimit: 1)
    other.list.restore(hand.list.snapshot)
    let reload = other.list.reload(.allLoaded)
    #expect(await other.pages.load(0).parameters == PageRequest(.previous, cursor: -1))
    await other.answer(0, of: reload, [-1], previous: -2)
    #expect(other.ids == [-1] && other.list.hasMore && other.list.hasPrevious)
  }
}

@Suite("Editing a list")
@MainActor
struct ListEditTests {
  @Test("Updates, inserts and removes by id survive later pages")
  func survive() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3], next: 1)
    #expect(hand.list.update(1) { $0.text = "mine" })
    #expect(hand.list.remove(2))
    #expect(hand.list.insert(ListRow(id: 9), at: .end))
    await hand.answer(1, of: hand.list.loadMore(), [2, 9, 4], next: 2, text: "page")
    #expect(hand.ids == [1, 3, 9, 4])
    #expect(hand.list.item(1)?.text == "mine" && hand.list.item(9)?.text == "page")
    #expect(hand.list.insert(ListRow(id: 2), at: .before(3)))
    #expect(hand.ids == [1, 2, 3, 9, 4])
  }

  @Test(
    "A page that was asked for before an update does not overwrite it, one asked for later does")
  func olderPage() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    let more = hand.list.loadMore()
    hand.list.update(1) { $0.text = "mine" }
    await hand.answer(1, of: more, [1, 2], next: 2, text: "older")
    #expect(hand.list.items.map(\.text) == ["mine", "older"])
    await hand.answer(2, of: hand.list.loadMore(), [1, 3], text: "newer")
    #expect(hand.list.items.map(\.text) == ["newer", "older", "newer"])
  }

  @Test("What is not there is not edited, and an id stays what it is")
  func unknown() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1])
    #expect(!hand.list.update(2) { $0.text = "?" })
    #expect(!hand.list.update(1) { $0.id = 5 })
    #expect(!hand.list.remove(2))
    #expect(!hand.list.insert(ListRow(id: 3), at: .after(2)))
    #expect(hand.list.insert(ListRow(id: 1, text: "again"), at: .end))
    #expect(hand.ids == [1] && hand.list.item(1)?.text == "again")
    #expect(hand.list.item(2) == nil)
  }

  @Test("An offset provider is told the count with local inserts and removes")
  func offsets() async {
    let parts = HandProvider<OffsetRequest, OffsetPage<ListRow>>()
    let list = PaginatedList(offsetProvider: parts, pageSize: 3, start: 3)
    func answer(_ number: Int, _ call: ListCall, _ ids: [Int], total: Int? = nil) async {
      await parts.load(number).succeed(OffsetPage(ids.map { ListRow(id: $0) }, total: total))
      _ = await call.outcome
    }
    await answer(0, list.loadMore(), [3, 4, 5])
    list.remove(4)
    list.remove(5)
    list.insert(ListRow(id: 100), at: .start)
    await answer(1, list.loadMore(), [6, 7, 7])
    let more = list.loadMore()
    _ = await parts.load(2)
    list.remove(6)
    await answer(2, more, [8, 9, 10])
    await answer(3, list.loadMore(), [11])
    await answer(4, list.loadPrevious(), [0, 1, 2])
    let requests = [
      OffsetRequest(offset: 3, limit: 3), OffsetRequest(offset: 5, limit: 3),
      OffsetRequest(offset: 8, limit: 3), OffsetRequest(offset: 10, limit: 3),
      OffsetRequest(offset: 0, limit: 3),
    ]
    for (number, request) in requests.enumerated() {
      #expect(await parts.load(number).parameters == request)
    }
    #expect(list.items.map(\.id) == [0, 1, 2, 100, 3, 7, 8, 9, 10, 11])
    #expect(!list.hasMore && !list.hasPrevious)

    let all = list.reload(.firstPage)
    await answer(5, all, [3, 4, 5], total: 6)
    #expect(!list.hasMore && list.hasPrevious)
  }

  @Test("A snapshot is stored and restored, and the list goes on where it stood")
  func snapshot() async throws {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3], next: 1, previous: -1)
    await hand.answer(1, of: hand.list.loadMore(), [4, 5], next: 2)
    hand.list.remove(2)
    hand.list.insert(ListRow(id: 9), at: .after(1))
    let data = try JSONEncoder().encode(hand.list.snapshot)

    let other = HandList()
    let stale = other.list.loadMore()
    other.list.restore(
      try JSONDecoder().decode(PaginatedListSnapshot<ListRow, Int>.self, from: data))
    #expect(stale.currentOutcome?.text == "cancelled superseded")
    #expect(other.ids == [1, 9, 3, 4, 5])
    #expect(other.list.snapshot == hand.list.snapshot)
    let again = HandList()
    again.list.restore(other.list.snapshot)
    await again.answer(0, of: again.list.loadMore(), [2, 6], next: 3)
    #expect(await again.pages.load(0).parameters == PageRequest(cursor: 2))
    #expect(again.ids == [1, 9, 3, 4, 5, 6])
    let loop = await again.answer(1, of: again.list.loadMore(), [7], next: 1)
    #expect(loop.error is PaginatedListError)
    await again.answer(2, of: again.list.loadPrevious(), [0])
    #expect(again.ids == [0, 1, 9, 3, 4, 5, 6])
  }

  @Test("A restored list reloads from where edits before its first page have moved that")
  func snapshotOfMovedStart() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [4, 5], next: 1, previous: -1)
    await hand.answer(1, of: hand.list.loadPrevious(), [1, 2])
    hand.list.insert(ListRow(id: 9), at: .after(1))
    let other = HandList()
    other.list.restore(hand.list.snapshot)
    #expect(other.list.snapshot == hand.list.snapshot && other.ids == [1, 9, 2, 4, 5])
    let reload = other.list.reload(.allLoaded)
    #expect(await other.pages.load(0).parameters == PageRequest(shift: 1))
    reload.cancel()
  }

  @Test("A snapshot of local items alone has not begun: the first page sets both edges")
  func snapshotBeforeTheFirstPage() async {
    let hand = HandList()
    hand.list.insert(ListRow(id: 100), at: .start)
    let other = HandList()
    other.list.restore(hand.list.snapshot)
    await other.answer(0, of: other.list.loadMore(), [5], next: 1, previous: -1)
    #expect(other.ids == [100, 5] && other.list.hasPrevious && other.list.hasMore)
    let again = HandList()
    again.list.restore(other.list.snapshot)
    #expect(again.list.snapshot == other.list.snapshot && again.list.hasPrevious)
  }

  @Test("A snapshot that makes no sense is taken as far as it does")
  func tampered() {
    let hand = HandList()
    hand.list.restore(
      PaginatedListSnapshot(
        pages: [
          .init([ListRow(id: 1), ListRow(id: 1, text: "last")]), .init([]),
          .init([ListRow(id: 1), ListRow(id: 2)], next: PageRequest(cursor: 4, shift: .max)),
        ], next: [PageRequest(cursor: 4, shift: .max)], removed: [2]))
    #expect(hand.ids == [1])
    #expect(hand.list.insert(ListRow(id: 3), at: .start))
    #expect(hand.ids == [3, 1])
  }
}
