import FieldstoneCore

/// A page load at an edge, with the calls that wait for it.
@usableFromInline
struct EdgeLoad<Item: Identifiable, Cursor> {
  var number: Int
  var request: PageRequest<Cursor>
  /// The calls that wait for it; a set, so that each joins and leaves in O(1).
  var calls: Set<Int>
  var report = PageReport()

  /// The number of skipped pages without new items.
  var skipCount = 0

  /// The number of items by which local edits moved the items after the page, since the request.
  var shift = 0

  /// The items that were edited since the request.
  var edited: Set<Item.ID> = []

  mutating func changeCalls<Result>(_ change: (inout Set<Int>) -> Result) -> Result {
    change(&calls)
  }

  /// Ends its calls, in the order in which they joined.
  func end(with outcome: Outcome<PageReport>) -> [ListAction<Cursor>] {
    calls.sorted().map { .end($0, outcome) }
  }
}

/// The pages beyond one edge of a list.
@usableFromInline
struct ListEdge<Cursor: Hashable> {
  /// The requests of the pages beyond the edge, nearest last; empty at the end of the source.
  ///
  /// There are several only if a page limit dropped pages whose neighbours have no cursor to them.
  @usableFromInline var requests: [PageRequest<Cursor>] = []

  /// Every cursor that has led beyond this edge.
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

/// A reload under way; its pages are shown once it is complete.
@usableFromInline
struct ListReload<Item: Identifiable, Cursor: Hashable> {
  /// An edit that was made since the reload began.
  indirect enum Edit {  // Indirect for the same reason as `ItemPlace`.
    case update(Item)
    case insert(Item, ItemPlace<Item.ID>)
    case remove(Item.ID)
  }

  var number = 0
  var request: PageRequest<Cursor>
  let call: Int
  let mode: ReloadMode

  var content: ListContent<Item, Cursor>

  /// The edge at which its pages are added.
  var direction: PageDirection

  /// The number of pages still to load at each edge.
  var wantedNext: Int
  var wantedPrevious: Int

  var report = PageReport()
  var skipCount = 0

  /// The number of items by which local edits moved the items after the page, since the request.
  private(set) var shift = 0
  var edits: [Edit] = []

  /// Continues with another request.
  mutating func begin(_ request: PageRequest<Cursor>, number: Int) {
    self.request = request
    self.number = number
    shift = 0
  }

  /// Records items that a local edit inserted or removed.
  mutating func note(shift: Int) {
    // Edits move the items after the list, loaded or not, but not those before it.
    if direction == .next { self.shift += shift } else { content.shiftEnd(by: shift) }
  }

  /// Records an added page, and returns the next request; nil once the reload is complete.
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
