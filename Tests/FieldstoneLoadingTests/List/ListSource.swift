import FieldstoneLoading

/// The source of simulated lists: pages of three from -6 to 17, some of them empty, some with what
/// was there before.
struct ListSource {
  /// From here on are the ids of what only a push brings.
  static let firstPushed = 5_000

  /// After a removal a list may notice a circle only a round later, so there is none from then on.
  var hasCircles = true

  private var lastVersion = 0
  private var lastPushed = firstPushed

  /// No two texts are equal, so that an older one is told from a newer one.
  mutating func nextVersion() -> Int {
    lastVersion += 1
    return lastVersion
  }

  mutating func page(for request: PageRequest<Int>) -> ItemPage<ListRow, Int> {
    let version = nextVersion()
    let place = request.cursor ?? 0
    let own = place == 3 ? [] : [place * 3, place * 3 + 1, place * 3 + 2]
    let ids: [Int] =
      switch place {
      case 4: [6, 7, 8]
      case 2: [5] + own
      case -1: own + [own[1]]
      default: own
      }
    let rows = ids.map { ListRow(id: $0, text: "version \(version)") }
    return ItemPage(
      rows, next: request.direction == .next && place < 5 ? place + 1 : nil,
      previous: request.direction == .previous || request.cursor == nil
        ? (place > -2 ? place - 1 : nil) : nil)
  }

  /// A page that leads to where it was led to before; the first page is led to from nowhere.
  func leadingBack(
    _ page: ItemPage<ListRow, Int>, of request: PageRequest<Int>, random: (Int) -> Int
  ) -> ItemPage<ListRow, Int> {
    var page = page
    guard hasCircles, let cursor = request.cursor else { return page }
    if page.next != nil { page.next = 1 + random(cursor) }
    if page.previous != nil { page.previous = -1 - random(-cursor) }
    return page
  }

  /// A page that a server may push, or nil where there is none.
  ///
  /// It is the next one, one that leads in a circle, or where the list has ended, something new.
  mutating func pushed(
    to model: ListModel, at direction: PageDirection, random: (Int) -> Int
  ) -> ItemPage<ListRow, Int>? {
    guard model.hasBegun || direction == .next, let edge = model.edges[direction] else {
      return nil
    }
    guard let cursor = edge.cursor else {
      lastPushed += 1
      return ItemPage([ListRow(id: lastPushed, text: "pushed")])
    }
    let request = PageRequest(direction, cursor: cursor)
    let page = page(for: request)
    return random(4) == 0 ? leadingBack(page, of: request, random: random) : page
  }
}
