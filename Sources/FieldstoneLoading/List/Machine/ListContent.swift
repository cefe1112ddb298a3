/// The items and cursors of a list, which are always consistent.
///
/// It is independent of loads: whole pages are added, and items are edited.
@usableFromInline
struct ListContent<Item: Identifiable, Cursor: Hashable> {
  @usableFromInline var items = ListItems<Item>()
  @usableFromInline var index = IdentityIndex()

  /// The number of the first page; appended pages count up from it, prepended pages down.
  @usableFromInline var firstNumber: Int32 = 0
  @usableFromInline var links: [PageLinks<Cursor>] = []

  @usableFromInline var next: ListEdge<Cursor>
  @usableFromInline var previous: ListEdge<Cursor>

  /// The ids of locally removed items, which pages do not add again.
  @usableFromInline var removed: Set<Item.ID> = []

  /// The ids of items that were inserted locally, and that no page has contained since.
  private(set) var added: Set<Item.ID> = []

  /// The ids of other items that were changed locally, and that no page has replaced since.
  private(set) var changed: Set<Item.ID> = []

  /// The number of duplicate items received so far.
  @usableFromInline var duplicateCount = 0

  /// Whether a page was added; the first one also sets the request at the other edge.
  @usableFromInline var hasBegun = false

  /// Whether the first page of the source is no longer loaded.
  private(set) var hasLostStart = false

  /// The number of items by which edits in prepended pages moved the place of the first page.
  private(set) var startShift = 0

  /// Starts without items.
  init(
    next: [PageRequest<Cursor>] = [PageRequest()], previous: [PageRequest<Cursor>] = [],
    removed: Set<Item.ID> = [], hasLostStart: Bool = false, startShift: Int = 0
  ) {
    self.next = ListEdge(requests: next)
    self.previous = ListEdge(requests: previous)
    self.removed = removed
    self.hasLostStart = hasLostStart
    self.startShift = startShift
  }

  /// Starts with a stored snapshot, as far as it is valid.
  init(_ snapshot: PaginatedListSnapshot<Item, Cursor>) {
    self.init(
      next: snapshot.next, previous: snapshot.previous, removed: snapshot.removed,
      startShift: snapshot.startShift ?? 0)
    for page in snapshot.pages {
      let (items, _) = newItems(of: page.items, at: .next, keeping: [])
      next.note(page.next)
      previous.note(page.previous)
      place(
        items, PageLinks(request: page.request, next: page.next, previous: page.previous),
        at: .next)
    }
    // Local inserts make a page, too, before the source has given one.
    hasBegun =
      !snapshot.pages.isEmpty
      && (snapshot.pages.contains { $0.request != nil } || snapshot.next.count != 1
        || snapshot.next[0].cursor != nil || !snapshot.previous.isEmpty)
    let requests = links.compactMap(\.request)
    let first = requests.first { $0.direction == .next }
    hasLostStart = !requests.isEmpty && (first == nil || first?.cursor != nil)
  }

  var snapshot: PaginatedListSnapshot<Item, Cursor> {
    PaginatedListSnapshot(
      pages: links.indices.map { number in
        let links = links[number]
        return .init(
          items.chunk(at: number).items, request: links.request, next: links.next,
          previous: links.previous)
      }, next: next.requests, previous: previous.requests, removed: removed,
      startShift: startShift)
  }

  @inlinable
  subscript(direction: PageDirection) -> ListEdge<Cursor> {
    direction == .next ? next : previous
  }
}

// MARK: Pages

extension ListContent {
  /// The result of adding a page.
  @usableFromInline
  struct Addition {
    @usableFromInline var report: PageReport
    /// Whether pages were dropped at the other edge.
    @usableFromInline var hasTrimmed: Bool

    @inlinable
    init(report: PageReport, hasTrimmed: Bool) {
      self.report = report
      self.hasTrimmed = hasTrimmed
    }
  }

