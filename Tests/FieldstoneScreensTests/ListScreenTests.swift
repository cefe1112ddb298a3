import FieldstoneCore
import FieldstoneLoading
import FieldstoneScreens
import FieldstoneTesting
import Testing

@Suite("A screen over a list", .timeLimit(.minutes(20)))
@MainActor
struct ListScreenTests {
  struct Item: Identifiable, Sendable, Equatable {
    let id: Int
  }

  typealias Page = ItemPage<Item, Int>

  /// Pages that are answered by hand, in order.
  final class Shelf: Sendable {
    private let answers = Locked<[Result<Page, any Error>]>([])
    let loads = Recorder<PageRequest<Int>>()
    let cancels = Recorder<Void>()
    private let gate: Gate

    init(isOpen: Bool = true) {
      gate = Gate()
      if isOpen { gate.open() }
    }

    func open() { gate.open() }

    func answer(_ ids: Range<Int>, next: Int? = nil) {
      let page = Page(ids.map(Item.init), next: next)
      answers.withLock { $0.append(.success(page)) }
    }

    func fail(_ message: String = "no network") {
      answers.withLock { $0.append(.failure(MessageError(message))) }
    }

    @MainActor func list(skipLimit: Int = 5) -> PaginatedList<Item, Int> {
      PaginatedList(
        provider: ClosureProvider { [self] (request: PageRequest<Int>) in
          loads.record(request)
          try await withTaskCancellationHandler {
            try await gate.waitUnlessCancelled()
          } onCancel: {
            cancels.record(())
          }
          return try answers.withLock { $0.removeFirst() }.get()
        }, skipLimit: skipLimit)
    }
  }

