import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Reloading a list")
@MainActor
struct ListReloadTests {
  @Test(
    "A reload swaps items and cursors when everything is there, and shows the old ones until then")
  func transaction() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.reload(.firstPage), [1, 2], next: 1)
    await hand.answer(1, of: hand.list.loadMore(), [3, 4], next: 2)

    let reload = hand.list.reload(.allLoaded)
    await hand.pages.load(2).succeed(page([11, 12], next: 21))
    #expect(await hand.pages.load(3).parameters == PageRequest(cursor: 21))
    #expect(hand.ids == [1, 2, 3, 4])
    #expect(hand.list.refreshState.text == "loading allLoaded")
    #expect((await hand.answer(3, of: reload, [13, 14], next: 22)).value?.figures == [4, 0, 2])
    #expect(hand.ids == [11, 12, 13, 14])
    #expect(hand.list.refreshState.text == "idle")

    await hand.answer(4, of: hand.list.loadMore(), [15])
    #expect(await hand.pages.load(4).parameters.cursor == 22)
  }

  @Test("Each mode loads what it says", arguments: ReloadMode.allCases)
  func modes(mode: ReloadMode) async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2], next: 1)
    await hand.answer(1, of: hand.list.loadMore(), [3, 4], next: 2)

    let reload = hand.list.reload(mode)
    #expect(hand.ids == (mode == .reset ? [] : [1, 2, 3, 4]))
    await hand.pages.load(2).succeed(page([5], next: 9))
    if mode == .allLoaded { await hand.pages.load(3).succeed(page([6], next: 10)) }
    #expect(await reload.outcome.value != nil)
    #expect(hand.ids == (mode == .allLoaded ? [5, 6] : [5]))
    #expect(hand.list.hasMore)
  }

  @Test("A reload cancels the page in flight as superseded; its late items and cursor are dropped")
  func supersedes() async {
    let hand = HandList(heedsCancellation: false)
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    let more = hand.list.loadMore()
    let late = await hand.pages.load(1)
    let reload = hand.list.reload(.firstPage)
    #expect(more.currentOutcome?.text == "cancelled superseded")
    await late.cancellation()
    late.succeed(page([99], next: 77))

    await hand.answer(2, of: reload, [2], next: 5)
    #expect(hand.ids == [2])
    hand.list.loadMore()
    #expect(await hand.pages.load(3).parameters.cursor == 5)
    hand.pages.close()
  }

  @Test(
    "A reload that fails, halfway or at once, leaves items and cursors valid", arguments: [0, 1])
  func failure(after pageCount: Int) async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    await hand.answer(1, of: hand.list.loadMore(), [2], next: 2)
    let reload = hand.list.reload(.allLoaded)
    if pageCount == 1 { await hand.pages.load(2).succeed(page([9], next: 8)) }
    await hand.pages.load(2 + pageCount).fail(Trouble(number: 7))
    #expect(await reload.outcome.text == "failure 7")
    #expect(hand.ids == [1, 2])
    #expect(hand.list.refreshState.text == "failed 7 allLoaded")
    #expect(hand.list.appendState.text == "idle")

    let more = hand.list.loadMore()
    #expect(await hand.pages.load(3 + pageCount).parameters.cursor == 2)
    await hand.answer(3 + pageCount, of: more, [3])
    #expect(hand.ids == [1, 2, 3])
  }

  @Test("A reset that fails leaves an empty list that can be loaded")
  func failedReset() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    let reset = hand.list.reload(.reset)
    await hand.pages.load(1).fail(Trouble())
    _ = await reset.outcome
    #expect(hand.ids.isEmpty && hand.list.hasMore)
    await hand.answer(2, of: hand.list.loadMore(), [5])
    #expect(hand.ids == [5])
  }

  @Test("loadMore and loadPrevious during a reload are busy")
  func busy() async {
    let hand = HandList()
    hand.list.reload(.firstPage)
    #expect(hand.list.loadMore().currentOutcome?.text == "cancelled busy")
    #expect(hand.list.loadPrevious().currentOutcome?.text == "cancelled busy")
    await #expect(throws: CallCancelled(.busy)) { try await hand.list.loadMore().value }
    #expect(throws: CallCancelled(.busy)) { try hand.list.receive(page([1])) }
  }

  @Test("A newer reload supersedes the older one")
  func newest() async {
    let hand = HandList()
    let first = hand.list.reload(.firstPage)
    _ = await hand.pages.load(0)
    let second = hand.list.reload(.firstPage)
    #expect(first.currentOutcome?.text == "cancelled superseded")
    await hand.answer(1, of: second, [2])
    #expect(hand.ids == [2])
  }

  @Test("A cancelled reload leaves items, cursors and earlier errors as they were")
  func cancelled() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1], next: 1)
    let failing = hand.list.reload(.firstPage)
    await hand.pages.load(1).fail(Trouble(number: 3))
    _ = await failing.outcome
    let reload = hand.list.reload(.allLoaded)
    await hand.pages.load(2).cancellationAfter { reload.cancel() }
    #expect(reload.currentOutcome?.text == "cancelled caller")
    #expect(hand.list.refreshState.text == "failed 3 firstPage")
    #expect(hand.ids == [1] && hand.list.hasMore)
  }

  @Test("Edits that are made during a reload are made again on what it brings")
  func editsMeanwhile() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [1, 2, 3], next: 1)
    let reload = hand.list.reload(.firstPage)
    hand.list.update(1) { $0.text = "mine" }
    hand.list.remove(2)
    hand.list.insert(ListRow(id: 50), at: .after(1))
    hand.list.insert(ListRow(id: 51), at: .before(3))
    await hand.answer(1, of: reload, [1, 2, 4], next: 1, text: "older")
    #expect(hand.ids == [51, 1, 50, 4])
    #expect(hand.list.item(1)?.text == "mine")
    #expect(hand.list.item(4)?.text == "older")

    await hand.answer(2, of: hand.list.reload(.firstPage), [1, 2], text: "newer")
    #expect(hand.ids == [1, 2])
    #expect(hand.list.item(1)?.text == "newer")
  }

  @Test("A reload of everything loads prepended pages, too")
  func bothDirections() async {
    let hand = HandList()
    await hand.answer(0, of: hand.list.loadMore(), [10], next: 1, previous: -1)
    await hand.answer(1, of: hand.list.loadMore(), [11], next: 2)
    await hand.answer(2, of: hand.list.loadPrevious(), [9], previous: -2)
    let reload = hand.list.reload(.allLoaded)
    await hand.pages.load(3).succeed(page([10], next: 31, previous: -31))
    await hand.pages.load(4).succeed(page([11], next: 32))
    #expect(await hand.pages.load(5).parameters == PageRequest(.previous, cursor: -31))
    await hand.answer(5, of: reload, [9], previous: -32)
    #expect(hand.ids == [9, 10, 11])
    hand.list.loadPrevious()
    #expect(await hand.pages.load(6).parameters.cursor == -32)
  }

  @Test("Going offline and back, or to the background and back, never shrinks the list")
  func offlineAndBack() async {
    let hand = HandList()
    for number in 0..<4 {
      await hand.answer(number, of: hand.list.loadMore(), [number], next: number + 1)
    }
    // Offline: a page and a reload of everything fail, and so does the first retry.
    for number in 4..<6 {
      let call = number == 4 ? hand.list.loadMore() : hand.list.reload(.allLoaded)
      await hand.pages.load(number).fail(Trouble())
      _ = await call.outcome
      #expect(hand.ids == [0, 1, 2, 3] && hand.list.hasMore)
    }
    // To the background: what is under way is cancelled by the system.
    let suspended = hand.list.retry()
    await hand.pages.load(6).fail(CancellationError())
    #expect(await suspended.first?.outcome.text == "cancelled caller")
    #expect(hand.ids == [0, 1, 2, 3])
    #expect(hand.list.refreshState.text == "failed 0 allLoaded")
    // Back: four pages again, and on from there.
    let back = hand.list.retry()
    for number in 0..<4 {
      await hand.pages.load(7 + number).succeed(page([number], next: number + 1))
      #expect(hand.ids == [0, 1, 2, 3])
    }
    _ = await back.first?.outcome
    #expect(hand.ids == [0, 1, 2, 3])
    await hand.answer(11, of: hand.list.loadMore(), [4])
    #expect(hand.ids == [0, 1, 2, 3, 4])
  }
}

extension HandProvider.Load {
  /// Does something that is to cancel the load, and waits until it has.
  @MainActor
  func cancellationAfter(_ body: @MainActor () -> Void) async {
    body()
    await cancellation()
  }
}
