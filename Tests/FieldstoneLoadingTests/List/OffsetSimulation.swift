import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// A list by offset and its source, which both take the same edits, also while pages are loaded.
///
/// The source reads a part before the edits that are made while it is under way.
@MainActor
final class OffsetSimulation {
  private var random: SeededGenerator
  private let pageSize: Int
  private let pageLimit: Int?
  private let start: Int
  private let knowsTotal: Bool
  private var source: [Int]
  private lazy var list = PaginatedList<ListRow, Int>(
    offsetProvider: ClosureProvider { [weak self] (request: OffsetRequest) in
      try await self?.answer(request) ?? OffsetPage([])
    }, pageSize: pageSize, start: start, pageLimit: pageLimit)

  private var lastInsert = 1_000
  private var isReloading = false
  private var editsMeanwhile = true
  private var insertedInReload: Set<Int> = []

  /// Inserts beside an item that a reload did not load: they have moved to an edge of the list.
  private var moved: Set<Int> = []

  private(set) var story: [String] = []
  private(set) var problem: String?

  init(seed: UInt64, hasPageLimit: Bool) {
    random = SeededGenerator(seed: seed)
    source = Array(0..<Int.random(in: 0..<30, using: &random))
    start = Bool.random(using: &random) ? 0 : Int.random(in: 0...source.count, using: &random)
    knowsTotal = Bool.random(using: &random)
    pageLimit = hasPageLimit ? Int.random(in: 1...4, using: &random) : nil
    pageSize = Int.random(in: 1...5, using: &random)
    story.append("\(source.count) items by \(pageSize), from \(start), at most \(pageLimit ?? 0)")
  }

  func run(steps: Int) async {
    for _ in 0..<steps where problem == nil { await step() }
    editsMeanwhile = false
    if problem == nil { await loadEverything() }
  }

  // MARK: Actions

  private func step() async {
    switch number(8) {
    case 0..<2: await load(.next)
    case 2..<4: await load(.previous)
    case 4: await reload(number(4) == 0 ? .firstPage : .allLoaded)
    default:
      edit()
      check()
    }
  }

  private func load(_ direction: PageDirection) async {
    story.append("load \(direction)")
    _ = await (direction == .next ? list.loadMore() : list.loadPrevious()).outcome
    check()
  }

  private func reload(_ mode: ReloadMode) async {
    story.append("reload \(mode)")
    isReloading = true
    _ = await list.reload(mode).outcome
    isReloading = false
    let ids = list.items.map(\.id)
    story.append("inserted meanwhile: \(insertedInReload), moved: \(moved)")
    if !isPart(ids) || insertedInReload.isSuperset(of: ids) || pageLimit != nil {
      moved.formUnion(ids.prefix { insertedInReload.contains($0) })
      moved.formUnion(ids.reversed().prefix { insertedInReload.contains($0) })
    }
    insertedInReload = []
    check()
  }

  private func answer(_ request: OffsetRequest) throws -> OffsetPage<ListRow> {
    let part = source.dropFirst(request.offset).prefix(request.limit)
    story.append("asked for \(request.offset), \(request.limit): \(Array(part))")
    let total = knowsTotal ? source.count : nil
    guard editsMeanwhile else { return OffsetPage(part.map { ListRow(id: $0) }, total: total) }
    for _ in 0..<max(0, number(5) - 2) { edit() }
    if number(10) == 0 { throw Trouble() }
    return OffsetPage(part.map { ListRow(id: $0) }, total: total)
  }

  private func edit() {
    guard let row = list.items.randomElement(using: &random), !moved.contains(row.id),
      let index = source.firstIndex(of: row.id)
    else { return }
    guard number(2) == 0 else {
      story.append("remove \(row.id)")
      source.remove(at: index)
      list.remove(row.id)
      return
    }
    lastInsert += 1
    if isReloading { insertedInReload.insert(lastInsert) }
    let isAfter = number(2) == 0
    let edge = isAfter ? list.items.last?.id : list.items.first?.id
    let place: ItemPlace<Int> =
      edge == row.id && number(2) == 0
      ? (isAfter ? .end : .start) : (isAfter ? .after(row.id) : .before(row.id))
    story.append("insert \(lastInsert) \(place), beside \(row.id)")
    source.insert(lastInsert, at: isAfter ? index + 1 : index)
    list.insert(ListRow(id: lastInsert), at: place)
  }

  // MARK: Checks

  /// The list is a part of the source, without a hole.
  private func check() {
    let ids = list.items.map(\.id)
    story.append("\(ids)")
    if Set(ids).count < ids.count { problem = "an id is there twice" }
    if !isPart(ids) { problem = "the list has a hole, or something too much" }
  }

  private func isPart(_ ids: [Int]) -> Bool {
    let ids = ids.filter { !moved.contains($0) }
    let source = source.filter { !moved.contains($0) }
    guard let first = ids.first else { return true }
    guard let start = source.firstIndex(of: first) else { return false }
    return source[start...].starts(with: ids)
  }

  private func loadEverything() async {
    var seen: Set<Int> = []
    for direction in [PageDirection.next, .previous, .next] {
      for _ in 0..<100 where problem == nil {
        guard direction == .next ? list.hasMore : list.hasPrevious else { break }
        await load(direction)
        seen.formUnion(list.items.map(\.id))
      }
    }
    seen.formUnion(list.items.map(\.id))
    // A window may have left an item that has moved.
    let expected = Set(pageLimit == nil ? source : source.filter { !moved.contains($0) })
    let lost = expected.subtracting(seen)
    if problem == nil, !lost.isEmpty { problem = "lost \(lost)" }
    if problem == nil, list.hasMore { problem = "the end is not reached" }
    if problem != nil { story.append("source \(source)") }
  }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
