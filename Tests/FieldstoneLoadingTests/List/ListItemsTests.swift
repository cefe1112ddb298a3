import FieldstoneLoading
import FieldstoneTesting
import Observation
import Testing

@Suite("The items of a list")
@MainActor
struct ListItemsTests {
  @Test("Items are a random-access collection, whatever the number of pages")
  func collection() throws {
    let list = PaginatedList(provider: .value(page([])))
    for number in 0..<100 {
      try list.receive(page([2 * number, 2 * number + 1], next: number + 1, previous: -1))
    }
    for number in 1..<80 {
      try list.receive(page([-number], previous: -number - 1), at: .previous)
    }
    let items = list.items
    #expect(items.count == 279 && items.map(\.id) == Array(-79..<200))
    #expect(items.indices.map { items[$0].id } == Array(-79..<200))
    #expect(items.first?.id == -79 && items.last?.id == 199)
    #expect(items.reversed().prefix(2).map(\.id) == [199, 198])
    #expect(items[100..<103].map(\.id) == [21, 22, 23])
    #expect(ListItems([1, 2]) == ListItems([1, 2]) && ListItems([1]) != ListItems([2]))
    #expect(ListItems<Int>().isEmpty && "\(ListItems([1, 2]))" == "[1, 2]")
  }

  @Test("A snapshot stays what it was, whatever is done to the list")
  func snapshotStays() throws {
    let list = PaginatedList(provider: .value(page([])))
    var snapshots: [(ListItems<ListRow>, [ListRow])] = []
    var random = SeededGenerator(seed: 6)
    for number in 0..<200 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try list.receive(page([-number - 1], previous: -number - 1), at: .previous)
      case 1: list.remove(list.items.randomElement(using: &random)?.id ?? 0)
      case 2: list.update(list.items.randomElement(using: &random)?.id ?? 0) { $0.text += "x" }
      default:
        try list.receive(page([2 * number, 2 * number + 1], next: number + 1, previous: -number))
      }
      snapshots.append((list.items, Array(list.items)))
    }
    for (items, copy) in snapshots { #expect(Array(items) == copy) }
  }

  @Test("Who follows a part of the state hears of it, and of that part only")
  func tracked() async {
    let hand = HandList()
    let heard = Recorder<String>()
    func follow() {
      withObservationTracking {
        _ = hand.list.items
      } onChange: {
        heard.record("items")
      }
      withObservationTracking {
        _ = hand.list.refreshState
      } onChange: {
        heard.record("refresh")
      }
      withObservationTracking {
        _ = hand.list.appendState
      } onChange: {
        heard.record("append")
      }
      withObservationTracking {
        _ = hand.list.hasPrevious
      } onChange: {
        heard.record("prepend")
      }
    }
    follow()
    let more = hand.list.loadMore()
    #expect(heard.removeAll() == ["append"])
    follow()
    await hand.pages.load(0).fail(Trouble())
    _ = await more.outcome
    #expect(Set(heard.removeAll()) == ["append"])
    follow()
    let again = hand.list.loadMore()
    follow()
    heard.removeAll()
    await hand.answer(1, of: again, [1], next: 1)
    #expect(Set(heard.removeAll()) == ["items", "append", "prepend"])
  }

  @Test("From whoever is told, the list can be acted on")
  func reentrant() async {
    let hand = HandList()
    let list = hand.list
    let more = list.loadMore()
    withObservationTracking {
      _ = list.items
    } onChange: {
      MainActor.assumeIsolated {
        list.loadMore()
        list.remove(1)
        list.reload(.firstPage)
      }
    }
    await hand.answer(0, of: more, [1, 2], next: 1)
    #expect(list.items.map(\.id) == [2])
    #expect(list.refreshState.text == "loading firstPage" && !list.appendState.isLoading)
  }
}
