import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Events of a list, and how it begins")
@MainActor
struct ListEventTests {
  let log = Recorder<String>()

  @Test("Observers hear what was loaded and what failed, in the order in which they registered")
  func events() async {
    let hand = HandList()
    let registrations = ["a", "b"].map { name in
      hand.list.observe { [weak list = hand.list] in
        log.record("\(name) \($0.text) \(list?.items.count ?? -1)")
      }
    }
    await hand.answer(0, of: hand.list.reload(.firstPage), [1, 2], next: 1)
    let more = hand.list.loadMore()
    await hand.pages.load(1).fail(Trouble(number: 4))
    _ = await more.outcome
    await hand.answer(2, of: hand.list.retry()[0], [2, 3], next: 2)
    let again = hand.list.reload(.allLoaded)
    await hand.pages.load(3).fail(Trouble(number: 5))
    _ = await again.outcome
    registrations[0].cancel()
    await hand.answer(4, of: hand.list.reload(.reset), [9])
    #expect(
      log.elements == [
        "a reload firstPage: 2 2", "b reload firstPage: 2 2", "a page next: 4 2",
        "b page next: 4 2", "a page next: 1 3", "b page next: 1 3", "a reload allLoaded: 5 3",
        "b reload allLoaded: 5 3", "b reload reset: 1 1",
      ])
    withExtendedLifetime(registrations) {}
  }

  @Test("What is cancelled or superseded, an edit and the end of the list are not heard")
  func silence() async {
    let hand = HandList()
    let registration = hand.list.observe { log.record($0.text) }
    let first = hand.list.loadMore()
    _ = await hand.pages.load(0)
    first.cancel()
    let reload = hand.list.reload(.firstPage)
    _ = await hand.pages.load(1)
    await hand.answer(2, of: hand.list.reload(.firstPage), [1])
    #expect(reload.currentOutcome?.text == "cancelled superseded")
    hand.list.insert(ListRow(id: 7, text: ""))
    _ = await hand.list.loadMore().outcome
    #expect(log.elements == ["reload firstPage: 1"])
    withExtendedLifetime(registration) {}
  }

  @Test("A page that was pushed is heard, also while another one loads")
  func pushed() async throws {
    let hand = HandList()
    let registration = hand.list.observe { log.record($0.text) }
    try hand.list.receive(page([1, 2], next: 1))
    let more = hand.list.loadMore()
    _ = await hand.pages.load(0)
    try hand.list.receive(page([3], next: 2))
    #expect(more.currentOutcome?.text == "cancelled superseded")
    #expect(log.elements == ["page next: 2", "page next: 1"])
    withExtendedLifetime(registration) {}
  }

  @Test("From an observer the list may be changed; what that brings is heard after, by everybody")
  func reentrant() throws {
    let hand = HandList()
    let list = hand.list
    let registrations = [
      list.observe { [weak list] event in
        log.record("a \(event.text)")
        if let list, list.items.count == 1 { _ = try? list.receive(page([2, 3], next: 2)) }
      },
      list.observe { log.record("b \($0.text)") },
    ]
    try list.receive(page([1], next: 1))
    #expect(
      log.elements == ["a page next: 1", "b page next: 1", "a page next: 2", "b page next: 2"])
    withExtendedLifetime(registrations) {}
  }

  @Test("An observer may start the next load, and release itself")
  func loadsOn() async {
    let hand = HandList()
    let list = hand.list
    let registration = Locked<Registration?>(nil)
    let next = Recorder<ListCall>()
    let first = list.observe { [weak list] event in
      if case .loaded = event, let list { next.record(list.loadMore()) }
      registration.withLock { $0 = nil }
    }
    registration.withLock { $0 = first }
    await hand.answer(0, of: list.reload(.firstPage), [1], next: 1)
    await hand.answer(1, of: await next.elements(atLeast: 1)[0], [2], next: 2)
    #expect(hand.ids == [1, 2] && next.count == 2)
    next.elements.last?.cancel()
    withExtendedLifetime(first) {}
  }

  // MARK: How it begins

  @Test("A list that begins with a reload loads no first page by itself")
  func beginsWithReload() async {
    let hand = HandList(beginsWithReload: true)
    #expect(await hand.list.loadMore().outcome.value == PageReport())
    #expect(await hand.list.loadPrevious().outcome.value == PageReport())
    #expect(hand.list.appendState.text == "idle" && hand.list.hasMore)
    #expect(hand.pages.loadCount == 0)

    let failing = hand.list.reload(.firstPage)
    await hand.pages.load(0).fail(Trouble(number: 1))
    _ = await failing.outcome
    #expect(await hand.list.loadMore().outcome.value == PageReport())
    await hand.answer(1, of: hand.list.retry()[0], [1], next: 1)
    await hand.answer(2, of: hand.list.loadMore(), [2])
    #expect(hand.ids == [1, 2])
  }

  @Test("A list that was restored, or was sent a page, has begun")
  func begun() async throws {
    let stored = HandList(beginsWithReload: true)
    stored.list.restore(
      PaginatedListSnapshot(
        pages: [.init([ListRow(id: 1, text: "")], request: PageRequest())],
        next: [PageRequest(cursor: 1)]))
    await stored.answer(0, of: stored.list.loadMore(), [2])
    #expect(stored.ids == [1, 2])
    let pushed = HandList(beginsWithReload: true)
    try pushed.list.receive(page([1], next: 1))
    await pushed.answer(0, of: pushed.list.loadMore(), [2])
    #expect(pushed.ids == [1, 2])
  }
}

extension ListEvent {
  fileprivate var text: String {
    switch self {
    case .loaded(let load, let report): "\(load.text): \(report.addedCount)"
    case .failed(let load, let error): "\(load.text): \((error as? Trouble)?.number ?? -1)"
    }
  }
}

extension ListLoad {
  fileprivate var text: String {
    switch self {
    case .reload(let mode): "reload \(mode)"
    case .page(let direction): "page \(direction)"
    }
  }
}
