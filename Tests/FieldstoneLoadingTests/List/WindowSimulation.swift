import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// The machine of a list that keeps a few pages only, moved by random actions and answers.
///
/// Its model is the row of the places that are in the window: whatever is done, they follow each
/// other, and what was dropped can be loaded again.
final class WindowSimulation {
  typealias Machine = ListMachine<ListRow, Int>

  /// What the pages of a source say of the way back.
  enum WayBack: Int, CaseIterable {
    /// Nothing: the list only grows at its end.
    case none
    /// Only pages that were loaded backwards, and the first one, say it.
    case ofPrevious
    /// Every page says both.
    case always
  }

  fileprivate struct Page {
    let place: Int
    var rows: [ListRow]
  }

  private struct Load {
    let number: Int
    let place: Int
    /// Nil for the load of a reload.
    let direction: PageDirection?
    var isStopped = false
    /// What was edited since it began.
    var edited: Set<Int> = []
  }

  private var random: SeededGenerator
  private var machine: Machine
  private let wayBack: WayBack
  private let limit: Int
  private let places: ClosedRange<Int>

  private var pages: [Page] = []
  private var removed: Set<Int> = []
  private var reload: (mode: ReloadMode, call: Int, edits: [(inout Rows) -> Void])?
  private var pending: [Load] = []
  private var open: Set<Int> = []
  private var ended: Set<Int> = []
  private var lastVersion = 0
  private var lastInsert = 1_000
  private(set) var story: [String] = []
  private(set) var problems: [String] = []

  /// Pages that edits are made on, shown or gathered by a reload.
  struct Rows {
    fileprivate var pages: [Page]
    var removed: Set<Int>
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    wayBack = WayBack.allCases[Int(seed % 3)]
    limit = 1 + Int(seed / 3 % 4)
    places = wayBack == .none ? 0...8 : -5...5
    machine = Machine(options: .init(skipLimit: 2, pageLimit: limit))
  }

  func run(steps: Int) {
    for _ in 0..<steps where problems.isEmpty { step() }
    if problems.isEmpty { drain() }
  }

  // MARK: Actions

  private func step() {
    switch number(22) {
    case 0..<4: load(.next)
    case 4..<8: load(.previous)
    case 8: reload(ReloadMode.allCases[number(3)])
    case 9 where !open.isEmpty:
      let call = open.sorted()[number(open.count)]
      if reload?.call == call { reload = nil }
      perform("cancel \(call)", machine.cancel(call))
    case 10: insert()
    case 11: remove()
    case 12: update()
    case 13:
      guard let row = number(2) == 0 ? rows.last : rows.first else { return }
      perform("appear \(row.id)", machine.appeared(row.id))
    case 14: receive()
    default: answer()
    }
  }

  private func load(_ direction: PageDirection) {
    let call = newCall()
    perform("load \(direction) for \(call)", machine.load(direction, for: call))
  }

  private func reload(_ mode: ReloadMode) {
    let call = newCall()
    if mode == .reset { (pages, removed) = ([], []) }
    let actions = machine.reload(mode, for: call)
    reload = (mode, call, [])
    perform("reload \(mode) for \(call)", actions)
  }

  private func receive() {
    guard reload == nil, !pages.isEmpty else { return }
    let direction: PageDirection = number(2) == 0 ? .next : .previous
    guard let place = place(after: direction) else { return }
    let page = page(place, from: direction == .next ? .next : .previous)
    do {
      let (_, hasTrimmed) = try machine.receive(page, at: direction)
      add(page, place, at: direction, keeping: [])
      perform(
        "receive \(place)",
        machine.stopLoads([direction] + (hasTrimmed ? [direction.other] : [])))
    } catch {
      problems.append("\(place) was pushed: \(error)")
    }
  }

  // MARK: Edits

