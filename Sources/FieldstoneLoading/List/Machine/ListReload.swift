/// A page on its way to an edge, and the calls that wait for it.
@usableFromInline
struct EdgeLoad<Item: Identifiable, Cursor> {
  var number: Int
  var request: PageRequest<Cursor>
  var calls: [Int]
  var report = PageReport()

  /// How many pages without anything new have come.
  var skipCount = 0

  /// By how many items local edits have moved what follows the page, since the request.
  var shift = 0

  /// The items that were edited since the request.
  var edited: Set<Item.ID> = []
}

/// How a list goes on at one of its edges.
@usableFromInline
struct ListEdge<Cursor: Hashable> {
  /// The requests of the pages beyond the edge, the nearest last; none where there is no more.
  ///
  /// There are several only where a window has dropped pages whose neighbours do not say how to
  /// get them back.
  @usableFromInline var requests: [PageRequest<Cursor>] = []

  /// Every cursor that led on from here.
  @usableFromInline var seen: Set<Cursor> = []

  @inlinable
  init(requests: [PageRequest<Cursor>] = []) {
    self.requests = requests
    for request in requests {
      if let cursor = request.cursor { seen.insert(cursor) }
    }
  }

  var hasMore: Bool { !requests.isEmpty }
}

extension ListEdge: Sendable where Cursor: Sendable {}

/// A reload on its way: what it has gathered, which is shown once it is whole.
@usableFromInline
struct ListReload<Item: Identifiable, Cursor: Hashable> {
  /// An edit that was made since the reload began.
  indirect enum Edit {  // As is `ItemPlace`.
    case update(Item)
    case insert(Item, ItemPlace<Item.ID>)
    case remove(Item.ID)
  }

  var number = 0
  var request: PageRequest<Cursor>
  var calls: [Int]
  let mode: ReloadMode

  var content: ListContent<Item, Cursor>

  /// At which edge the gathered pages grow.
  var direction: PageDirection

  /// How many pages are still wanted at each edge.
  var wantedNext: Int
  var wantedPrevious: Int

  var report = PageReport()
  var skipCount = 0

  /// By how many items local edits have moved what follows the page, since the request.
  private(set) var shift = 0
  var edits: [Edit] = []

  /// Goes on with another request.
  mutating func begin(_ request: PageRequest<Cursor>, number: Int) {
    self.request = request
    self.number = number
    shift = 0
  }

  /// Takes note of items that came or went by a local edit.
  mutating func note(shift: Int) {
    // What lies before the list is not moved by it; what lies after it is, loaded or not.
    if direction == .next { self.shift += shift } else { content.shiftEnd(by: shift) }
  }

  /// Takes note of what came, and says what to load now, or nil when it is whole.
  mutating func goOn(after addition: PageReport, skipLimit: Int) -> PageRequest<Cursor>? {
    report += addition
    if addition.addedCount > 0 {
      skipCount = 0
      if direction == .next { wantedNext -= 1 } else { wantedPrevious -= 1 }
    } else {
      skipCount += 1
    }
    let goesOn = skipCount <= skipLimit
    if direction == .next, wantedNext > 0, goesOn, let request = content[.next].requests.last {
      return request
    }
    if direction == .next {
      direction = .previous
      skipCount = 0
    } else if !goesOn {
      return nil
    }
    return wantedPrevious > 0 ? content[.previous].requests.last : nil
  }
}
