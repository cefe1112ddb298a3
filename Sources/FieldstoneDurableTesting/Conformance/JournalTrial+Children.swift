import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var children: [Self] {
    [
      Self(.children) { try await $0.startsChildren() },
      Self(.children) { try await $0.refusesChildren() },
      Self(.children) { try await $0.refusesKeysOfParents() },
      Self(.children) { try await $0.refusesFlowsOfParents() },
      Self(.join) { try await $0.joinsByPolicy() },
      Self(.join) { try await $0.countsEachEndOnce() },
      Self(.join) { try await $0.countsEachJoinAlone() },
      Self(.join) { try await $0.endsWaitsInTime() },
      Self(.join) { try await $0.losesNoWakeUp() },
      Self(.orphans) { try await $0.cancelsOrphans() },
      Self(.orphans) { try await $0.cancelsOrphansOfWaysOn() },
      Self(.orphans) { try await $0.cancelsManyOrphans() },
      Self(.childOutcomes) { try await $0.keepsOutcomes() },
      Self(.childOutcomes) { try await $0.pagesChildren() },
      Self(.childOutcomes) { try await $0.purgesChildrenLater() },
    ]
  }
}

extension JournalExamination {
  func child(isDetached: Bool = false, flow: String = "part") -> ChildStart {
    ChildStart(
      RunStart(id: newID(), flow: flow, version: 1, payload: json(1)), isDetached: isDetached)
  }

  /// Starts a run that waits for a number of children.
  func startParent(
    of children: [ChildStart], when policy: JoinPolicy = .all, until date: Date? = nil,
    flow: String = "flow"
  ) async throws -> RunRecord {
    let run = try await startAndClaim(flow)
    try await checkpoint(run, .joining(json(1), .init(children, when: policy, until: date)))
    return try await self.run(run.id)
  }

  /// Claims a run; nil if it is not due.
  func claimRun(_ id: RunID, of flow: String) async throws -> RunRecord? {
    let runs = try await claim(flow).runs.map(\.record)
    for run in runs where run.id != id { try await park(run, .shutdown) }
    return runs.first { $0.id == id }
  }

  /// Claims a child and ends it.
  func end(_ child: ChildStart, as state: RunState = .completed) async throws {
    if state == .cancelled {
      try await journal.change(child.id, .cancel, at: time)
      return
    }
    guard let run = try await claimRun(child.id, of: child.start.flow) else {
      throw Missing(detail: "a child could not be claimed.")
    }
    switch state {
    case .completed: try await checkpoint(run, .completion(json(9)))
    case .dead: try await park(run, .dead(error: "no"))
    case .blocked: try await park(run, .blocked(error: "no"))
    case .ready, .running, .cancelled: break
    }
  }

  func children(of id: RunID, at sequence: Int? = nil) async throws -> [ChildRecord] {
    try await journal.children(of: id, at: sequence, after: nil, limit: 1_000).children
  }

  /// Whether a run that waited is ready, without a wait.
  func isAwake(_ id: RunID) async throws -> Bool {
    let run = try await run(id)
    return run.state == .ready && run.dueAt == nil && run.join?.policy == nil
  }

  // MARK: Children

