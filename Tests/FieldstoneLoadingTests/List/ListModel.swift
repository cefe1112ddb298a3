import FieldstoneCore
import FieldstoneLoading

/// What a paginated list promises, in the plainest form.
///
/// There is one array, and everything is looked up by walking
/// through it. It knows no pages once they are in, and no window.
struct ListModel {
  struct Edge {
    /// The cursor to go on from; `.some(nil)` is the first page, and nil the end.
    var cursor: Int??
    var shift = 0
    var seen: Set<Int> = []
    /// How many pages have brought items.
    var pageCount = 0
    var failure: Int?
    var load: Load?
  }

  struct Load {
    var number: Int
    var cursor: Int?
    var calls: [Int]
    var skips = 0
    var report = PageReport()
    var shift: Int
    /// By how much edits have moved what follows.
    var moved = 0
    var edited: Set<Int> = []
  }

  struct Edit {
    enum Change {
      case update(ListRow)
      case insert(ListRow, ItemPlace<Int>)
      case remove(Int)
    }

    var change: Change
    var id: Int
    var moved = 0
    /// The item beside it, or the item itself if it was removed.
    var neighbour: Int?
    /// Whether its place is among what was prepended.
    var isPrepended = false
    var isCounted = false
    /// Whether it was counted as an edit before all that was loaded.
    var isBefore = false
  }

  final class Reload {
    var mode: ReloadMode
    var number = 0
    var call: Int
    var fresh = ListModel()
    var direction = PageDirection.next
    var wanted: [PageDirection: Int]
    var cursor: Int?
    var shift = 0
    var skips = 0
    var report = PageReport()
    var edits: [Edit] = []
    /// How many edits were made before the request under way.
    var earlierEditCount = 0
    /// Inserts whose places the new pages have.
    var counted: Set<Int> = []
    /// What the shown list has and had since the reload began, in its order.
    var trail: [Trace]

    init(
      _ mode: ReloadMode, call: Int, wanted: [PageDirection: Int], trail: [Trace]
    ) {
      (self.mode, self.call, self.wanted, self.trail) = (mode, call, wanted, trail)
    }
  }

  struct Trace {
    var id: Int
    /// The numbers of the edits that inserted and removed it.
    var insert: Int?
    var removal: Int?
  }

  static let skipLimit = 2

  var rows: [ListRow] = []
  /// The ids of what is in prepended pages.
  var prepended: Set<Int> = []
  var edges: [PageDirection: Edge] = [.next: Edge(cursor: .some(nil)), .previous: Edge()]
  var hasBegun = false
  /// By how much edits among what was prepended have moved the first page.
  var startShift = 0
  var removed: Set<Int> = []
  var duplicateCount = 0
  var inSight: Set<Int> = []
  var reload: Reload?
  var reloadFailure: (Int, ReloadMode)?
  /// What a retry of it reloads: the list was reset when the load that failed began.
  var retried: ReloadMode? { reloadFailure.map { $1 == .reset ? .firstPage : $1 } }

  /// How calls ended that ended in the last transition.
  var ends: [Int: String] = [:]

  /// How many loads have begun; the number of the last one.
  var startCount = 0

  // MARK: Transitions

  mutating func load(_ direction: PageDirection, call: Int) {
    if reload != nil { return end(call, "cancelled busy") }
    if edges[direction]!.load != nil {
      edges[direction]!.load!.calls.append(call)
    } else if let cursor = edges[direction]!.cursor {
      startCount += 1
      edges[direction]!.load = Load(
        number: startCount, cursor: cursor, calls: [call], shift: edges[direction]!.shift)
    } else {
      end(call, Outcome.success(PageReport()).text)
    }
  }

  mutating func reload(_ mode: ReloadMode, call: Int) {
    stopEverything()
    if mode == .reset {
      self = ListModel(ends: ends, startCount: startCount)
    }
    let isAll = mode == .allLoaded
    reload = Reload(
      mode, call: call,
      wanted: [
        .next: isAll ? max(1, edges[.next]!.pageCount) : 1,
        .previous: isAll ? edges[.previous]!.pageCount : 0,
      ], trail: rows.map { Trace(id: $0.id) })
    reload!.fresh.startShift = startShift
    reload!.shift = startShift
    startCount += 1
    reload!.number = startCount
  }