  /// Adds a page; throws and adds nothing if its cursor leads in a circle.
  ///
  /// - Parameters:
  ///   - request: the request that loaded it.
  ///   - direction: the edge to add it at.
  ///   - shift: the number of items by which local edits moved the page and the following items
  ///     since the request.
  ///   - edited: the items edited since the request; their values are newer than the page's.
  ///   - limit: the maximum number of pages, or nil.
  @inlinable
  mutating func add(
    _ page: ItemPage<Item, Cursor>, for request: PageRequest<Cursor>?,
    at direction: PageDirection, shift: Int, keeping edited: Set<Item.ID>, limit: Int?
  ) throws(PaginatedListError) -> Addition {
    let leadsOn = request.map { $0.direction == direction || $0.cursor == nil } ?? true
    let cursor = leadsOn ? page.cursor(direction) : nil
    var request = request
    request?.shift &+= shift
    let isMoved = request?.isMovedBack ?? false
    if let cursor, !isMoved, cursor == request?.cursor || self[direction].seen.contains(cursor) {
      throw .cursorLoop(cursor: "\(cursor)")
    }

    let (items, duplicateCount) = newItems(of: page.items, at: direction, keeping: edited)
    self.duplicateCount += duplicateCount
    let following = cursor.map { PageRequest(direction, cursor: $0, shift: shift) }
    change(direction) { edge in
      _ = edge.requests.popLast()
      if let following { edge.requests.append(following) }
      if isMoved { edge.seen = [] }
      edge.note(following)
    }
    if !hasBegun { begin(page, at: direction.opposite) }

    if !items.isEmpty {
      let onwards =
        following ?? page.cursor(direction).map { PageRequest(direction, cursor: $0, shift: shift) }
      let back = page.cursor(direction.opposite).map {
        PageRequest(direction.opposite, cursor: $0, shift: shift)
      }
      let isNext = direction == .next
      place(
        items,
        PageLinks(
          request: request, next: isNext ? onwards : back, previous: isNext ? back : onwards),
        at: direction)
    } else if let following, !links.isEmpty {
      // A page without new items is dropped; only its onward link is kept.
      let last = direction == .next ? links.count - 1 : 0
      if let cursor = links[last][direction]?.cursor { links[last].skipped.append(cursor) }
      links[last][direction] = following
    }
    return Addition(
      report: PageReport(
        pageCount: 1, addedCount: items.count, duplicateCount: duplicateCount),
      hasTrimmed: limit.map { trim(direction.opposite, to: $0) } ?? false)
  }

  /// Sets the request at the opposite edge from the first page's cursor.
  @usableFromInline
  mutating func begin(_ page: ItemPage<Item, Cursor>, at direction: PageDirection) {
    hasBegun = true
    guard let cursor = page.cursor(direction) else { return }
    change(direction) { $0 = ListEdge(requests: [PageRequest(direction, cursor: cursor)]) }
  }

  @inlinable
  mutating func place(
    _ items: [Item], _ links: PageLinks<Cursor>, at direction: PageDirection
  ) {
    switch direction {
    case .next:
      self.items.append(items)
      self.links.append(links)
    case .previous:
      // The ids are already indexed under the number before the first page.
      self.items.prepend(items)
      self.links.insert(links, at: 0)
      firstNumber -= 1
    }
  }

  @inlinable
  mutating func change(
    _ direction: PageDirection, _ change: (inout ListEdge<Cursor>) -> Void
  ) {
    switch direction {
    case .next: change(&next)
    case .previous: change(&previous)
    }
  }

}

// MARK: The window

extension ListContent {
  /// Drops pages at an edge until at most `limit` are left, each in O(pages).
  ///
  /// - Returns: whether any page was dropped.
  @usableFromInline
  mutating func trim(_ direction: PageDirection, to limit: Int) -> Bool {
    guard links.count > max(1, limit) else { return false }
    while links.count > max(1, limit) { drop(direction) }
    return true
  }

