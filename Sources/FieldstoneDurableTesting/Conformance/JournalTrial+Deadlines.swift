import FieldstoneCore
import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var deadlines: [Self] {
    [
      Self(.deadline) { try await $0.cancelsAtTheDeadline() },
      Self(.deadline) { try await $0.cancelsAtARenewal() },
      Self(.deadline) { try await $0.retriesAfterTheDeadline() },
      Self(.deadline) { try await $0.cancelsLateFamilies() },
      Self(.deadline) { try await $0.cancelsLateHoldersOfPlaces() },
      Self(.deadline) { try await $0.cancelsManyLateOnes() },
      Self(.deadline) { try await $0.givesNoLateOne() },
      Self(.orphans) { try await $0.givesNoChildOfACancelledParent() },
    ]
  }
}

extension JournalExamination {
  private func start(
    _ flow: String, deadline seconds: Double, concurrencyKey: String? = nil
  ) async throws -> RunRecord {
    var start = RunStart(
      id: newID(), flow: flow, version: 1, payload: json(0), concurrencyKey: concurrencyKey)
    start.deadline = time.date + seconds
    return try await journal.start(start, at: time)
  }

  func cancelsAtTheDeadline() async throws {
    let end = time.date + 30
    let ready = try await start("ready", deadline: 30)
    expect(ready.deadline, equals: end, .deadline, "the deadline of a new run")
    let running = try await start("running", deadline: 30)
    let held = try await claimOne("running").record
    _ = try await start("waiting", deadline: 30)
    let waiting = try await claimOne("waiting").record
    try await checkpoint(waiting, .receiving(json(1), signals: ["go"], until: nil))
    _ = try await start("blocked", deadline: 30)
    let blocked = try await claimOne("blocked").record
    try await park(blocked, .blocked(error: "no"))
    _ = try await start("completed", deadline: 30)
    let completed = try await claimOne("completed").record
    try await checkpoint(completed, .completion(json(1)))
    _ = try await start("dead", deadline: 30)
    let dead = try await claimOne("dead").record
    try await park(dead, .dead(error: "no"))
    let paused = try await start("paused", deadline: 30)
    try await journal.pause(.run(paused.id), until: nil, at: time)
    let ofPausedFlow = try await start("paused flow", deadline: 30)
    try await journal.pause(.flow("paused flow"), until: nil, at: time)
    let others = try await start("others", deadline: 40)
    expect(
      try await claim("another flow").nextDueAt, equals: end, .deadline,
      "when the next deadline is")
    move(by: 29)
    _ = try await claim("another flow")
    expect(try await run(ready.id).state, equals: .ready, .deadline, "a run before its deadline")
    move(by: 1)
    _ = try await claim("another flow")
    for id in [ready, running, waiting, blocked, paused, ofPausedFlow].map(\.id) {
      let record = try await run(id)
      expect(
        record.state, equals: .cancelled, .deadline, "a run of \(record.flow) at its deadline")
      expect(
        record.cancellationReason, equals: .deadline, .deadline, "why it was cancelled")
      expect(record.worker, equals: nil, .deadline, "its worker")
      expect(record.dueAt, equals: nil, .deadline, "what it waits for")
      expect(record.changedAt, equals: time.date, .deadline, "when it was cancelled")
    }
    expect(
      try await run(completed.id).state, equals: .completed, .deadline, "a run that was over")
    expect(try await run(dead.id).state, equals: .dead, .deadline, "a dead run")
    expect(
      try await journal.pauses().map(\.target), equals: [.flow("paused flow")], .deadline,
      "the pauses that are left")
    expect(try await run(others.id).state, equals: .ready, .deadline, "a run with a later deadline")
    try await expectRefusal(.deadline, .claimLost, of: running.id, "the worker's checkpoint") {
      try await checkpoint(held, .stage(json(1)))
    }
    expect(try await claim("ready").runs, equals: [], .deadline, "what is claimed after that")
    let person = try await start("person", deadline: 30)
    try await journal.change(person.id, .cancel, at: time)
    expect(
      try await run(person.id).cancellationReason, equals: .caller, .deadline,
      "why one was cancelled before its deadline")
  }

  func cancelsAtARenewal() async throws {
    _ = try await start("first", deadline: 30)
    let first = try await claimOne("first", lease: .seconds(100)).record
    let second = try await startAndClaim("second", lease: .seconds(100))
    move(by: 20)
    expect(
      try await journal.renew([first.claim, second.claim], lease: .seconds(100), at: time),
      equals: [], .deadline, "what is lost before the deadline")
    move(by: 10)
    expect(
      try await journal.renew([first.claim, second.claim], lease: .seconds(100), at: time),
      equals: [first.claim], .deadline, "what is lost at the deadline")
    expect(try await run(first.id).state, equals: .cancelled, .deadline, "the run after that")
  }