  mutating func cancel(_ call: Int) {
    for direction in PageDirection.allCases {
      guard edges[direction]!.load?.calls.contains(call) == true else { continue }
      edges[direction]!.load!.calls.removeAll { $0 == call }
      if edges[direction]!.load!.calls.isEmpty { edges[direction]!.load = nil }
      end(call, "cancelled caller")
    }
    if reload?.call == call {
      reload = nil
      end(call, "cancelled caller")
      loadInSight()
    }
  }

  mutating func finish(_ direction: PageDirection, with outcome: Outcome<ItemPage<ListRow, Int>>) {
    var load = edges[direction]!.load!
    edges[direction]!.load = nil
    var failure = (outcome.error as? Trouble)?.number
    if case .success(let page) = outcome {
      if let report = add(
        page, at: direction, from: load.cursor, shift: load.shift, moved: load.moved,
        keeping: load.edited)
      {
        load.report.pageCount += 1
        load.report.addedCount += report.addedCount
        load.report.duplicateCount += report.duplicateCount
        edges[direction]!.failure = nil
        if report.addedCount == 0, load.skips < Self.skipLimit,
          let cursor = edges[direction]!.cursor
        {
          load.skips += 1
          (load.cursor, load.shift, load.moved) = (cursor, edges[direction]!.shift, 0)
          load.edited = []
          startCount += 1
          load.number = startCount
          edges[direction]!.load = load
          return
        }
      } else {
        failure = loop
      }
    }
    if let failure { edges[direction]!.failure = failure }
    for call in load.calls { end(call, text(outcome, load.report, failure)) }
  }

  mutating func finishReload(with outcome: Outcome<ItemPage<ListRow, Int>>) {
    let reload = reload!
    var failure = (outcome.error as? Trouble)?.number
    if case .success(let page) = outcome {
      let direction = reload.direction
      let report = reload.fresh.add(
        page, at: direction, from: reload.cursor, shift: reload.shift, moved: 0, keeping: [])
      count(reload)
      if let report {
        reload.report.pageCount += 1
        reload.report.duplicateCount += report.duplicateCount
        reload.skips = report.addedCount == 0 ? reload.skips + 1 : 0
        if report.addedCount > 0 { reload.wanted[direction]! -= 1 }
        if goOn(reload) {
          startCount += 1
          reload.number = startCount
          return
        }
        takeOver(reload)
      } else {
        failure = loop
      }
    }
    self.reload = nil
    if let failure { reloadFailure = (failure, reload.mode) }
    end(reload.call, text(outcome, reload.report, failure))
    loadInSight()
  }

  private func goOn(_ reload: Reload) -> Bool {
    var candidates = [PageDirection.next, .previous]
    if reload.direction == .previous { candidates.removeFirst() }
    for direction in candidates {
      if direction == reload.direction {
        if reload.skips > Self.skipLimit { continue }
      } else {
        (reload.direction, reload.skips) = (direction, 0)
      }
      guard reload.wanted[direction]! > 0, let cursor = reload.fresh.edges[direction]!.cursor
      else { continue }
      reload.cursor = cursor
      reload.shift = reload.fresh.edges[direction]!.shift
      return true
    }
    return false
  }

  private mutating func takeOver(_ reload: Reload) {
    countRest(reload)
    let fresh = reload.fresh
    rows = fresh.rows
    prepended = fresh.prepended
    startShift = fresh.startShift
    edges = fresh.edges
    hasBegun = true
    removed = []
    duplicateCount = fresh.duplicateCount
    reloadFailure = nil
    let shifts = edges.mapValues(\.shift)
    for edit in reload.edits {
      switch edit.change {
      case .update(let row): replace(row)
      case .insert(let row, let place):
        if !replace(row), !insert(row, at: place) { _ = insert(row, at: .start) }
      case .remove(let id):
        rows.removeAll { $0.id == id }
        removed.insert(id)
      }
    }
    for (direction, shift) in shifts { edges[direction]!.shift = shift }
    reload.report.addedCount = rows.count
    inSight = inSight.filter { id in rows.contains { $0.id == id } }
  }