  func startsChildren() async throws {
    let parent = try await startAndClaim()
    var later = RunStart(
      id: newID(), flow: "other", version: 3, key: "key", payload: json(4), priority: 2)
    later.notBefore = time.date + 30
    let starts = [child(), ChildStart(later, isDetached: true), child()]
    let next = Checkpoint.Next.joining(json(1), .init(starts))
    var lost = parent
    lost.fence -= 1
    try await expectRefusal(.children, .claimLost, of: parent.id, "a join of a lost claim") {
      try await checkpoint(lost, next)
    }
    for start in starts {
      expect(try await journal.run(start.id), equals: nil, .children, "a child of no step")
    }
    try await checkpoint(parent, next)
    var wanted = parent
    (wanted.state, wanted.sequence, wanted.payload, wanted.attempts) = (.ready, 1, json(1), 0)
    (wanted.dueAt, wanted.worker, wanted.changedAt) = (.distantFuture, nil, time.date)
    wanted.join = RunJoin(sequence: 0, policy: .all, open: 3)
    expect(try await run(parent.id), equals: wanted, .children, "a run that waits for its children")
    for (ordinal, start) in starts.enumerated() {
      let made = RunRecord(
        id: start.id, flow: start.start.flow, version: start.start.version,
        priority: start.start.priority, payload: start.start.payload, startedAt: time.date,
        changedAt: time.date, dueAt: start.start.notBefore, parent: parent.id)
      expect(try await journal.run(start.id), equals: made, .children, "a child")
      let record = ChildRecord(
        id: start.id, place: ChildPlace(sequence: 0, ordinal: ordinal), flow: start.start.flow,
        isDetached: start.isDetached, state: .ready)
      let all = try await children(of: parent.id)
      expect(all.count == 3 && all[ordinal] == record, .children, "the children are \(all).")
    }
    try await expectRefusal(.children, .claimLost, of: parent.id, "the same join again") {
      try await checkpoint(parent, next)
    }
    expect(
      try await children(of: parent.id).count, equals: 3, .children, "the children of one join")
    expect(
      try await claim().runs.isEmpty, .children, "a run that waits for its children was given.")
    let none = try await startParent(of: [])
    expect(none.dueAt, equals: nil, .children, "the wait for no children")
    let claimed = try await claimOne().record
    expect(claimed.id, equals: none.id, .children, "the run that waits for no children")
    expect(
      claimed.join, equals: RunJoin(sequence: 0, policy: nil, open: 0), .children,
      "the join of no children")
    try await checkpoint(claimed, .waiting(json(2), until: time.date + 10))
    expect(try await run(none.id).join, equals: nil, .children, "the join of a later stage")
  }

  func refusesChildren() async throws {
    let other = try await start("other")
    let parent = try await startAndClaim()
    var taken = child().start
    taken.id = other.id
    let twice = child()
    for starts in [[child(), ChildStart(taken)], [twice, twice]] {
      try await expectRefusal(
        .children, .childTaken, of: parent.id, "a child with another run's identifier"
      ) { try await checkpoint(parent, .joining(json(1), .init(starts))) }
      expect(
        try await journal.runs(RunQuery(flow: "part")).runs.count, equals: 0, .children,
        "the children of a refused step")
    }
    expect(try await run(other.id), equals: other, .children, "a run that is no child")
    // Larger limits than these are not tried: they take too long.
    if journal.limits.children < 100_000 {
      let many = (0...max(journal.limits.children, 0)).map { _ in child() }
      try await expectRefusal(.children, .tooManyChildren, of: parent.id, "too many children") {
        try await checkpoint(parent, .joining(json(1), .init(many)))
      }
    }
    guard (0..<1_000).contains(journal.limits.depth) else { return }
    var deepest = parent
    for _ in 0..<journal.limits.depth {
      let next = child()
      try await checkpoint(deepest, .joining(json(1), .init([next])))
      deepest = try await claimOne("part").record
    }
    try await expectRefusal(.children, .tooDeep, of: deepest.id, "a child of too many ancestors") {
      try await checkpoint(deepest, .joining(json(1), .init([child()])))
    }
  }

  // MARK: Joins

  func joinsByPolicy() async throws {
    let ends: [RunState] = [.completed, .dead, .cancelled, .blocked]
    for (index, state) in ends.enumerated() {
      let parts = "part \(index)"
      let expected: [JoinPolicy: Bool] = [
        .all: false, .first: state != .blocked, .failFast: state == .dead || state == .cancelled,
      ]
      for policy in JoinPolicy.allCases {
        let starts = [child(flow: parts), child(flow: parts)]
        let parent = try await startParent(of: starts, when: policy, flow: "flow \(index)")
        move(by: 1)
        try await end(starts[1], as: state)
        let isAwake = try await isAwake(parent.id)
        expect(
          isAwake, equals: expected[policy] ?? false, .join,
          "whether \(policy) is met by one of two that is \(state)")
        if isAwake {
          let changedAt = try await run(parent.id).changedAt
          expect(changedAt, equals: time.date, .join, "when it was woken")
        } else {
          let wanted = RunJoin(sequence: 0, policy: policy, open: state == .blocked ? 2 : 1)
          expect(try await run(parent.id).join, equals: wanted, .join, "a join after one end")
        }
        if !isAwake, state != .blocked {
          try await end(starts[0])
          let last = try await self.isAwake(parent.id)
          expect(last, .join, "\(policy) was not met by the last child.")
        }
        _ = try await journal.change(parent.id, .cancel, at: time)
        _ = try await claim("nothing")
      }
    }
  }

