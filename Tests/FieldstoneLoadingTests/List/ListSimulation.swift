import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

/// The machine of a list and its model, moved together by random actions and answers.
final class ListSimulation {
  typealias Machine = ListMachine<ListRow, Int>

  private var random: SeededGenerator
  private var machine: Machine
  private var model = ListModel()

  /// Loads that were asked for and not answered, those included that were stopped.
  private var pending: [(number: Int, request: PageRequest<Int>, isStopped: Bool)] = []
  private var open: Set<Int> = []
  private var ended: Set<Int> = []
  private var source = ListSource()
  private var lastInsert = 1_000
  private var inserted: Set<Int> = []

  /// What was done, for whoever has to read a failure; written when it is wanted, as it is slow.
  private let tellsStory: Bool
  private(set) var story: [String] = []
  private(set) var problems: [String] = []

  init(seed: UInt64, tellsStory: Bool = false) {
    self.tellsStory = tellsStory
    random = SeededGenerator(seed: seed)
    machine = Machine(options: .init(skipLimit: ListModel.skipLimit))
  }

  func run(steps: Int) {
    for _ in 0..<steps where problems.isEmpty { step() }
    if problems.isEmpty { drain() }
  }

  // MARK: Actions

  private func step() {
    switch number(25) {
    case 0..<4: load(.next)
    case 4..<6: load(.previous)
    case 6: reload(ReloadMode.allCases[number(3)])
    case 7 where !open.isEmpty:
      let call = open.sorted()[number(open.count)]
      act("cancel \(call)", { $0.cancel(call) }, { $0.cancel(call) })
    case 8..<10: retry()
    case 10..<12: edit()
    case 12: insert()
    case 13..<15:
      guard let id = anyID() else { return }
      source.hasCircles = false
      act("remove \(id)", { $0.remove(id) ?? [] }, { $0.userRemoves(id) })
    case 15:
      guard let id = number(2) == 0 ? model.rows.last?.id : model.rows.first?.id else { return }
      act("appear \(id)", { $0.appeared(id) }, { $0.appear(id) })
    case 24: receive()
    case 16:
      guard let id = anyID() else { return }
      machine.disappeared(id)
      model.inSight.remove(id)
    default: answer()
    }
  }

  private func load(_ direction: PageDirection) {
    let call = newCall()
    act(
      "load \(direction) for \(call)", { $0.load(direction, for: call) },
      { $0.load(direction, call: call) })
  }

  private func reload(_ mode: ReloadMode) {
    let call = newCall()
    act(
      "reload \(mode) for \(call)", { $0.reload(mode, for: call) },
      { $0.reload(mode, call: call) })
  }

  private func retry() {
    let (mode, edges) = machine.retryable
    if model.reload != nil {
      if mode != nil || !edges.isEmpty { problems.append("retries during a reload") }
    } else if let failed = model.retried {
      if mode != failed || !edges.isEmpty { problems.append("does not retry the reload only") }
      reload(failed)
    } else {
      let failed = PageDirection.allCases.filter {
        model.edges[$0]!.failure != nil && model.edges[$0]!.load == nil
      }
      if mode != nil || edges != failed { problems.append("retries \(edges), not \(failed)") }
      for direction in failed { load(direction) }
    }
  }

  private func edit() {
    guard let id = anyID() else { return }
    let row = ListRow(id: id, text: "edited \(source.nextVersion())")
    act("update \(id)", { $0.replace(row) ?? [] }, { $0.userUpdates(row) })
  }

  private func insert() {
    lastInsert += 1
    // Now and then one that the source has, too.
    let row = ListRow(id: number(4) == 0 ? number(24) - 6 : lastInsert, text: "inserted")
    inserted.insert(row.id)
    let places: [ItemPlace<Int>] =
      [.start, .end] + (anyID().map { [.before($0), .after($0)] } ?? []) + [.after(-999)]
    let place = places[number(places.count)]
    act(
      "insert \(row.id) at \(place)", { $0.insert(row, at: place) ?? [] },
      { $0.userInserts(row, at: place) })
  }

  private func receive() {
    if model.reload != nil { return }
    let direction: PageDirection = number(2) == 0 ? .next : .previous
    guard let page = source.pushed(to: model, at: direction, random: { number($0) }) else { return }
    inserted.formUnion(page.items.map(\.id).filter { $0 >= ListSource.firstPushed })
    act("receive \(page.items.map(\.id)) at \(direction)") { machine in
      guard (try? machine.receive(page, at: direction)) != nil else { return [] }
      return machine.stopLoads([direction])
    } _: {
      _ = $0.receive(page, at: direction)
    }
  }

  // MARK: Answers

  private func answer() {
    guard !pending.isEmpty else { return }
    let load = pending.remove(at: number(pending.count))
    let outcome: Outcome<ItemPage<ListRow, Int>>
    switch number(12) {
    case 0..<2: outcome = .failure(Trouble(number: number(100)))
    case 2: outcome = .cancelled(.caller)
    case 3:
      let page = source.leadingBack(page(for: load.request), of: load.request) { number($0) }
      outcome = .success(page)
    default: outcome = .success(page(for: load.request))
    }
    finish(load, with: outcome)
  }

