import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// A list itself, with tasks and calls, and its model, moved together by random actions and answers.
///
/// Nothing is left to the scheduler: each load is awaited where it arrives, and each answer until
/// the list has taken it, before anything else is done.
@MainActor
final class ListShellSimulation {
  typealias Pages = HandProvider<PageRequest<Int>, ItemPage<ListRow, Int>>

  private var random: SeededGenerator
  private let pages: Pages
  private var list: PaginatedList<ListRow, Int>
  private var model = ListModel()
  private var source = ListSource()

  private var lastCall = 0
  private var calls: [Int: ListCall] = [:]
  private var ended: [Int: String] = [:]

  /// Loads without an answer, those included that nobody waits for any more, by number.
  private var pending: [Int: Pages.Load] = [:]
  private var lastInsert = 1_000

  private(set) var story: [String] = []
  private(set) var problems: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    pages = Pages(heedsCancellation: seed % 2 == 0)
    list = PaginatedList(provider: pages, skipLimit: ListModel.skipLimit)
  }

  func run(steps: Int) async {
    for _ in 0..<steps where problems.isEmpty { await step() }
    if number(2) == 0 { await drain() } else { await release() }
    pages.close()
  }

  // MARK: Actions

  private func step() async {
    switch number(25) {
    case 0..<4: await load(.next)
    case 4..<6: await load(.previous)
    case 6:
      let mode = ReloadMode.allCases[number(3)]
      await act("reload \(mode)", call: { $0.reload(mode) }) { $0.reload(mode, call: $1) }
    case 7:
      let open = calls.keys.filter { ended[$0] == nil }.sorted()
      if open.isEmpty { return }
      let call = open[number(open.count)]
      await act("cancel \(call)", { _ in self.calls[call]?.cancel() }) { $0.cancel(call) }
    case 8..<10: await retry()
    case 10..<12:
      guard let id = anyID() else { return }
      let text = "edited \(source.nextVersion())"
      await act("update \(id)", { _ = $0.update(id) { $0.text = text } }) {
        $0.userUpdates(ListRow(id: id, text: text))
      }
    case 12: await insert()
    case 13..<15:
      guard let id = anyID() else { return }
      source.hasCircles = false
      await act("remove \(id)", { _ = $0.remove(id) }) { $0.userRemoves(id) }
    case 15:
      guard let id = number(2) == 0 ? model.rows.last?.id : model.rows.first?.id else { return }
      await act("appear \(id)", { $0.itemAppeared(id) }) { $0.appear(id) }
    case 16:
      guard let id = anyID() else { return }
      await act("disappear \(id)", { $0.itemDisappeared(id) }) { $0.inSight.remove(id) }
    case 17: await receive()
    default: await answer()
    }
  }

  private func load(_ direction: PageDirection) async {
    await act(
      "load \(direction)", call: { direction == .next ? $0.loadMore() : $0.loadPrevious() }
    ) { $0.load(direction, call: $1) }
  }

  private func retry() async {
    let directions = PageDirection.allCases.filter {
      model.edges[$0]!.failure != nil && model.edges[$0]!.load == nil
    }
    let isReload = model.reload == nil && model.reloadFailure != nil
    let count = model.reload != nil ? 0 : isReload ? 1 : directions.count
    let numbers = (0..<count).map { lastCall + 1 + $0 }
    lastCall += count
    await act("retry") { list in
      let made = list.retry()
      expect(made.count == count, "retries \(made.count) calls, not \(count)")
      for (number, call) in zip(numbers, made) { calls[number] = call }
    } _: { model in
      if let mode = model.retried, isReload { return model.reload(mode, call: numbers[0]) }
      for (number, direction) in zip(numbers, directions) { model.load(direction, call: number) }
    }
  }

  private func insert() async {
    lastInsert += 1
    let row = ListRow(id: number(4) == 0 ? number(24) - 6 : lastInsert, text: "inserted")
    let places: [ItemPlace<Int>] =
      [.start, .end] + (anyID().map { [.before($0), .after($0)] } ?? []) + [.after(-999)]
    let place = places[number(places.count)]
    await act("insert \(row.id) at \(place)", { _ = $0.insert(row, at: place) }) {
      $0.userInserts(row, at: place)
    }
  }

  private func receive() async {
    let direction: PageDirection = number(2) == 0 ? .next : .previous
    guard let page = source.pushed(to: model, at: direction, random: { number($0) }) else { return }
    var error: (any Error)?
    await act("receive \(page.items.map(\.id)) at \(direction)") { list in
      do { try list.receive(page, at: direction) } catch let thrown { error = thrown }
    } _: { model in
      if model.reload != nil {
        expect((error as? CallCancelled)?.reason == .busy, "a reload took a push")
      } else {
        let isTaken = model.receive(page, at: direction)
        expect(isTaken == (error == nil), "pushed, and \(error.map { "\($0)" } ?? "taken")")
      }
    }
  }

  // MARK: Answers

  private func answer() async {
    guard let number = pending.keys.sorted().randomElement(using: &random) else { return }
    await answer(number, with: outcome(for: pending[number]!.parameters))
  }

  private func outcome(
    for request: PageRequest<Int>
  ) -> Outcome<ItemPage<ListRow, Int>> {
    switch number(12) {
    case 0..<2: .failure(Trouble(number: number(100)))
    case 2: .cancelled(.caller)
    case 3:
      .success(source.leadingBack(source.page(for: request), of: request) { number($0) })
    default: .success(source.page(for: request))
    }
  }

  private func answer(
    _ number: Int, with outcome: Outcome<ItemPage<ListRow, Int>>
  ) async {
    guard let load = pending[number] else { return }
    let direction = PageDirection.allCases.first { model.edges[$0]!.load?.number == number }
    // Somebody has to wait for it, to see it taken.
    if let direction { await self.load(direction) }
    pending[number] = nil
    await act("answer \(number)") { _ in
      switch outcome {
      case .success(let page): load.succeed(page)
      case .failure(let error): load.fail(error)
      case .cancelled: load.fail(CancellationError())
      }
    } _: { model in
      if let direction {
        model.finish(direction, with: outcome)
      } else if model.reload?.number == number {
        model.finishReload(with: outcome)
      }
    }
  }

  // MARK: Both at once

  private func act(
    _ what: String, call: (PaginatedList<ListRow, Int>) -> ListCall,
    _ expected: (inout ListModel, Int) -> Void
  ) async {
    lastCall += 1
    let number = lastCall
    await act("\(what) for \(number)", { calls[number] = call($0) }) { expected(&$0, number) }
  }

  private func act(
    _ what: String, _ action: (PaginatedList<ListRow, Int>) -> Void,
    _ expected: (inout ListModel) -> Void
  ) async {
    if !problems.isEmpty { return }
    story.append(what)
    model.ends = [:]
    let startCount = model.startCount
    action(list)
    expected(&model)
    for (call, text) in model.ends {
      expect(ended.updateValue(text, forKey: call) == nil, "the model ends \(call) twice")
      if let call = calls[call] { _ = await call.outcome }
    }
    await arrivals(since: startCount)
    check()
  }

  /// Waits for the loads that have begun, and looks at what they load.
  private func arrivals(since startCount: Int) async {
    guard model.startCount > startCount else { return }
    var asked: [PageRequest<Int>] = []
    for number in startCount..<model.startCount {
      let load = await pages.load(number)
      asked.append(load.parameters)
      if let own = requests.first(where: { $0.value == load.parameters && $0.key > startCount }) {
        pending[own.key] = load
      }
    }
    let wanted = requests.filter { $0.key > startCount }.map(\.value)
    expect(Set(asked) == Set(wanted), "loads \(asked), not \(wanted)")
  }

  /// What is being loaded, by the number of the load.
  private var requests: [Int: PageRequest<Int>] {
    var requests: [Int: PageRequest<Int>] = [:]
    for (direction, edge) in model.edges {
      guard let load = edge.load else { continue }
      requests[load.number] = PageRequest(direction, cursor: load.cursor, shift: load.shift)
    }
    if let reload = model.reload {
      requests[reload.number] = PageRequest(
        reload.direction, cursor: reload.cursor, shift: reload.shift)
    }
    return requests
  }

  private func check() {
    let rows = Array(list.items)
    expect(rows == model.rows, "items are \(rows), not \(model.rows)")
    expect(pages.loadCount == model.startCount, "\(pages.loadCount) loads have begun")
    expect(list.duplicateCount == model.duplicateCount, "counts \(list.duplicateCount) duplicates")
    expect(list.refreshState.isLoading == (model.reload != nil), "reloads or does not")
    let states: [PageDirection: (ListEdgeState, Bool)] = [
      .next: (list.appendState, list.hasMore), .previous: (list.prependState, list.hasPrevious),
    ]
    for (direction, (state, hasMore)) in states {
      let edge = model.edges[direction]!
      expect(hasMore == (edge.cursor != nil), "\(direction): more or not")
      expect(state.isLoading == (edge.load != nil), "\(direction): loads or does not")
      let hasFailed = edge.failure != nil && edge.load == nil
      expect((state.error != nil) == hasFailed, "\(direction): failed or did not")
    }
    for (number, call) in calls {
      let text = call.currentOutcome?.text
      let plain = text == "failure cursorLoop" ? "failure -1" : text
      expect(
        plain == ended[number], "call \(number): \(text ?? "open"), not \(ended[number] ?? "open")")
    }
    for number in pending.keys where requests[number] != nil {
      expect(pending[number]?.isCancelled == false, "load \(number) is cancelled")
    }
  }

  private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  // MARK: The end

  /// Answers everything and loads to both ends: nothing is stuck, and no call is left.
  private func drain() async {
    for _ in 0..<60 where problems.isEmpty {
      if let number = pending.keys.min(), let load = pending[number] {
        await answer(number, with: .success(source.page(for: load.parameters)))
      } else if list.hasMore {
        await load(.next)
      } else if list.hasPrevious {
        await load(.previous)
      }
    }
    if !problems.isEmpty { return }
    expect(calls.keys.allSatisfy { ended[$0] != nil }, "calls never ended")
    expect(!list.hasMore && !list.hasPrevious, "an edge is not reached")
  }

  /// Lets go of the list: what is under way ends as released.
  private func release() async {
    if !problems.isEmpty { return }
    list = PaginatedList(provider: pages)
    for (number, call) in calls {
      let wanted = ended[number] ?? "cancelled released"
      // A load that was stopped may just be telling the list, which then lives a moment longer.
      let text = await call.outcome.text
      let isLoop = text == "failure cursorLoop" && wanted == "failure -1"
      expect(text == wanted || isLoop, "released, call \(number): \(text)")
    }
  }

  // MARK: Chance

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private func anyID() -> Int? {
    model.rows.isEmpty ? nil : model.rows[number(model.rows.count)].id
  }
}