  /// Counts the edits since the last request whose places the new pages have.
  private func count(_ reload: Reload) {
    for number in reload.edits.indices.dropFirst(reload.earlierEditCount) {
      let edit = reload.edits[number]
      if edit.moved == 0 { continue }
      if reload.hasPlace(of: edit) {
        reload.count(number)
      } else if reload.isBeforeItems(number) ?? edit.isPrepended {
        reload.edits[number].isCounted = true
        reload.edits[number].isBefore = true
        reload.fresh.startShift += edit.moved
        for direction in PageDirection.allCases {
          reload.fresh.edges[direction]!.shift(by: edit.moved, at: direction)
        }
      }
    }
    reload.earlierEditCount = reload.edits.count
  }

  /// Counts the inserts that no page has brought.
  private func countRest(_ reload: Reload) {
    for number in reload.edits.indices {
      let edit = reload.edits[number]
      if edit.moved == 0 { continue }
      let isMissing =
        edit.moved > 0
        ? !reload.fresh.rows.contains { $0.id == edit.id } : reload.counted.contains(edit.id)
      guard isMissing, reload.hasPlace(of: edit) else { continue }
      if edit.isBefore { reload.lengthenStart(by: edit) }
      if !edit.isCounted { reload.count(number) }
    }
  }

  /// Takes a page that was pushed; not during a reload.
  ///
  /// - Returns: whether it was taken.
  mutating func receive(_ page: ItemPage<ListRow, Int>, at direction: PageDirection) -> Bool {
    let cursor = edges[direction]!.cursor
    let pageCount = edges[direction]!.pageCount
    guard
      add(
        page, at: direction, from: cursor ?? nil, shift: edges[direction]!.shift, moved: 0,
        keeping: []) != nil
    else {
      return false
    }
    // Where nothing had led on, there is nothing to load it again with.
    if cursor == nil { edges[direction]!.pageCount = pageCount }
    edges[direction]!.failure = nil
    for call in edges[direction]!.load?.calls ?? [] { end(call, "cancelled superseded") }
    edges[direction]!.load = nil
    return true
  }

  // MARK: Edits

  @discardableResult
  mutating func replace(_ row: ListRow) -> Bool {
    guard let index = rows.firstIndex(where: { $0.id == row.id }) else { return false }
    rows[index] = row
    return true
  }

  mutating func insert(_ row: ListRow, at place: ItemPlace<Int>) -> Bool {
    let index: Int?
    switch place {
    case .start: index = 0
    case .end: index = rows.count
    case .before(let id): index = rows.firstIndex { $0.id == id }
    case .after(let id): index = rows.firstIndex { $0.id == id }.map { $0 + 1 }
    }
    guard let index else { return false }
    rows.insert(row, at: index)
    if isPrepended(place) { prepended.insert(row.id) } else { prepended.remove(row.id) }
    removed.remove(row.id)
    return true
  }

  private func isPrepended(_ place: ItemPlace<Int>) -> Bool {
    switch place {
    case .start: edges[.previous]!.pageCount > 0
    case .end: false
    case .before(let id), .after(let id): prepended.contains(id)
    }
  }

  mutating func userUpdates(_ row: ListRow) {
    guard replace(row) else { return }
    note(Edit(change: .update(row), id: row.id))
  }

  mutating func userInserts(_ row: ListRow, at place: ItemPlace<Int>) {
    if rows.contains(where: { $0.id == row.id }) { return userUpdates(row) }
    let neighbour: Int? =
      switch place {
      case .start: rows.first?.id
      case .end: rows.last?.id
      case .before(let id), .after(let id): id
      }
    guard insert(row, at: place) else { return }
    note(
      Edit(
        change: .insert(row, place), id: row.id, moved: 1, neighbour: neighbour,
        isPrepended: prepended.contains(row.id)))
  }

  mutating func userRemoves(_ id: Int) {
    guard rows.contains(where: { $0.id == id }) else { return }
    rows.removeAll { $0.id == id }
    removed.insert(id)
    note(
      Edit(
        change: .remove(id), id: id, moved: -1, neighbour: id,
        isPrepended: prepended.contains(id)))
    if inSight.remove(id) != nil { loadInSight() }
  }