  private func finish(
    _ load: (number: Int, request: PageRequest<Int>, isStopped: Bool),
    with outcome: Outcome<ItemPage<ListRow, Int>>
  ) {
    if load.isStopped {
      act("late \(load.request)", { $0.finish(load.number, with: outcome) }, { _ in })
      return
    }
    let isReload = model.reload != nil
    act("answer \(load.request.direction) \(load.request.cursor as Int?) with \(short(outcome))") {
      $0.finish(load.number, with: outcome)
    } _: { model in
      if isReload {
        model.finishReload(with: outcome)
      } else {
        model.finish(load.request.direction, with: outcome)
      }
    }
  }

  private func page(for request: PageRequest<Int>) -> ItemPage<ListRow, Int> {
    source.page(for: request)
  }

  // MARK: Both at once

  private func act(
    _ what: @autoclosure () -> String,
    _ transition: (inout Machine) -> [ListAction<Int>], _ expected: (inout ListModel) -> Void
  ) {
    if tellsStory { story.append(what()) }
    model.ends = [:]
    expected(&model)
    var ends: [Int: String] = [:]
    for action in transition(&machine) {
      switch action {
      case .load(let number, let request): pending.append((number, request, false))
      case .stop(let number):
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
          problems.append("stops \(number), which is not under way")
          continue
        }
        pending[index].isStopped = true
      case .end(let call, let outcome):
        if !ended.insert(call).inserted { problems.append("call \(call) ended twice") }
        if open.remove(call) != nil { ends[call] = outcome.text }
      case .tell, .notify: break
      }
    }
    check(ends)
  }

  private func check(_ ends: [Int: String]) {
    let rows = Array(machine.items)
    expect(rows == model.rows, "items are \(rows), not \(model.rows)")
    expect(Set(rows.map(\.id)).count == rows.count, "an id is there twice")
    if !rows.isEmpty {
      let index = number(rows.count)
      expect(machine.items[index] == rows[index], "the item at \(index) is another")
    }
    let circle = Set(ends.filter { $0.value == "failure cursorLoop" }.keys)
    let plain = ends.mapValues { $0 == "failure cursorLoop" ? "failure -1" : $0 }
    expect(plain == model.ends, "calls end as \(ends), not \(model.ends) \(circle)")
    expect(
      machine.duplicateCount == model.duplicateCount, "counts \(machine.duplicateCount) duplicates")
    expect(machine.refreshState.isLoading == (model.reload != nil), "reloads or does not")
    let isFailed = model.reloadFailure != nil && model.reload == nil
    expect((machine.refreshState.error != nil) == isFailed, "the reload failed or did not")
    var requests: [PageRequest<Int>] = []
    for direction in PageDirection.allCases {
      let edge = model.edges[direction]!
      expect(machine.hasMore(direction) == (edge.cursor != nil), "\(direction): more or not")
      let state = machine.edgeState(direction)
      expect(state.isLoading == (edge.load != nil), "\(direction): loads or does not")
      expect(
        (state.error != nil) == (edge.failure != nil && edge.load == nil),
        "\(direction): failed or did not")
      if let load = edge.load {
        requests.append(PageRequest(direction, cursor: load.cursor, shift: load.shift))
      }
    }
    if let reload = model.reload {
      requests.append(
        PageRequest(reload.direction, cursor: reload.cursor, shift: reload.shift))
    }
    let asked = Set(pending.filter { !$0.isStopped }.map(\.request))
    expect(asked == Set(requests), "loads \(asked), not \(requests)")
    checkHoles(rows)
  }

  /// What the source has comes without a hole and in its order, but for what was removed.
  private func checkHoles(_ rows: [ListRow]) {
    let ids = rows.map(\.id).filter { $0 < 1_000 && !inserted.contains($0) }
    guard let first = ids.min(), let last = ids.max() else { return }
    expect(ids == ids.sorted(), "\(ids) are out of order")
    let here = Set(rows.map(\.id))
    for id in first...last where !(9...14).contains(id) && !inserted.contains(id) {
      expect(here.contains(id) || model.removed.contains(id), "\(id) is a hole")
    }
  }

  private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  // MARK: The end

  /// Answers everything and loads to both ends: nothing is stuck, and no call is left.
  private func drain() {
    for round in 0..<60 where problems.isEmpty {
      if let load = pending.first {
        pending.removeFirst()
        finish(load, with: .success(page(for: load.request)))
      } else if round < 40, machine.hasMore(.next) {
        load(.next)
      } else if machine.hasMore(.previous) {
        load(.previous)
      } else if machine.hasMore(.next) {
        load(.next)
      }
    }
    expect(machine.isQuiet, "something is still under way")
    expect(open.isEmpty, "calls \(open) never ended")
    expect(!machine.hasMore(.next) && !machine.hasMore(.previous), "an edge is not reached")
    let here = Set(machine.items.map(\.id))
    for id in -6..<18 where !(9...14).contains(id) {
      expect(here.contains(id) || model.removed.contains(id), "\(id) was lost")
    }
  }

  private func short(_ outcome: Outcome<ItemPage<ListRow, Int>>) -> String {
    outcome.map { "\($0.items.map(\.id)), next \($0.next as Int?)" }.text
  }

  // MARK: Chance

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private func anyID() -> Int? {
    model.rows.isEmpty ? nil : model.rows[number(model.rows.count)].id
  }

  private func newCall() -> Int {
    let call = machine.nextNumber()
    open.insert(call)
    return call
  }
}
