import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Loading at the edges of a list")
@MainActor
struct ListEdgeTests {
  @Test("Refresh, append and prepend have states of their own, and edges run in parallel")
  func separateStates() async {
    let hand = HandList()
    #expect(hand.list.prependState.text == "end" && hand.list.appendState.text == "idle")
    await hand.answer(0, of: hand.list.reload(.firstPage), [10], next: 1, previous: -1)
    let more = hand.list.loadMore()
    _ = await hand.pages.load(1)
    let previous = hand.list.loadPrevious()
    _ = await hand.pages.load(2)
    #expect(hand.list.appendState.isLoading && hand.list.prependState.isLoading)
    #expect(hand.list.refreshState.text == "idle")
    await hand.pages.load(1).fail(Trouble(number: 4))
    #expect(await more.outcome.text == "failure 4")
    #expect(hand.list.appendState.text == "failed 4" && hand.list.prependState.isLoading)
    await hand.answer(2, of: previous, [8, 9])
    #expect(hand.ids == [8, 9, 10])
    #expect(hand.list.prependState.text == "end" && !hand.list.hasPrevious)
    #expect(hand.list.appendState.text == "failed 4" && hand.list.hasMore)
  }

  @Test("A second loadMore joins the first; who cancels leaves, and the last one stops the work")
  func joins() async {
    let hand = HandList()
    let calls = [hand.list.loadMore(), hand.list.loadMore(), hand.list.loadMore()]
    let load = await hand.pages.load(0)
    calls[0].cancel()
    #expect(calls[0].currentOutcome?.text == "cancelled caller")
    #expect(!load.isCancelled && hand.list.appendState.isLoading)
    await hand.answer(0, of: calls[1], [1], next: 1)
    #expect(await calls[2].outcome.value?.figures == [1, 0, 1])
    #expect(hand.pages.loadCount == 1)

    let last = hand.list.loadMore()
    let second = await hand.pages.load(1)
    last.cancel()
    await second.cancellation()
    #expect(hand.list.appendState.text == "idle" && hand.ids == [1])
  }

  @Test("100,000 calls share a load, and each ends once")
  func manyJoin() async {
    let hand = HandList()
    let calls = (0..<100_000).map { _ in hand.list.loadMore() }
    // Some of them leave first: at the front, at the back and in the middle.
    for call in calls[..<10_000] { call.cancel() }
    for call in calls[90_000...].reversed() { call.cancel() }
    for call in calls[40_000..<50_000] { call.cancel() }
    await hand.answer(0, of: calls[60_000], [1], next: 1)
    #expect(calls.count { $0.currentOutcome?.value?.addedCount == 1 } == 70_000)
    #expect(calls.count { $0.currentOutcome?.text == "cancelled caller" } == 30_000)
    #expect(hand.pages.loadCount == 1)
  }