  func countsEachEndOnce() async throws {
    let starts = [child(), child()]
    let parent = try await startParent(of: starts)
    for state in [RunState.dead, .cancelled, .completed] {
      try await end(starts[0], as: state)
      let wanted = RunJoin(sequence: 0, policy: .all, open: 1)
      expect(
        try await run(parent.id).join, equals: wanted, .join,
        "the join of two, one of which has ended before and is now \(state)")
      if state != .completed { try await journal.change(starts[0].id, .retry, at: time) }
    }
    try await end(starts[1])
    let claimed = try await claimOne().record
    expect(claimed.id, equals: parent.id, .join, "the run that was woken")
    expect(claimed.attempts, equals: 1, .join, "its attempts")
    expect(
      claimed.join, equals: RunJoin(sequence: 0, policy: nil, open: 0), .join, "its join then")
    let other = child()
    let second = try await startParent(of: [other], flow: "exhausted")
    let run = try await claimOne("part").record
    try await park(run, .exhausted(error: "no"))
    expect(try await isAwake(second.id), .join, "an exhausted child did not wake its parent.")
  }

  func endsWaitsInTime() async throws {
    let starts = [child(), child(isDetached: true)]
    let date = time.date + 10
    let parent = try await startParent(of: starts, until: date)
    expect(parent.dueAt, equals: date, .join, "until when it waits")
    expect(try await claim().nextDueAt, equals: date, .join, "when the next run is due")
    try await end(starts[0])
    move(by: 10)
    let claimed = try await claimOne().record
    let wanted = RunJoin(sequence: 0, policy: nil, open: 1)
    expect(claimed.join, equals: wanted, .join, "the join whose time is out")
    try await end(starts[1])
    expect(try await run(parent.id), equals: claimed, .join, "the run after a late end")
    let ends = try await children(of: parent.id, at: 0).map(\.end)
    expect(ends, equals: [.completed, nil], .join, "the ends in time, and the late one")
  }