  private mutating func note(_ edit: Edit) {
    if edit.moved != 0 { edges[.next]!.shift(by: edit.moved, at: .next) }
    if edit.isPrepended { startShift += edit.moved }
    edges[.next]!.load?.moved += edit.moved
    for direction in PageDirection.allCases { edges[direction]!.load?.edited.insert(edit.id) }
    reload?.note(edit, shown: rows)
  }

  // MARK: What is in sight

  mutating func appear(_ id: Int) {
    guard rows.contains(where: { $0.id == id }) else { return }
    inSight.insert(id)
    if rows.last?.id == id { loadAutomatically(.next) }
    if rows.first?.id == id { loadAutomatically(.previous) }
  }

  private mutating func loadInSight() {
    if let last = rows.last, inSight.contains(last.id) { loadAutomatically(.next) }
    if let first = rows.first, inSight.contains(first.id) { loadAutomatically(.previous) }
  }

  private mutating func loadAutomatically(_ direction: PageDirection) {
    let edge = edges[direction]!
    if reload == nil, edge.load == nil, edge.failure == nil, edge.cursor != nil {
      load(direction, call: -1)
    }
  }

  // MARK: Steps of transitions

  /// The number that stands for the error of a circle.
  private var loop: Int { -1 }

  private func text(
    _ outcome: Outcome<ItemPage<ListRow, Int>>, _ report: PageReport, _ failure: Int?
  ) -> String {
    if let failure { return "failure \(failure)" }
    return outcome.map { _ in report }.text
  }

  private mutating func end(_ call: Int, _ text: String) {
    if call > 0 { ends[call] = text }
  }

  private mutating func stopEverything() {
    for direction in PageDirection.allCases {
      for call in edges[direction]!.load?.calls ?? [] { end(call, "cancelled superseded") }
      edges[direction]!.load = nil
    }
    if let reload { end(reload.call, "cancelled superseded") }
    reload = nil
  }

  private static func isMovedBack(_ shift: Int, _ direction: PageDirection) -> Bool {
    direction == .next ? shift < 0 : shift > 0
  }

  /// Adds a page, or nothing of it where it leads in a circle.
  private mutating func add(
    _ page: ItemPage<ListRow, Int>, at direction: PageDirection, from: Int?, shift: Int, moved: Int,
    keeping edited: Set<Int>
  ) -> PageReport? {
    let cursor = direction == .next ? page.next : page.previous
    // Edits have moved the place of its cursor back, so that a source with offsets gives it again.
    let isMoved =
      from == nil ? shift + moved != 0 : Self.isMovedBack(shift + moved, direction)
    if let cursor, !isMoved, edges[direction]!.seen.contains(cursor) { return nil }
    if isMoved { edges[direction]!.seen = [] }
    let hadCursor = edges[direction]!.cursor != nil
    edges[direction]!.cursor = cursor.map { .some($0) }
    edges[direction]!.shift = moved
    if let cursor, !Self.isMovedBack(moved, direction) { edges[direction]!.seen.insert(cursor) }
    if !hasBegun {
      hasBegun = true
      if let previous = page.previous {
        edges[.previous] = Edge(cursor: .some(previous), seen: [previous])
      }
    }
    var report = PageReport()
    var new: [ListRow] = []
    for row in page.items where !removed.contains(row.id) {
      if let index = new.firstIndex(where: { $0.id == row.id }) {
        new[index] = row
        report.duplicateCount += 1
      } else if let index = rows.firstIndex(where: { $0.id == row.id }) {
        if !edited.contains(row.id) { rows[index] = row }
        report.duplicateCount += 1
      } else {
        new.append(row)
      }
    }
    if direction == .next { rows += new } else { rows = new + rows }
    // What is pushed where nothing had led on counts as prepended only before a page that is.
    if direction == .previous, hadCursor || edges[.previous]!.pageCount > 0 {
      prepended.formUnion(new.map(\.id))
    }
    report.addedCount = new.count
    if !new.isEmpty { edges[direction]!.pageCount += 1 }
    duplicateCount += report.duplicateCount
    return report
  }
}

extension ListModel.Edge {
  /// Moves the place that it leads to; circles are looked for anew where it moves back.
  mutating func shift(by count: Int, at direction: PageDirection) {
    shift += count
    if direction == .next ? count < 0 : count > 0 { seen = [] }
  }
}