  private func edit(
    _ what: String, _ id: Int, _ actions: [ListAction<Int>]?,
    _ change: @escaping (inout Rows) -> Void
  ) {
    guard let actions else { return problems.append("did not \(what)") }
    var rows = Rows(pages: pages, removed: removed)
    change(&rows)
    (pages, removed) = (rows.pages, rows.removed)
    reload?.edits.append(change)
    for index in pending.indices { pending[index].edited.insert(id) }
    perform(what, actions)
  }

  private func insert() {
    guard let id = anyID() else { return }
    lastInsert += 1
    let row = ListRow(id: lastInsert, text: "inserted")
    edit("insert \(row.id) after \(id)", row.id, machine.insert(row, at: .after(id))) { rows in
      let place = rows.place(of: id)
      if let place {
        rows.pages[place.page].rows.insert(row, at: place.index + 1)
      } else {
        rows.pages[0].rows.insert(row, at: 0)
      }
    }
  }

  private func update() {
    guard let id = anyID() else { return }
    lastVersion += 1
    let row = ListRow(id: id, text: "edited \(lastVersion)")
    edit("update \(id)", id, machine.replace(row)) { rows in
      if let place = rows.place(of: id) { rows.pages[place.page].rows[place.index] = row }
    }
  }

  private func remove() {
    // Each place keeps something to show; what has nothing left is passed over, which others test.
    guard let id = anyID() else { return }
    let goneCount = removed.count(where: { place(of: $0) == place(of: id) })
    if id < 1_000, goneCount > 1 { return }
    edit("remove \(id)", id, machine.remove(id)) { rows in
      if let place = rows.place(of: id) { rows.pages[place.page].rows.remove(at: place.index) }
      rows.removed.insert(id)
    }
  }

  private func place(of id: Int) -> Int {
    id >= 1_000 ? .min : Int((Double(id) / 3).rounded(.down))
  }

  // MARK: Answers

  private func answer() {
    guard !pending.isEmpty else { return }
    let load = pending.remove(at: number(pending.count))
    switch number(8) {
    case 0: finish(load, with: .failure(Trouble()))
    case 1: finish(load, with: .cancelled(.caller))
    default: finish(load, with: nil)
    }
  }

  private func finish(_ load: Load, with failure: Outcome<ItemPage<ListRow, Int>>?) {
    let page = page(load.place, from: load.direction ?? .previous)
    let actions = machine.finish(load.number, with: failure ?? .success(page))
    if !load.isStopped {
      if let direction = load.direction {
        if failure == nil { add(page, load.place, at: direction, keeping: load.edited) }
      } else if failure != nil {
        reload = nil
      } else if actions.contains(where: \.isEnd) {
        takeOver()
      }
    }
    perform("answer \(load.place) \(load.isStopped ? "late" : "") \(failure?.text ?? "")", actions)
  }

  private func add(
    _ page: ItemPage<ListRow, Int>, _ place: Int, at direction: PageDirection,
    keeping edited: Set<Int>
  ) {
    let rows = page.items.filter { !removed.contains($0.id) }
    let page = Page(place: place, rows: rows)
    if direction == .next { pages.append(page) } else { pages.insert(page, at: 0) }
    guard pages.count > limit else { return }
    if direction == .next { pages.removeFirst() } else { pages.removeLast() }
  }

  /// A reload has what it wants: as many places as before, or the first one.
  private func takeOver() {
    guard let reload else { return }
    let here = Dictionary(uniqueKeysWithValues: machine.items.map { ($0.id, $0) })
    let places = reload.mode == .allLoaded && !pages.isEmpty ? pages.map(\.place) : [0]
    var rows = Rows(
      pages: places.map { place in
        let ids = [place * 3, place * 3 + 1, place * 3 + 2]
        return Page(place: place, rows: ids.map { here[$0] ?? ListRow(id: $0, text: "missing") })
      }, removed: [])
    for edit in reload.edits { edit(&rows) }
    (pages, removed) = (rows.pages, rows.removed)
    self.reload = nil
  }