  private mutating func drop(_ direction: PageDirection) {
    let isFirst = direction == .previous
    let number = isFirst ? 0 : links.count - 1
    for item in items.chunk(at: number).items { forget(item.id, in: number) }
    items.removeChunk(direction)
    let dropped = links.remove(at: number)
    if isFirst { firstNumber += 1 }
    if dropped.request?.direction == .next {
      if isFirst || !links.contains(where: { $0.request?.direction == .next }) {
        hasLostStart = true
      }
    }
    let neighbour = isFirst ? links[0] : links[links.count - 1]
    let seen = seenCursors(direction)
    change(direction) { edge in
      // Pages that are loaded again have the same cursors, which must not count as a circle.
      edge.seen = seen
      guard let request = neighbour[direction] ?? dropped.request else { return }
      if request.direction == direction || request.cursor == nil {
        edge.requests = [request]
      } else {
        edge.requests.append(request)
      }
    }
  }

  /// The cursors towards an edge, among the loaded pages and beyond them.
  private func seenCursors(_ direction: PageDirection) -> Set<Cursor> {
    var edge = ListEdge<Cursor>()
    for page in links {
      edge.seen.formUnion(page.skipped)
      edge.note(page[direction])
      if page.request?.direction == direction { edge.note(page.request) }
    }
    return edge.seen
  }
}

// MARK: Identity

extension ListContent {
  /// The location of an item.
  struct Location {
    var page: Int
    var offset: Int
  }

  /// The location of the item with an id, or nil; O(items of a page).
  func location(of id: Item.ID) -> Location? {
    let fingerprint = IdentityIndex.fingerprint(of: id)
    var offset: Int?
    let number = index.page(of: fingerprint) { number in
      offset = items.chunk(at: Int(number - firstNumber)).items.firstIndex { $0.id == id }
      return offset != nil
    }
    guard let number, let offset else { return nil }
    return Location(page: Int(number - firstNumber), offset: offset)
  }

  func item(at location: Location) -> Item {
    items.chunk(at: location.page).items[location.offset]
  }

  /// The index of an item in the whole list.
  func index(of location: Location) -> Int {
    items.startIndex(ofChunkAt: location.page) + location.offset
  }

  private mutating func forgetEdits(of id: Item.ID) {
    if !added.isEmpty { added.remove(id) }
    if !changed.isEmpty { changed.remove(id) }
  }

  /// Forgets an item of a page, in O(1): entries of one page with one fingerprint are alike.
  private mutating func forget(_ id: Item.ID, in page: Int) {
    forgetEdits(of: id)
    let number = firstNumber + Int32(page)
    index.remove(IdentityIndex.fingerprint(of: id)) { $0 == number }
  }

  /// Indexes the ids of a page that is about to be added at an edge.
  ///
  /// Items that are already present take the page's value and keep their place.
  ///
  /// - Returns: the new items, and the number of items that were already present.
  @inlinable
  mutating func newItems(
    of page: [Item], at direction: PageDirection, keeping edited: Set<Item.ID>
  ) -> (items: [Item], duplicateCount: Int) {
    let number = direction == .next ? firstNumber + Int32(links.count) : firstNumber - 1
    let added = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: page.count) { buffer in
      // Each element is written before any is read.
      for offset in page.indices {
        buffer.initializeElement(at: offset, to: IdentityIndex.fingerprint(of: page[offset].id))
      }
      let isSimple = removed.isEmpty
      return isSimple ? index.add(UnsafeBufferPointer(buffer), page: number) : 0
    }
    // If no item has to be removed, the page's array is kept without a copy.
    if added == page.count { return (page, 0) }
    return rest(of: page, from: added, number: number, keeping: edited)
  }

  @usableFromInline
  mutating func rest(
    of page: [Item], from start: Int, number: Int32, keeping edited: Set<Item.ID>
  ) -> (items: [Item], duplicateCount: Int) {
    var kept = Array(page[..<start])
    var duplicateCount = 0
    // The offsets of items by page, made once for each page that has some of them.
    var offsets: [Int32: [Item.ID: Int]] = [:]
    for item in page[start...] where !removed.contains(item.id) {
      let id = item.id
      let fingerprint = IdentityIndex.fingerprint(of: id)
      var twin: Int?
      let place = index.page(of: fingerprint) { other in
        if offsets[other] == nil {
          let items = other == number ? kept : items.chunk(at: Int(other - firstNumber)).items
          offsets[other] = Self.offsets(of: items)
        }
        twin = offsets[other]?[id]
        return twin != nil
      }
      guard let place, let twin else {
        offsets[number]?[id] = kept.count
        kept.append(item)
        index.add(fingerprint, page: number)
        continue
      }
      duplicateCount += 1
      if place == number {
        kept[twin] = item
      } else if !edited.contains(id) {
        items.changeChunk(at: Int(place - firstNumber)) { $0[twin] = item }
        forgetEdits(of: id)
      } else if added.remove(id) != nil {
        changed.insert(id)
      }
    }
    return (kept, duplicateCount)
  }

  private static func offsets(of items: [Item]) -> [Item.ID: Int] {
    var offsets = [Item.ID: Int](minimumCapacity: items.count)
    for (offset, item) in items.enumerated() { offsets[item.id] = offset }
    return offsets
  }
}