  @Test(
    "An error on page N leaves items, cursor and hasMore, and stops automatic loading until retry")
  func errorKeepsEverything() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2], next: 1)
    let failing = hand.list.loadMore()
    await hand.pages.load(1).fail(Trouble(number: 5))
    _ = await failing.outcome
    #expect(hand.ids == [1, 2] && hand.list.hasMore)
    #expect(hand.list.appendState.text == "failed 5")

    hand.list.itemAppeared(2)
    #expect(hand.list.appendState.text == "failed 5")
    let retried = hand.list.retry()
    #expect(retried.count == 1)
    let load = await hand.pages.load(2)
    #expect(load.parameters == PageRequest(cursor: 1))
    await hand.answer(2, of: retried[0], [3], next: 2)
    hand.list.itemAppeared(3)
    #expect(hand.list.appendState.isLoading)
  }

  @Test("A retry of a failed reset keeps what was loaded since, until it succeeds")
  func retryAfterReset() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2], next: 1)
    let reset = hand.list.reload(.reset)
    await hand.pages.load(1).fail(Trouble())
    _ = await reset.outcome
    #expect(hand.ids == [])
    await hand.answer(2, of: hand.list.loadMore(), [3, 4], next: 1)
    let failing = hand.list.retry()
    #expect(hand.ids == [3, 4] && hand.list.refreshState.isLoading)
    await hand.pages.load(3).fail(Trouble())
    _ = await failing.first?.outcome
    #expect(hand.ids == [3, 4])
    await hand.answer(4, of: hand.list.retry()[0], [5], next: 1)
    #expect(hand.ids == [5])
  }

  @Test("retry touches failed edges only")
  func retryFailedOnly() async {
    let hand = HandList()
    #expect(hand.list.retry().isEmpty)
    await hand.answer(0, of: hand.list.loadMore(), [10], next: 1, previous: -1)
    let more = hand.list.loadMore()
    let running = await hand.pages.load(1)
    let previous = hand.list.loadPrevious()
    await hand.pages.load(2).fail(Trouble())
    _ = await previous.outcome
    let retried = hand.list.retry()
    #expect(retried.count == 1 && !running.isCancelled)
    #expect(await hand.pages.load(3).parameters.direction == .previous)
    #expect(more.currentOutcome == nil)
    await hand.answer(3, of: retried[0], [9])
    await hand.answer(1, of: more, [11])
    #expect(hand.ids == [9, 10, 11])
  }

  @Test("A cancelled load leaves an earlier error of its edge, and is no failure")
  func cancelledAfterError() async {
    let hand = HandList()
    let failing = hand.list.loadMore()
    await hand.pages.load(0).fail(Trouble(number: 1))
    _ = await failing.outcome
    let again = hand.list.loadMore()
    await hand.pages.load(1).cancellationAfter { again.cancel() }
    #expect(hand.list.appendState.text == "failed 1")
    let thrown = hand.list.loadMore()
    await hand.pages.load(2).fail(CancellationError())
    #expect(await thrown.outcome.text == "cancelled caller")
    #expect(hand.list.appendState.text == "failed 1")
  }

  @Test("At the end of the list there is nothing to load")
  func end() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1])
    #expect(hand.list.loadMore().currentOutcome?.value == PageReport())
    hand.list.itemAppeared(1)
    #expect(hand.list.appendState.text == "end" && hand.pages.loadCount == 1)
  }

  @Test("Pages are loaded off the main actor")
  func offMain() async {
    let hand = HandList()
    hand.list.loadMore()
    #expect(await !hand.pages.load(0).wasOnMain)
  }

  @Test("Releasing the list ends its calls as released and stops its loads")
  func released() async {
    var hand: HandList? = HandList()
    let pages = hand!.pages
    let (more, joined) = (hand!.list.loadMore(), hand!.list.loadMore())
    let load = await pages.load(0)
    hand = nil
    #expect(more.currentOutcome?.text == "cancelled released")
    #expect(joined.currentOutcome?.text == "cancelled released")
    await load.cancellation()
  }

  @Test("Released elsewhere than on the main actor, it ends its calls there and stops its loads")
  func releasedElsewhere() async {
    var hand: HandList? = HandList()
    let (pages, list) = (hand!.pages, Locked<PaginatedList<ListRow, Int>?>(hand!.list))
    let (more, joined) = (hand!.list.loadMore(), hand!.list.loadMore())
    let load = await pages.load(0)
    hand = nil
    await Task.detached { list.withLock { _ = $0.take() } }.value
    #expect(await more.outcome.text == "cancelled released")
    #expect(await joined.outcome.text == "cancelled released")
    await load.cancellation()
  }

  @Test("A page that was pushed is taken as if it had been loaded")
  func pushed() async throws {
    let hand = HandList()
    let more = hand.list.loadMore()
    let report = try hand.list.receive(page([1, 2], next: 7, previous: -7))
    #expect(report.figures == [2, 0, 1])
    #expect(more.currentOutcome?.text == "cancelled superseded")
    try hand.list.receive(page([0]), at: .previous)
    #expect(hand.ids == [0, 1, 2] && !hand.list.hasPrevious)
    #expect(throws: PaginatedListError.cursorLoop(cursor: "7")) {
      try hand.list.receive(page([3], next: 7))
    }
    #expect(hand.ids == [0, 1, 2] && hand.list.hasMore)
  }
}

@Suite("What is in sight of a list")
@MainActor
struct ListSightTests {
  @Test("An item at the edge loads the next page once, however often it appears")
  func once() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3], next: 1)
    hand.list.itemAppeared(2)
    #expect(!hand.list.appendState.isLoading)
    for _ in 0..<3 { hand.list.itemAppeared(3) }
    let joined = hand.list.loadMore()
    await hand.answer(1, of: joined, [4], next: 2)
    hand.list.itemAppeared(3)
    hand.list.itemAppeared(404)
    #expect(!hand.list.appendState.isLoading && hand.pages.loadCount == 2)
  }

  @Test("Once more after a reload, if the edge is still in sight", arguments: [true, false])
  func afterReload(isInSight: Bool) async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2], next: 1)
    hand.list.itemAppeared(2)
    _ = await hand.pages.load(1)
    let reload = hand.list.reload(.firstPage)
    hand.list.itemAppeared(2)
    if !isInSight { hand.list.itemDisappeared(2) }
    await hand.answer(2, of: reload, [1, 2], next: 1)
    #expect(hand.list.appendState.isLoading == isInSight)
    if isInSight { await hand.answer(3, of: hand.list.loadMore(), [3], next: 2) }
    #expect(!hand.list.appendState.isLoading)
  }

  @Test("Also after a reload that failed or was cancelled, as it took the page in flight with it")
  func afterFailedReload() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2], next: 1)
    hand.list.itemAppeared(2)
    let failing = hand.list.reload(.firstPage)
    // The page's load may or may not have begun before it was stopped.
    failing.cancel()
    #expect(hand.list.appendState.isLoading)
  }

  @Test("Who takes a removed item's place at the edge loads the page")
  func afterRemove() async {
    let hand = HandList(skipLimit: 0)
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3], next: 1)
    hand.list.itemAppeared(2)
    hand.list.itemAppeared(3)
    await hand.answer(1, of: hand.list.loadMore(), [], next: 2)
    #expect(hand.list.appendState.text == "idle")
    hand.list.remove(3)
    #expect(hand.list.appendState.isLoading)
    #expect(await hand.pages.load(2).parameters.cursor == 2)
  }

  @Test("Near the edge is what the prefetch distance says, at either edge")
  func distance() async {
    let hand = HandList(prefetchDistance: 1)
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3, 4, 5], next: 1, previous: -1)
    hand.list.itemAppeared(3)
    #expect(!hand.list.appendState.isLoading && !hand.list.prependState.isLoading)
    hand.list.itemAppeared(4)
    #expect(hand.list.appendState.isLoading && !hand.list.prependState.isLoading)
    hand.list.itemAppeared(2)
    #expect(hand.list.prependState.isLoading)
  }
}