  private func page(_ place: Int, from direction: PageDirection) -> ItemPage<ListRow, Int> {
    lastVersion += 1
    let rows = [place * 3, place * 3 + 1, place * 3 + 2].map {
      ListRow(id: $0, text: "version \(lastVersion)")
    }
    let isSaid =
      wayBack == .always || wayBack == .ofPrevious && (direction == .previous || place == 0)
    return ItemPage(
      rows, next: place < places.upperBound ? place + 1 : nil,
      previous: isSaid && place > places.lowerBound ? place - 1 : nil)
  }

  // MARK: Both at once

  private var rows: [ListRow] { pages.flatMap(\.rows) }

  /// The place that an edge leads to, or nil at the end of the source.
  private func place(after direction: PageDirection) -> Int? {
    guard let first = pages.first?.place, let last = pages.last?.place else {
      return direction == .next ? 0 : nil
    }
    let place = direction == .next ? last + 1 : first - 1
    return places.contains(place) ? place : nil
  }

  private func perform(_ what: String, _ actions: [ListAction<Int>]) {
    story.append(what)
    for action in actions {
      switch action {
      case .load(let number, let request):
        let place = request.cursor ?? 0
        let direction = PageDirection.allCases.first { self.place(after: $0) == place }
        if reload == nil, direction == nil { problems.append("loads \(place)") }
        pending.append(
          Load(number: number, place: place, direction: reload == nil ? direction : nil))
      case .stop(let number):
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
          problems.append("stops \(number), which is not under way")
          continue
        }
        pending[index].isStopped = true
      case .end(let call, _):
        open.remove(call)
        if !ended.insert(call).inserted { problems.append("call \(call) ended twice") }
      case .tell, .notify: break
      }
    }
    check()
  }

  private func check() {
    let shown = Array(machine.items)
    expect(shown == rows, "items are \(shown), not \(rows)")
    expect(
      zip(pages, pages.dropFirst()).allSatisfy { $0.place + 1 == $1.place },
      "\(pages.map(\.place)) has a hole")
    expect(machine.snapshot.pages.count <= limit, "\(machine.snapshot.pages.count) pages are kept")
    for direction in PageDirection.allCases {
      expect(
        machine.hasMore(direction) == (place(after: direction) != nil), "\(direction): more or not")
    }
    let live = pending.filter { !$0.isStopped }
    expect(live.count <= (reload == nil ? 2 : 1), "\(live.count) loads are under way")
    expect(machine.refreshState.isLoading == (reload != nil), "reloads or does not")
  }

  private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  /// Answers everything, and goes to the end, to the start and to the end again: whatever was
  /// dropped comes back.
  private func drain() {
    var seen: Set<Int> = []
    for direction in [PageDirection.next, .previous, .next] {
      for _ in 0..<60 where problems.isEmpty && (!pending.isEmpty || machine.hasMore(direction)) {
        if let load = pending.first {
          pending.removeFirst()
          finish(load, with: nil)
        } else {
          load(direction)
        }
        if direction == .previous { seen.formUnion(rows.map(\.id)) }
      }
      if direction == .next { seen = Set(rows.map(\.id)) }
      expect(!machine.hasMore(direction), "\(direction): the end is not reached")
      guard direction == .previous else { continue }
      for id in places.lowerBound * 3..<places.upperBound * 3 + 3 where !removed.contains(id) {
        expect(seen.contains(id), "\(id) was lost")
      }
    }
    expect(machine.isQuiet && open.isEmpty, "calls \(open) never ended")
  }

  // MARK: Chance

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private func anyID() -> Int? { rows.isEmpty ? nil : rows[number(rows.count)].id }

  private func newCall() -> Int {
    let call = machine.nextNumber()
    open.insert(call)
    return call
  }
}

extension WindowSimulation.Rows {
  /// The page of an item, and where in it.
  func place(of id: Int) -> (page: Int, index: Int)? {
    for (number, page) in pages.enumerated() {
      if let index = page.rows.firstIndex(where: { $0.id == id }) { return (number, index) }
    }
    return nil
  }
}

extension PageDirection {
  fileprivate var other: PageDirection { self == .next ? .previous : .next }
}

extension ListAction {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
