import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var pages: [Self] {
    [
      Self(.pages) { try await $0.pagesWhileRunsComeAndGo() },
      Self(.filter) { try await $0.filters() },
      Self(.changes) { try await $0.tellsChanges() },
      Self(.changes) { try await $0.takesForeignMarks() },
      Self(.pageLimit) { try await $0.limitsPages() },
      Self(.stepPages) { try await $0.pagesSteps() },
    ]
  }
}

extension JournalExamination {
  /// The identifiers of all matching runs, page by page; `between` is called after each page.
  func all(
    _ query: RunQuery, _ promise: Promise, between: () async throws -> Void = {}
  ) async throws -> [RunID] {
    var query = query
    var ids: [RunID] = []
    while true {
      let page = try await journal.runs(query)
      expect(page.runs.count <= query.limit, promise, "a page of \(query.limit) was longer.")
      ids += page.runs.map(\.id)
      guard let next = page.nextPlace else { return ids }
      guard next != query.after, next.id == page.runs.last?.id else {
        throw Missing(detail: "a page led to \(next), which is not its last run.")
      }
      query.after = next
      try await between()
    }
  }

  func pagesWhileRunsComeAndGo() async throws {
    expect(try await journal.runs(RunQuery()), equals: RunPage(runs: []), .pages, "of no runs")
    var ids: [RunID] = []
    for number in 0..<20 {
      if number.isMultiple(of: 3) { move(by: 1) }
      ids.append(try await start("flow \(number % 2)").id)
    }
    let wanted = Array(ids.sorted().reversed())
    expect(try await all(RunQuery(limit: 100), .pages), equals: wanted, .pages, "on one page")
    expect(try await all(RunQuery(limit: 10), .pages), equals: wanted, .pages, "on two pages")
    expect(
      try await journal.runs(RunQuery(limit: 20)).next, equals: nil, .pages,
      "what follows a page that is full and the last")
    expect(
      try await journal.runs(RunQuery(before: wanted[9], limit: 10)).next, equals: nil, .pages,
      "what follows the second page when it is full and the last")
    let run = try await journal.runs(RunQuery(limit: 1)).runs.first
    expect(run, equals: try await self.run(wanted[0]), .pages, "the record on a page")
    var gone: Set<RunID> = []
    let found = try await all(RunQuery(limit: 6), .pages) {
      move(by: 1)
      // More runs are added than removed; and the last run of the page is removed.
      try await start("new")
      try await start("new")
      let place = (gone.count + 1) * 6 - 1
      guard place < wanted.count else {
        throw Missing(detail: "pages of 6 did not end with the 20 runs.")
      }
      let last = wanted[place]
      gone.insert(last)
      try await journal.change(last, .cancel, at: time)
      move(by: 1)
      try await journal.purge(JournalRetention(runs: .zero), at: time)
    }
    expect(found, equals: wanted, .pages, "while runs come and go")
    expect(gone.count, equals: 3, .pages, "the pages before the last")
  }

  func filters() async throws {
    let begin = time.date
    var records: [RunRecord] = []
    for number in 0..<24 {
      let key = number.isMultiple(of: 4) ? "key \(number)" : nil
      let run = try await start("flow \(number % 3)", key: key)
      if number.isMultiple(of: 2) { try await journal.change(run.id, .cancel, at: time) }
      records.append(try await self.run(run.id))
      move(by: 1)
    }
    try await start("another flow", key: "key 4")
    records.append(contentsOf: try await journal.runs(RunQuery(limit: 1)).runs)
    let queries = [
      RunQuery(flow: "flow 1"), RunQuery(flow: "no flow"), RunQuery(states: [.cancelled]),
      RunQuery(states: [.ready, .cancelled]), RunQuery(states: [.dead]), RunQuery(key: "key 4"),
      RunQuery(flow: "another flow", key: "key 4"), RunQuery(key: "no key"),
      RunQuery(since: begin + 7), RunQuery(since: begin + 7.125), RunQuery(since: begin + 100),
      RunQuery(flow: "flow 2", states: [.ready], since: begin + 3),
      RunQuery(flow: "flow 0", states: [.cancelled], key: "key 12", since: begin + 12),
    ]
    for var query in queries {
      let wanted = records.filter {
        (query.flow ?? $0.flow) == $0.flow
          && (query.states.isEmpty || query.states.contains($0.state))
          && (query.key == nil || query.key == $0.key)
          && (query.since ?? .distantPast) <= $0.startedAt
      }
      for limit in [2, 100] {
        query.limit = limit
        let found = try await all(query, .filter)
        expect(
          found, equals: wanted.map(\.id).sorted().reversed(), .filter, "what \(query) gives")
      }
    }
  }