  @Test("The first appearance loads the first page, and no other does")
  func appearance() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    let list = shelf.list()
    let screen = ScreenModel(list)
    #expect(screen.state.view == .initial)
    screen.appear()
    #expect(screen.state.view == .loading)
    await screen.reach(.primary)
    screen.appear()
    #expect(list.items.map(\.id) == [0, 1])
    #expect(shelf.loads.count == 1)
  }

  @Test("An error of each refresh is told once, and not again while pages load below it")
  func errorOnce() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    shelf.fail("first")
    shelf.fail("second")
    shelf.answer(2..<4, next: 4)
    shelf.fail("page")
    let list = shelf.list()
    var screen: ScreenModel? = ScreenModel(list)
    screen?.appear()
    await screen?.reach(.primary)
    await screen?.refreshAndWait()
    var states = screen?.states().makeAsyncIterator()
    #expect((await states?.next(isolation: #isolation)?.error as? MessageError)?.message == "first")
    screen?.refresh()
    #expect(await states?.next(isolation: #isolation)?.isBusy == true)
    #expect(
      (await states?.next(isolation: #isolation)?.error as? MessageError)?.message == "second")
    #expect(await list.loadMore().outcome.value != nil)
    #expect(await list.loadMore().outcome.error != nil)
    screen = nil
    #expect(await states?.next(isolation: #isolation) == nil)
  }

  @Test("A reload lies over the items, and so does its error, until it is retried")
  func reload() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    shelf.fail()
    shelf.answer(0..<3)
    let list = shelf.list()
    let screen = ScreenModel(list)
    screen.appear()
    await screen.reach(.primary)
    screen.refresh()
    #expect(screen.state.view == .primary && screen.state.isBusy)
    await screen.reach { $0.error != nil }
    #expect(screen.state.view == .primary)
    #expect((screen.state.error as? MessageError)?.message == "no network")
    screen.retry()
    #expect(screen.state.view == .primary && screen.state.isBusy)
    await screen.reach { !$0.isBusy }
    #expect(screen.state.view == .primary && screen.state.error == nil)
    #expect(list.items.count == 3)
  }

  @Test("An empty load has no results, and one that fails is retried")
  func empty() async {
    let shelf = Shelf()
    shelf.fail()
    shelf.answer(0..<0)
    shelf.answer(0..<1)
    let screen = ScreenModel(shelf.list())
    screen.appear()
    await screen.reach(.retry)
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach(.noResults)
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach(.primary)
  }

  @Test("A retry makes the reload again that has failed, in its mode")
  func mode() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    shelf.answer(2..<4, next: 4)
    shelf.fail()
    shelf.answer(0..<2, next: 2)
    shelf.answer(2..<4, next: 4)
    let list = shelf.list()
    let screen = ScreenModel(list)
    screen.appear()
    await screen.reach(.primary)
    #expect(await list.loadMore().outcome.value != nil)
    #expect(await list.reload(.allLoaded).outcome.error != nil)
    await screen.reach { $0.error != nil }
    screen.retry()
    await screen.reach { !$0.isBusy && $0.error == nil }
    #expect(list.items.count == 4)
  }

  @Test("A refresh loads as much as the screen was told to")
  func refreshMode() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    shelf.answer(2..<4, next: 4)
    shelf.answer(0..<2, next: 2)
    shelf.answer(2..<4, next: 4)
    let list = shelf.list()
    let screen = ScreenModel(list, reloading: .allLoaded)
    screen.appear()
    await screen.reach(.primary)
    #expect(await list.loadMore().outcome.value != nil)
    screen.refresh()
    #expect(screen.state.isBusy)
    await screen.reach { !$0.isBusy }
    #expect(shelf.loads.count == 4)
    #expect(list.items.count == 4)
  }

  @Test("What happens at an edge is for its rows to show, once there are items")
  func edges() async {
    let shelf = Shelf()
    shelf.answer(0..<2, next: 2)
    shelf.fail()
    shelf.answer(2..<4)
    let list = shelf.list()
    let screen = ScreenModel(list)
    screen.appear()
    await screen.reach(.primary)
    let more = list.loadMore()
    #expect(!ScreenKnowledge(list).isLoading)
    #expect(await more.outcome.error != nil)
    #expect(list.appendState.error != nil)
    #expect(ScreenKnowledge(list).error == nil)
    // And yet a retry of the screen tries it again.
    screen.retry()
    #expect(list.appendState.isLoading)
    #expect(await list.loadMore().outcome.value != nil)
    #expect(list.items.count == 4)
    #expect(screen.state.view == .primary && screen.state.error == nil)
  }

  @Test("The first page may be asked for at an edge")
  func firstPageAtTheEdge() async {
    let shelf = Shelf()
    shelf.fail()
    shelf.answer(0..<1)
    let list = shelf.list()
    let screen = ScreenModel(list)
    let call = list.loadMore()
    #expect(ScreenKnowledge(list).isLoading)
    await screen.reach(.retry)
    #expect(call.currentOutcome?.error != nil)
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach(.primary)
  }

  @Test("Where pages without items were passed over, a retry goes on after them")
  func passedOver() async {
    let shelf = Shelf()
    shelf.answer(0..<0, next: 1)
    shelf.answer(0..<0, next: 2)
    shelf.answer(0..<1)
    let screen = ScreenModel(shelf.list(skipLimit: 0))
    screen.appear()
    await screen.reach(.noResults)
    screen.retry()
    #expect(screen.state.view == .loading)
    await screen.reach(.noResults)
    screen.retry()
    await screen.reach(.primary)
    #expect(shelf.loads.elements.map(\.cursor) == [nil, 1, 2])
  }

  @Test("A list that was emptied by hand has no results; a stored one is what it was")
  func edits() async {
    let shelf = Shelf()
    shelf.answer(0..<1)
    let list = shelf.list()
    let screen = ScreenModel(list)
    list.insert(Item(id: 7))
    await screen.reach(.primary)
    list.remove(7)
    // Nothing was loaded yet.
    await screen.reach(.initial)
    screen.appear()
    await screen.reach(.primary)
    list.remove(0)
    await screen.reach(.noResults)

    let stored = shelf.list()
    stored.restore(list.snapshot)
    #expect(ScreenKnowledge(stored).content == .empty)
    stored.restore(PaginatedListSnapshot(pages: [], next: [PageRequest()]))
    #expect(ScreenKnowledge(stored).content == .unknown)
    stored.restore(PaginatedListSnapshot(pages: [], next: []))
    #expect(ScreenKnowledge(stored).content == .empty)
  }

  @Test("A list that is forgotten by a reload is loading, and not without results")
  func reset() async {
    let shelf = Shelf()
    shelf.answer(0..<0)
    shelf.fail()
    let list = shelf.list()
    let screen = ScreenModel(list, reloading: .reset)
    screen.appear()
    await screen.reach(.noResults)
    screen.refresh()
    #expect(ScreenKnowledge(list).content == .unknown)
    #expect(screen.state.view == .loading)
    await screen.reach(.retry)
  }

  @Test("Released under way, it ends its reload, and what others load stays")
  func release() async {
    let shelf = Shelf(isOpen: false)
    shelf.answer(0..<2)
    let list = shelf.list()
    var screen: ScreenModel? = ScreenModel(list)
    screen?.appear()
    await shelf.loads.elements(atLeast: 1)
    #expect(list.refreshState.isLoading)
    screen = nil
    #expect(!list.refreshState.isLoading)
    await shelf.cancels.elements(atLeast: 1)

    screen = ScreenModel(list)
    screen?.appear()
    await shelf.loads.elements(atLeast: 2)
    let other = list.reload(.firstPage)
    screen = nil
    #expect(list.refreshState.isLoading)
    shelf.open()
    #expect(await other.outcome.value?.addedCount == 2)
  }
}
