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

  /// The cursors that have led beyond this edge since a removal moved the place of one.
  @usableFromInline var seen: Set<Cursor> = []

  @inlinable
  init(requests: [PageRequest<Cursor>] = []) {
    self.requests = requests
    for request in requests { note(request) }
  }

  var hasMore: Bool { !requests.isEmpty }

  /// Notes a request's cursor as seen, unless removals have moved its place.
  ///
  /// A source with offsets then gives the same cursor again, for another place.
  @inlinable
  mutating func note(_ request: PageRequest<Cursor>?) {
    if let request, request.shift >= 0, let cursor = request.cursor { seen.insert(cursor) }
  }

  /// Shifts the requests after a local edit.
  mutating func shift(by count: Int) {
    for number in requests.indices { requests[number].shift &+= count }
  }
}

extension ListEdge: Sendable where Cursor: Sendable {}

/// A reload under way; its pages are shown once it is complete.
@usableFromInline
struct ListReload<Item: Identifiable, Cursor: Hashable> {
  /// An edit that was made since the reload began.
  struct Edit {
    indirect enum Change {  // Indirect for the same reason as `ItemPlace`.
      case update(Item)
      case insert(Item, ItemPlace<Item.ID>)
      case remove(Item.ID)
    }

    let change: Change
    let id: Item.ID
    /// The number of items by which it moved the following items.
    let shift: Int
    /// The item at its place: the removed one, or one beside the insert; nil in an empty list.
    let neighbour: Item.ID?
    /// Whether it was made before the items with which the reload began.
    let isPrepended: Bool
    /// Whether the requests of the new pages include its shift.
    var isCounted = false
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

  var edits: [Edit] = []

  /// The number of edits that were made before the request under way.
  private(set) var earlierEditCount = 0

  /// The pages in which inserts are counted; they get the items once the reload is complete.
  private(set) var insertPages: [Item.ID: Int32] = [:]

  /// Continues with another request.
  mutating func begin(_ request: PageRequest<Cursor>, number: Int) {
    self.request = request
    self.number = number
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

// MARK: Edits meanwhile

extension ListReload {
  /// Shifts the loaded pages by the edits since the request of the last one.
  ///
  /// An edit behind them is in the source when the page of its place is requested, so that page
  /// brings it.
  mutating func countEdits() {
    for number in edits.indices.dropFirst(earlierEditCount) where edits[number].shift != 0 {
      if let page = page(of: edits[number].neighbour) {
        count(number, in: page)
      } else if edits[number].isPrepended {
        edits[number].isCounted = true
        content.shiftAll(by: edits[number].shift)
      }
    }
    earlierEditCount = edits.count
  }

  /// Shifts the complete pages by the inserts beside their items that no page has brought.
  mutating func countRemainingEdits() {
    for number in edits.indices where edits[number].shift != 0 && !edits[number].isCounted {
      let edit = edits[number]
      let isMissing =
        edit.shift > 0 ? content.location(of: edit.id) == nil : insertPages[edit.id] != nil
      if isMissing, let page = page(of: edit.neighbour) { count(number, in: page) }
    }
  }

  private mutating func count(_ number: Int, in page: Int) {
    let edit = edits[number]
    edits[number].isCounted = true
    insertPages[edit.id] = edit.shift > 0 ? content.firstNumber + Int32(page) : nil
    content.shift(by: edit.shift, in: page)
  }

  /// The index of the page that has an item, or will have it; of the first one for nil.
  private func page(of id: Item.ID?) -> Int? {
    guard let id else { return content.links.isEmpty ? nil : 0 }
    return insertPages[id].map { Int($0 - content.firstNumber) } ?? content.location(of: id)?.page
  }
}