  func retriesAfterTheDeadline() async throws {
    let late = try await start("flow", deadline: 10)
    let early = try await start("early", deadline: 100)
    move(by: 10)
    _ = try await claim("another flow")
    try await journal.change(early.id, .cancel, at: time)
    var retried = try await journal.change(late.id, .retry, at: time)
    expect(retried.deadline, equals: nil, .deadline, "a deadline that has passed, after a retry")
    retried = try await journal.change(early.id, .retry, at: time)
    expect(
      retried.deadline, equals: early.deadline, .deadline, "another deadline, after a retry")
    expect(
      try await claim("flow").runs.map(\.record.id), equals: [late.id], .deadline,
      "what is claimed after a retry")
  }

  func cancelsLateFamilies() async throws {
    // A child past its deadline counts for its parent like a cancelled one.
    var late = child(flow: "late")
    var start = late.start
    start.deadline = time.date + 10
    late = ChildStart(start)
    let parent = try await startParent(of: [late], when: .failFast)
    move(by: 10)
    _ = try await claim("another flow")
    expect(try await isAwake(parent.id), equals: true, .deadline, "whether the parent goes on")
    expect(
      try await children(of: parent.id).map(\.end), equals: [.cancelled], .deadline,
      "how a late child has ended")
    // The children of a parent past its deadline are cancelled, except detached ones.
    _ = try await self.start("parent", deadline: 10)
    let waiting = try await claimOne("parent").record
    var both = child()
    start = both.start
    start.deadline = time.date + 10
    both = ChildStart(start)
    let all = [child(), both, child(isDetached: true)]
    try await checkpoint(waiting, .joining(json(1), .init(all)))
    move(by: 10)
    // The second claim cancels the rest.
    for _ in 0..<2 { _ = try await claim("another flow") }
    expect(try await run(waiting.id).state, equals: .cancelled, .deadline, "a parent that is late")
    let records = try await children(of: waiting.id)
    expect(
      records.map(\.state), equals: [.cancelled, .cancelled, .ready], .deadline,
      "the children of a late parent")
    expect(
      records.map(\.end), equals: [nil, nil, nil], .deadline, "what its parent was told of them")
    expect(
      try await run(all[0].id).cancellationReason, equals: .caller, .deadline,
      "why a child was cancelled that has no deadline")
  }

  func cancelsLateHoldersOfPlaces() async throws {
    try await journal.setLimits(
      FlowLimits(perKey: .init(1)), of: "flow", replacing: true, at: time)
    let holder = try await start("flow", deadline: 12, concurrencyKey: "a")
    move(by: 1)
    let behind = try await start("flow", deadline: 21, concurrencyKey: "a")
    move(by: 1)
    let last = try await start("flow", deadline: 40, concurrencyKey: "a")
    let held = try await claimOne().record
    expect(held.id, equals: holder.id, .deadline, "what has the place")
    try await checkpoint(held, .waiting(json(1), until: time.date + 9_999))
    move(by: 10)
    _ = try await claim("another flow")
    // Its place is free; the run behind it passes its deadline before it gets the place.
    move(by: 10)
    var given: [RunID] = []
    for _ in 0..<2 { given += try await claim().runs.map(\.record.id) }
    expect(given, equals: [last.id], .deadline, "what gets the place of a late run")
    for late in [holder, behind] {
      expect(
        try await run(late.id).state, equals: .cancelled, .deadline, "a late run with a limited key"
      )
    }
  }

  /// Starts more runs than one claim cancels, with a deadline after ten seconds.
  private func startMany(_ flow: String) async throws {
    let starts = (0..<1_200).map { _ in
      var start = RunStart(id: newID(), flow: flow, version: 1, payload: json(0))
      start.deadline = time.date + 10
      return start
    }
    for answer in await journal.start(starts, at: time) { _ = try answer.get() }
  }

  func cancelsManyLateOnes() async throws {
    try await startMany("many")
    move(by: 10)
    _ = try await claimAll("another flow")
    let open = try await journal.runs(RunQuery(flow: "many", states: [.ready], limit: 1)).runs
    expect(open, equals: [], .deadline, "late runs after some claims")
  }

  func givesNoLateOne() async throws {
    try await startMany("late")
    let other = try await start("late")
    move(by: 10)
    let given = try await claimAll("late", limit: 500).map(\.record.id)
    expect(given, equals: [other.id], .deadline, "what is claimed of a flow with many late runs")
  }

  func givesNoChildOfACancelledParent() async throws {
    let parent = try await startAndClaim()
    let children = (0..<1_200).map { _ in child() }
    try await checkpoint(parent, .joining(json(1), .init(children)))
    let other = try await start("part")
    try await journal.change(parent.id, .cancel, at: time)
    let given = try await claimAll("part", limit: 500).map(\.record.id)
    expect(
      given, equals: [other.id], .orphans, "what is claimed beside a cancelled parent's children")
    for child in [children.first, children.last].compactMap(\.self) {
      let state = try await run(child.id).state
      expect(state, equals: .cancelled, .orphans, "a child of a cancelled parent")
    }
  }
}