  func losesNoWakeUp() async throws {
    let journals = [journal, other ?? journal]
    for _ in 0..<5 {
      let starts = (0..<16).map { _ in child() }
      let parent = try await startParent(of: starts)
      let runs = try await claim("part").runs.map(\.record)
      let time = self.time
      let payload = json(9)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, run) in runs.enumerated() {
          group.addTask {
            let journal = journals[index % 2]
            if index % 4 == 3 {
              try await journal.park(
                Parking(claim: run.claim, reason: .dead(error: "no")), at: time)
            } else {
              try await journal.checkpoint(
                Checkpoint(
                  claim: run.claim, version: 1, next: .completion(payload), beganAt: time.date,
                  lease: .seconds(60)), at: time)
            }
          }
        }
        try await group.waitForAll()
      }
      expect(runs.count, equals: 16, .join, "the children that were claimed")
      expect(
        try await run(parent.id).join?.open, equals: 0, .join,
        "the open ones of 16 that ended at the same time")
      let claimed = try await claimRun(parent.id, of: "flow")
      expect(claimed != nil, .join, "the last of 16 that ended at the same time woke nobody.")
      if let claimed { try await checkpoint(claimed, .completion(json(9))) }
    }
  }

  // MARK: Orphans

  func cancelsOrphans() async throws {
    let grandchild = child(flow: "grandchild")
    let starts = [child(), child(isDetached: true), child(), child(flow: "held"), child()]
    let parent = try await startParent(of: starts)
    try await end(starts[0])
    // One waits for a child itself, one is in progress, and one is blocked.
    guard let waiting = try await claimRun(starts[2].id, of: "part") else {
      throw Missing(detail: "a child could not be claimed.")
    }
    try await checkpoint(waiting, .joining(json(1), .init([grandchild])))
    let held = try await claimOne("held").record
    try await end(starts[4], as: .blocked)
    move(by: 1)
    try await journal.change(parent.id, .cancel, at: time)
    expect(
      try await run(parent.id).join, equals: RunJoin(sequence: 0, policy: nil, open: 4), .orphans,
      "the join of a cancelled run")
    move(by: 1)
    let given = try await claim("grandchild").runs.count
    expect(given, equals: 0, .orphans, "the grandchildren that were given")
    let states = try await children(of: parent.id).map(\.state)
    expect(
      states, equals: [.completed, .ready, .cancelled, .cancelled, .cancelled], .orphans,
      "the children of a cancelled run")
    expect(try await run(grandchild.id).state, equals: .cancelled, .orphans, "a grandchild")
    expect(try await run(held.id).changedAt, equals: time.date, .orphans, "when it was cancelled")
    try await expectRefusal(.orphans, .claimLost, of: held.id, "a checkpoint of a cancelled child")
    {
      try await checkpoint(held, .completion(json(9)))
    }
    let ends = try await children(of: parent.id).map(\.end)
    expect(ends, equals: [.completed, nil, nil, nil, nil], .orphans, "the ends in time")
  }

  func cancelsOrphansOfWaysOn() async throws {
    for way in ["first", "failFast", "time", "retry", "edit"] {
      let starts = [child(flow: way), child(isDetached: true, flow: way), child(flow: way)]
      let policy = JoinPolicy(rawValue: way) ?? .all
      let parent = try await startParent(
        of: starts, when: policy, until: way == "time" ? time.date + 5 : nil, flow: "parent \(way)")
      switch way {
      case "first": try await end(starts[2])
      case "failFast": try await end(starts[2], as: .dead)
      case "time":
        move(by: 5)
        _ = try await claimOne("parent \(way)")
      case "retry": try await journal.change(parent.id, .retry, at: time)
      default: try await journal.change(parent.id, .edit(json(5), version: nil), at: time)
      }
      _ = try await claim("nothing")
      let states = try await children(of: parent.id).map(\.state)
      let last: RunState =
        switch way {
        case "first": .completed
        case "failFast": .dead
        default: .cancelled
        }
      expect(
        states, equals: [.cancelled, .ready, last], .orphans,
        "the children of a run that went on by \(way)")
      let run = try await run(parent.id)
      let open = way == "first" || way == "failFast" ? 2 : 3
      let wanted = RunJoin(sequence: 0, policy: nil, open: open)
      expect(run.join, equals: wanted, .orphans, "the join of a run that went on by \(way)")
      expect(
        run.state, equals: way == "time" ? .running : .ready, .orphans,
        "a run that went on by \(way)")
    }
  }

  func cancelsManyOrphans() async throws {
    let starts = (0..<1_100).map { child(isDetached: $0 == 1_050) }
    let parent = try await startParent(of: starts)
    try await journal.change(parent.id, .cancel, at: time)
    _ = try await claimAll("nothing")
    let page = try await journal.children(
      of: parent.id, at: nil, after: ChildPlace(sequence: 0, ordinal: 999), limit: 1_000)
    let all = try await children(of: parent.id) + page.children
    let open = all.filter { $0.state != .cancelled }.map(\.id)
    expect(
      open, equals: [starts[1_050].id], .orphans, "the open ones of 1,100 after claims")
  }

  // MARK: Outcomes

  func keepsOutcomes() async throws {
    let starts = (0..<4).map { _ in child() }
    let parent = try await startParent(of: starts, until: time.date + 10)
    try await end(starts[0])
    try await end(starts[1], as: .dead)
    try await end(starts[2], as: .cancelled)
    move(by: 10)
    let claimed = try await claimOne().record
    func outcomes() async throws -> [String] {
      try await children(of: parent.id, at: 0).map { child in
        let completion = child.completion.map { String(decoding: $0, as: UTF8.self) }
        return [child.end?.rawValue, completion, child.error].compactMap { $0 }
          .joined(separator: " ")
      }
    }
    let wanted = [
      "completed " + String(decoding: json(9), as: UTF8.self), "dead no", "cancelled", "",
    ]
    expect(try await outcomes(), equals: wanted, .childOutcomes, "the outcomes")
    try await park(claimed, .retry(at: time.date, error: "later"))
    // Later events do not count.
    try await journal.change(starts[1].id, .retry, at: time)
    let again = try await claimRun(starts[1].id, of: "part")
    if let again { try await park(again, .retry(at: time.date, error: "another")) }
    for start in [starts[1], starts[2]] {
      if try await run(start.id).state.isOver {
        try await journal.change(start.id, .edit(json(6), version: nil), at: time)
      }
      try await end(start)
    }
    let record = try await claimOne().record
    expect(record.join?.sequence, equals: 0, .childOutcomes, "the join at the next attempt")
    expect(try await outcomes(), equals: wanted, .childOutcomes, "the outcomes at the next attempt")
    try await journal.change(record.id, .cancel, at: time)
    try await journal.change(record.id, .edit(json(7), version: nil), at: time)
    let edited = try await claimOne().record
    expect(edited.join?.sequence, equals: 0, .childOutcomes, "the join of an edited stage")
    expect(try await outcomes(), equals: wanted, .childOutcomes, "the outcomes for an edited stage")
  }

  func pagesChildren() async throws {
    let first = [child(), child(), child()]
    let parent = try await startParent(of: first, when: .first)
    try await end(first[0])
    let second = [child(flow: "second"), child(flow: "second")]
    guard let claimed = try await claimRun(parent.id, of: "flow") else {
      throw Missing(detail: "the parent could not be claimed.")
    }
    try await checkpoint(claimed, .joining(json(2), .init(second)))
    for (sequence, wanted) in [
      (nil, first + second), (0, first), (1, second), (2, []),
    ] as [(Int?, [ChildStart])] {
      var found: [RunID] = []
      var after: ChildPlace?
      for _ in 0...wanted.count {
        let page = try await journal.children(of: parent.id, at: sequence, after: after, limit: 2)
        expect(page.children.count <= 2, .childOutcomes, "a page holds \(page.children.count).")
        found += page.children.map(\.id)
        after = page.next
        if after == nil { break }
      }
      expect(
        found, equals: wanted.map(\.id), .childOutcomes,
        "the pages of the children of stage \(sequence.map { "\($0)" } ?? "any")")
    }
    let none = try await journal.children(of: first[0].id, at: nil, after: nil, limit: 5)
    expect(none, equals: ChildPage(children: []), .childOutcomes, "the children of a childless run")
  }

  func purgesChildrenLater() async throws {
    let starts = [child(), child()]
    let parent = try await startParent(of: starts)
    try await end(starts[0])
    let retention = JournalRetention(runs: .seconds(10))
    let ended = starts[0].id
    func expectNoPurge(_ what: String) async throws {
      try await expectRefusal(.childOutcomes, .stillNeeded, of: ended, "a purge of a child \(what)")
      {
        try await journal.purge(ended, by: nil, at: time)
      }
    }
    try await expectNoPurge("that its parent waits for")
    move(by: 20)
    expect(
      try await journal.purge(retention, at: time), equals: 0, .childOutcomes,
      "how many of the children went that their parent waits for")
    try await end(starts[1])
    let claimed = try await claimOne().record
    try await expectNoPurge("whose outcome its parent reads")
    move(by: 20)
    expect(
      try await journal.purge(retention, at: time), equals: 0, .childOutcomes,
      "how many of the children went whose outcomes are read")
    expect(
      try await children(of: parent.id).map(\.end), equals: [.completed, .completed],
      .childOutcomes,
      "the outcomes after a purge")
    try await checkpoint(claimed, .stage(json(2)))
    expect(
      try await journal.purge(retention, at: time), equals: 2, .childOutcomes,
      "how many of the children went after their parent had gone on")
    expect(try await children(of: parent.id), equals: [], .childOutcomes, "the children then")
  }
}