  func tellsChanges() async throws {
    var mark = try await journal.changes(since: nil).mark
    // A journal without an order may report that any run may have changed.
    guard mark != nil else { return }
    func expectChange(_ id: RunID, _ what: String) async throws {
      let changes = try await journal.changes(since: mark)
      mark = changes.mark
      guard let runs = changes.runs else { return }
      let state = try await run(id).state
      expect(runs[id] == state, .changes, "\(what) was told as \(runs), and it was \(state).")
    }
    let waiting = try await startAndClaim("waiting")
    try await checkpoint(waiting, .waiting(json(1), until: time.date))
    try await expectChange(waiting.id, "a checkpoint")
    let done = try await startAndClaim("done")
    try await checkpoint(done, .stage(json(1)))
    try await expectChange(done.id, "a checkpoint that goes on")
    try await checkpoint(try await run(done.id), .completion(json(2)))
    try await expectChange(done.id, "a completion")
    let dead = try await startAndClaim("dead")
    try await park(dead, .dead(error: "no"))
    try await expectChange(dead.id, "a death")
    try await journal.change(dead.id, .edit(json(3), version: nil), at: time)
    try await expectChange(dead.id, "an edit")
    let blocked = try await startAndClaim("blocked")
    try await park(blocked, .blocked(error: "no"))
    try await expectChange(blocked.id, "a blocked run")
    try await journal.change(blocked.id, .cancel, at: time)
    try await expectChange(blocked.id, "a cancelled run")
    let part = child()
    let parent = try await startParent(of: [part], flow: "parent")
    mark = try await journal.changes(since: mark).mark
    try await journal.change(parent.id, .cancel, at: time)
    // A claim carries the cancellation of the children out, at the latest.
    _ = try await claim("part")
    try await expectChange(part.id, "a child that was cancelled with its parent")
    // Numbers of purged rows must not hide later ones.
    move(by: 100_000)
    try await journal.purge(
      JournalRetention(runs: .zero, stepsPerRun: 0), at: time)
    let late = try await startAndClaim("late")
    try await checkpoint(late, .completion(json(1)))
    try await expectChange(late.id, "a completion after a purge")
  }

  func takesForeignMarks() async throws {
    let run = try await startAndClaim()
    try await checkpoint(run, .completion(json(1)))
    guard let mark = try await journal.changes(since: nil).mark, !mark.positions.isEmpty else {
      return
    }
    for position in [.min, -1, .max] as [Int64] {
      // A mark that is wrong in one place may be taken for an own one, but must end no process.
      for place in mark.positions.indices {
        var wrong = mark
        wrong.positions[place] = position
        _ = try await journal.changes(since: wrong)
      }
      let foreign = JournalMark(positions: mark.positions.map { _ in position })
      let changes = try await journal.changes(since: foreign)
      expect(changes.runs, equals: nil, .changes, "the changes since the mark \(position)")
    }
  }

  func limitsPages() async throws {
    var ids: [RunID] = []
    for number in 0...1_000 {
      if number.isMultiple(of: 100) { move(by: 1) }
      ids.append(try await start().id)
    }
    for (limit, count) in [(0, 1), (-7, 1), (1, 1), (7, 7), (1_000, 1_000), (1_001, 1_000)] {
      let page = try await journal.runs(RunQuery(limit: limit))
      expect(page.runs.count, equals: count, .pageLimit, "the runs of a page with limit \(limit)")
    }
    let large = try await journal.runs(RunQuery(limit: .max))
    expect(large.runs.count, equals: 1_000, .pageLimit, "the runs of a page without limit")
    let last = try await journal.runs(RunQuery(before: large.next, limit: .max))
    expect(
      last, equals: RunPage(runs: [try await run(ids.sorted()[0])]), .pageLimit,
      "what the first 1,000 leave")
  }

  func pagesSteps() async throws {
    var run = try await startAndClaim()
    for number in 1...1_001 {
      try await checkpoint(run, .stage(json(number)))
      run.sequence = number
    }
    func page(_ after: Int?, _ limit: Int) async throws -> [Int] {
      let page = try await journal.steps(of: run.id, after: after, limit: limit)
      expect(
        page.next, equals: page.steps.last.flatMap { $0.sequence < 1_000 ? $0.sequence : nil },
        .stepPages, "what follows step \(page.steps.last?.sequence ?? -1)")
      return page.steps.map(\.sequence)
    }
    expect(try await page(nil, 3), equals: [0, 1, 2], .stepPages, "the first page")
    expect(try await page(2, 3), equals: [3, 4, 5], .stepPages, "the second page")
    expect(try await page(997, 3), equals: [998, 999, 1_000], .stepPages, "a full last page")
    expect(try await page(998, 3), equals: [999, 1_000], .stepPages, "the last page")
    expect(try await page(1_000, 3), equals: [], .stepPages, "after the last")
    expect(try await page(.max, 3), equals: [], .stepPages, "after the highest number")
    expect(try await page(-5, 2), equals: [0, 1], .stepPages, "after a number below zero")
    for (limit, count) in [(0, 1), (-7, 1), (1_000, 1_000), (1_001, 1_000), (.max, 1_000)] {
      expect(try await page(nil, limit).count, equals: count, .stepPages, "with limit \(limit)")
    }
    expect(
      try await journal.steps(of: newID(), after: nil, limit: 10), equals: StepPage(steps: []),
      .stepPages, "the steps of no run")
  }
}