// MARK: Edits

extension ListContent {
  /// Replaces an item's value; the id stays.
  mutating func replace(_ item: Item, at location: Location) {
    items.changeChunk(at: location.page) { $0[location.offset] = item }
    if !added.contains(item.id) { changed.insert(item.id) }
  }

  /// Inserts an item that is not present at the location of a place.
  ///
  /// - Parameter shifting: whether to shift the requests, because the source counts the item, too.
  mutating func insert(_ item: Item, at location: Location, shifting: Bool) {
    if links.isEmpty {
      self.items.append([])
      links.append(PageLinks())
    }
    removed.remove(item.id)
    added.insert(item.id)
    items.changeChunk(at: location.page) { $0.insert(item, at: location.offset) }
    index.add(
      IdentityIndex.fingerprint(of: item.id), page: firstNumber + Int32(location.page))
    if shifting { shift(by: 1, in: location.page) }
  }

  /// Removes an item, which later pages do not add again.
  mutating func remove(at location: Location, shifting: Bool) {
    let id = item(at: location).id
    forget(id, in: location.page)
    removed.insert(id)
    items.changeChunk(at: location.page) { $0.remove(at: location.offset) }
    if shifting { shift(by: -1, in: location.page) }
  }

  /// Notes an id as removed, whether or not the item is present.
  mutating func noteRemoved(_ id: Item.ID) {
    removed.insert(id)
  }

  /// The location of a place, or nil if the item that it names is not there.
  func location(of place: ItemPlace<Item.ID>) -> Location? {
    switch place {
    case .start: return Location(page: 0, offset: 0)
    case .end:
      let last = max(0, links.count - 1)
      return Location(page: last, offset: links.isEmpty ? 0 : items.chunk(at: last).items.count)
    case .before(let id): return location(of: id)
    case .after(let id):
      return location(of: id).map { Location(page: $0.page, offset: $0.offset + 1) }
    }
  }

  /// The item beside a place; nil in an empty list.
  func neighbour(of place: ItemPlace<Item.ID>) -> Item.ID? {
    switch place {
    case .start: items.first?.id
    case .end: items.last?.id
    case .before(let id), .after(let id): id
    }
  }

  /// Shifts the requests after an edit within a page.
  mutating func shift(by count: Int, in page: Int) {
    if isPrepended(page) { startShift &+= count }
    for later in page..<links.count { links[later].shift(by: count, within: later == page) }
    next.shift(by: count)
  }

  /// Shifts the requests after an edit before the first page.
  mutating func shiftAll(by count: Int) {
    startShift &+= count
    for page in links.indices { links[page].shift(by: count, within: false) }
    next.shift(by: count)
    if let last = previous.requests.indices.last { previous.requests[last].shift &+= count }
    if count > 0 { previous.seen = [] }
  }

  /// Moves the start of the first page towards the start of the source, by items that it shows.
  mutating func lengthenStart(by count: Int) {
    guard !links.isEmpty else { return }
    links[0].request?.growth &+= count
    links[0].previous?.shift &-= count
    if let last = previous.requests.indices.last { previous.requests[last].shift &-= count }
    if !isPrepended(0) {
      links[0].request?.shift &-= count
      startShift &-= count
    }
    if count < 0 { previous.seen = [] }
  }

  /// Whether the page with an index was prepended, or is before one that was.
  func isPrepended(_ page: Int) -> Bool {
    links[min(page, links.count)...].contains { $0.request?.direction == .previous }
  }
}
