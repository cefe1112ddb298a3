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

  /// The cursors that have led beyond this edge since an edit moved the place of one back.
  @usableFromInline var seen: Set<Cursor> = []

  @inlinable
  init(requests: [PageRequest<Cursor>] = []) {
    self.requests = requests
    for request in requests { note(request) }
  }

  var hasMore: Bool { !requests.isEmpty }

  /// Notes a request's cursor as seen, unless edits have moved its place back.
  @inlinable
  mutating func note(_ request: PageRequest<Cursor>?) {
    if let request, !request.isMovedBack, let cursor = request.cursor { seen.insert(cursor) }
  }

  /// Shifts the requests after a local edit that moved them all.
  ///
  /// Edits that move places back make a source with offsets give cursors again.
  mutating func shift(by count: Int) {
    for number in requests.indices { requests[number].shift &+= count }
    if count < 0 { seen = [] }
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
    /// The index of its place in the shown list.
    let index: Int
    /// Whether it was made in prepended pages.
    let isPrepended: Bool
    /// Whether the requests of the new pages include its shift.
    var isCounted = false
    /// Whether they include it as an edit before all loaded items.
    var isBefore = false
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
  /// brings it. Costs O(edits since the request).
  ///
  /// - Parameter shown: the list that is shown meanwhile, with the edits.
  mutating func countEdits(of shown: ListContent<Item, Cursor>) {
    let isBefore = edits.count > earlierEditCount ? editsBeforeItems(in: shown) : nil
    for number in edits.indices.dropFirst(earlierEditCount) where edits[number].shift != 0 {
      if let page = page(of: edits[number].neighbour) {
        count(number, in: page)
      } else if isBefore?[number - earlierEditCount] ?? edits[number].isPrepended {
        edits[number].isCounted = true
        edits[number].isBefore = true
        content.shiftAll(by: edits[number].shift)
      }
    }
    earlierEditCount = edits.count
  }

  /// Which edits since the request were made before the first loaded item; nil if the shown list
  /// has none of the first loaded items.
  private func editsBeforeItems(in shown: ListContent<Item, Cursor>) -> [Bool]? {
    guard let (editCount, first) = placeOfItems(in: shown) else { return nil }
    var isBefore = [Bool](repeating: false, count: edits.count - earlierEditCount)
    // Back from the edit after which the index is known, and then on from there.
    var index = first
    var isPresent = true
    for number in edits.indices[..<editCount].dropFirst(earlierEditCount).reversed() {
      let edit = edits[number]
      if edit.shift > 0, edit.index == index {
        isPresent = false  // Its own insert.
      } else if edit.shift != 0, edit.index < index || (edit.index == index && isPresent) {
        isBefore[number - earlierEditCount] = true
        index -= edit.shift
      }
    }
    index = first
    for number in edits.indices[editCount...] {
      let edit = edits[number]
      guard edit.shift != 0, edit.index < index || (edit.shift > 0 && edit.index == index) else {
        continue
      }
      isBefore[number - earlierEditCount] = true
      index += edit.shift
    }
    return isBefore
  }

  /// The index that the first loaded item had in the shown list, and after how many edits.
  private func placeOfItems(in shown: ListContent<Item, Cursor>) -> (editCount: Int, index: Int)? {
    // Not all items: a source whose items are all new would be searched for each page.
    for item in content.items.prefix(100) {
      if let location = shown.location(of: item.id) {
        return (edits.count, shown.index(of: location))
      }
      let removal = edits[earlierEditCount...].lastIndex { $0.shift < 0 && $0.id == item.id }
      if let removal { return (removal, edits[removal].index) }
    }
    return nil
  }

  /// Shifts the complete pages by the inserts beside their items that no page has brought.
  mutating func countRemainingEdits() {
    for number in edits.indices where edits[number].shift != 0 {
      let edit = edits[number]
      let isMissing =
        edit.shift > 0 ? content.location(of: edit.id) == nil : insertPages[edit.id] != nil
      guard isMissing, let page = page(of: edit.neighbour) else { continue }
      if edit.isBefore {
        // The first page shows it, so the pages before it end before it.
        insertPages[edit.id] = edit.shift > 0 ? content.firstNumber : nil
        content.lengthenStart(by: edit.shift)
      } else if !edit.isCounted {
        count(number, in: page)
      }
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
