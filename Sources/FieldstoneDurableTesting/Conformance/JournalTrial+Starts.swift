import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var starts: [Self] {
    [
      Self(.start) { try await $0.startsARun() },
      Self(.starts) { try await $0.startsMany() },
      Self(.key) { try await $0.keepsKeys() },
      Self(.key) { try await $0.keepsIdentifiers() },
      Self(.takenKey) { try await $0.replacesWhatHasNotBegun() },
      Self(.takenKey) { try await $0.restartsWhatIsOver() },
      Self(.takenKey) { try await $0.replacesAllOfAStart() },
      Self(.notBefore) { try await $0.startsLater() },
      Self(.priority) { try await $0.prefersPriorities() },
      Self(.payloadLimit) { try await $0.limitsPayloads() },
      Self(.keyLimit) { try await $0.limitsKeys() },
    ]
  }
}

extension JournalExamination {
  func startsARun() async throws {
    let start = RunStart(id: newID(), flow: "flow", version: 3, key: "ключ 🔑", payload: json(5))
    let wanted = RunRecord(
      id: start.id, flow: "flow", version: 3, key: "ключ 🔑", payload: json(5),
      startedAt: time.date, changedAt: time.date)
    expect(try await journal.run(start.id), equals: nil, .start, "before the start")
    expect(try await journal.start(start, at: time), equals: wanted, .start, "the answer")
    expect(try await journal.run(start.id), equals: wanted, .start, "the run")
    expect(try await steps(of: start.id), equals: [], .start, "the steps")
    expect(try await journal.run(newID()), equals: nil, .start, "a run that was not started")
  }

  func keepsKeys() async throws {
    for (state, id) in try await runsInEachState(key: "key") {
      let before = try await run(id)
      move(by: 1)
      let another = RunStart(
        id: newID(), flow: before.flow, version: 2, key: "key", payload: json(1))
      let answer = try await journal.start(another, at: time)
      expect(answer, equals: before, .key, "the second start while the first is \(state)")
      expect(try await run(id), equals: before, .key, "the first run, which was \(state)")
      expect(
        try await journal.run(another.id), equals: nil, .key,
        "the second run while the first is \(state)")
    }
    let elsewhere = try await start("another flow", key: "key")
    expect(elsewhere.flow, equals: "another flow", .key, "the flow of another flow's run")
    let composed = try await start("accents", key: "\u{e9}").id
    let decomposed = try await start("accents", key: "e\u{301}").id
    expect(composed != decomposed, .key, "of two keys of other bytes one was taken for the other.")
    for (key, id) in [("\u{e9}", composed), ("e\u{301}", decomposed)] {
      let found = try await journal.runs(RunQuery(flow: "accents", key: key)).runs.map(\.id)
      expect(found, equals: [id], .key, "the run of a key")
    }
    let keyless = [try await start("keyless").id, try await start("keyless").id]
    expect(keyless[0] != keyless[1], .key, "of two starts without a key one was taken for both.")
  }

  func keepsIdentifiers() async throws {
    let start = RunStart(id: newID(), flow: "flow", version: 1, payload: json(0))
    let first = try await journal.start(start, at: time)
    move(by: 1)
    expect(try await journal.start(start, at: time), equals: first, .key, "the same start again")
    expect(try await claim().runs.count, equals: 1, .key, "the runs of two starts that are one")
  }

  func replacesWhatHasNotBegun() async throws {
    let first = try await start("flow of ready", key: "key")
    try await signal(first.id, "signal")
    move(by: 1)
    var another = RunStart(
      id: newID(), flow: first.flow, version: 2, key: "key", payload: json(1),
      ifTaken: .replaceUnlessBegun, notBefore: time.date + 10, priority: 3)
    var wanted = first
    (wanted.version, wanted.payload, wanted.priority) = (2, json(1), 3)
    (wanted.changedAt, wanted.dueAt) = (time.date, time.date + 10)
    expect(try await journal.start(another, at: time), equals: wanted, .takenKey, "the answer")
    expect(try await run(first.id), equals: wanted, .takenKey, "a run that was replaced")
    expect(try await journal.run(another.id), equals: nil, .takenKey, "the start's own run")
    let replacing = another
    another.id = newID()
    (another.payload, another.notBefore, another.priority) = (json(2), nil, 0)
    (wanted.payload, wanted.priority, wanted.dueAt) = (json(2), 0, nil)
    expect(try await journal.start(another, at: time), equals: wanted, .takenKey, "the third start")
    let again = try await journal.start(replacing, at: time)
    expect(again, equals: wanted, .takenKey, "the second start again")
    // The identifier alone makes it the same start: its key may have become another run's.
    var keyless = replacing
    keyless.key = nil
    let byIdentifier = try await journal.start(keyless, at: time)
    expect(byIdentifier, equals: wanted, .takenKey, "the second start again, without its key")
    var claimed = try await claim(first.flow, version: 2).runs.first?.record
    expect(claimed?.payload, equals: json(2), .takenKey, "the stage that is worked on")
    expect(try await signal(first.id, "signal"), equals: .alreadySent, .takenKey, "its signal")
    for (state, id) in try await runsInEachState(key: "another key") where state != .ready {
      claimed = try await run(id)
      let late = RunStart(
        id: newID(), flow: "flow of \(state)", version: 2, key: "another key", payload: json(3),
        ifTaken: .replaceUnlessBegun)
      let answer = try await journal.start(late, at: time)
      expect(answer, equals: claimed, .takenKey, "a start that came too late: a \(state) run")
    }
    // A run that was given back has begun.
    let begun = try await startAndClaim("begun", key: "key")
    try await park(begun, .shutdown)
    let late = RunStart(
      id: newID(), flow: "begun", version: 1, key: "key", payload: json(3),
      ifTaken: .replaceUnlessBegun)
    expect(
      try await journal.start(late, at: time).payload, equals: json(0), .takenKey,
      "the stage of a run that has begun")
    // Somebody's edit is not undone by a start.
    let edited = try await start("edited", key: "key")
    try await journal.change(edited.id, .edit(json(1), version: nil), by: "ada", at: time)
    let afterwards = RunStart(
      id: newID(), flow: "edited", version: 1, key: "key", payload: json(3),
      ifTaken: .replaceUnlessBegun)
    expect(
      try await journal.start(afterwards, at: time).payload, equals: json(1), .takenKey,
      "the stage of a run that was edited")
  }

  func replacesAllOfAStart() async throws {
    var start = RunStart(
      id: newID(), flow: "flow", version: 1, key: "whole", payload: json(0),
      ifTaken: .replaceUnlessBegun)
    (start.deadline, start.attributes) = (time.date + 900, ["shop": .string("north")])
    let first = try await journal.start(start, at: time)
    start.id = newID()
    (start.deadline, start.attributes) = (nil, [:])
    var wanted = first
    (wanted.deadline, wanted.attributes) = (nil, [:])
    expect(
      try await journal.start(start, at: time), equals: wanted, .takenKey,
      "the answer to a start without deadline and attributes")
    expect(
      try await run(first.id), equals: wanted, .takenKey,
      "a run that was replaced by one without deadline and attributes")
  }

  func restartsWhatIsOver() async throws {
    for (state, id) in try await runsInEachState(key: "key") {
      var before = try await run(id)
      let steps = try await steps(of: id)
      move(by: 1)
      let another = RunStart(
        id: newID(), flow: before.flow, version: 2, key: "key", payload: json(1),
        ifTaken: .restartIfOver)
      var answers: [RunRecord] = []
      for _ in 0..<2 { answers.append(try await journal.start(another, at: time)) }
      let id = state.isOver ? another.id : id
      expect(answers.map(\.id), equals: [id, id], .takenKey, "the run where one is \(state)")
      if state.isOver { before.key = nil }
      expect(try await run(before.id), equals: before, .takenKey, "the run that is \(state)")
      expect(try await self.steps(of: before.id), equals: steps, .takenKey, "the chain of that")
      let found = try await journal.runs(RunQuery(flow: before.flow, key: "key")).runs.map(\.id)
      expect(found, equals: [id], .takenKey, "the run with the key where one is \(state)")
      guard state.isOver else { continue }
      expect(
        try await claim(before.flow, version: 2).runs.map(\.record.id), equals: [id], .takenKey,
        "the run that was started in place of a \(state) one")
    }
  }

  func startsLater() async throws {
    for priority in [0, 2, -2] {
      let flow = "flow \(priority)"
      let date = time.date + 10
      let start = RunStart(
        id: newID(), flow: flow, version: 1, payload: json(0), notBefore: date,
        priority: priority)
      let record = try await journal.start(start, at: time)
      expect(record.dueAt, equals: date, .notBefore, "when a run is due")
      expect(record.state, equals: .ready, .notBefore, "its state")
      var claim = try await claim(flow)
      expect(claim.runs, equals: [], .notBefore, "what is given at once")
      expect(claim.nextDueAt, equals: date, .notBefore, "when the next run is due")
      move(by: 9)
      expect(try await self.claim(flow).runs, equals: [], .notBefore, "what is given before")
      move(by: 1)
      claim = try await self.claim(flow)
      expect(claim.runs.map(\.record.id), equals: [start.id], .notBefore, "what is given then")
    }
    let past = RunStart(
      id: newID(), flow: "past", version: 1, payload: json(0), notBefore: time.date)
    expect(
      try await journal.start(past, at: time).dueAt, equals: nil, .notBefore,
      "what a run waits for whose time has come")
    expect(try await claim("past").runs.count, equals: 1, .notBefore, "runs whose time has come")
  }

  func prefersPriorities() async throws {
    var ids: [RunID] = []
    // Each is an hour less one second after the previous one, with one level more: later ones go
    // first.
    for priority in [-2_000, -1_000, -1, 0, 1, 2, 1_000, 2_000] {
      let start = RunStart(
        id: newID(), flow: "flow", version: 1, payload: json(0), priority: priority)
      ids.append(try await journal.start(start, at: time).id)
      move(by: 3_599)
    }
    // Levels beyond a thousand do not count: of the first two and the last two the earlier goes
    // first.
    let wanted = [6, 7, 5, 4, 3, 2, 0, 1].map { ids[$0] }
    var given: [RunID] = []
    for _ in ids { given += try await claim(limit: 1).runs.map(\.record.id) }
    expect(given, equals: wanted, .priority, "the order of runs with priorities")
    // An hour and a second later, one level more does not go first.
    let low = try await start("another flow").id
    move(by: 3_601)
    let high = try await journal.start(
      RunStart(id: newID(), flow: "another flow", version: 1, payload: json(0), priority: 1),
      at: time
    ).id
    given = []
    for _ in 0..<2 { given += try await claim("another flow", limit: 1).runs.map(\.record.id) }
    expect(given, equals: [low, high], .priority, "the order of one that has waited for long")
    // The priority stays with the run: after a wait, a pause and a signal.
    for (number, next) in [
      Checkpoint.Next.waiting(json(1), until: time.date + 10),
      .receiving(json(1), signals: ["go"], until: nil),
    ].enumerated() {
      let flow = "flow \(number)"
      let start = RunStart(
        id: newID(), flow: flow, version: 1, payload: json(0), priority: 1)
      _ = try await journal.start(start, at: time)
      let run = try await claimOne(flow).record
      let ordinary = try await self.start(flow).id
      try await checkpoint(run, next)
      move(by: 20)
      if number == 1 { try await signal(run.id, "signal") }
      var given: [RunID] = []
      for _ in 0..<2 { given += try await claim(flow, limit: 1).runs.map(\.record.id) }
      expect(given, equals: [run.id, ordinary], .priority, "the order after a wait")
    }
    let retried = try await journal.start(
      RunStart(id: newID(), flow: "pause", version: 1, payload: json(0), priority: 1), at: time)
    try await park(try await claimOne("pause").record, .retry(at: time.date + 10, error: "no"))
    _ = try await start("pause")
    move(by: 20)
    expect(
      try await claim("pause", limit: 1).runs.map(\.record.id), equals: [retried.id], .priority,
      "the first after a pause")
  }

  func limitsKeys() async throws {
    guard let above = keyAboveLimit else { return }
    let allowed = String(above.dropLast())
    let id = try await start("flow", key: allowed).id
    expect(try await run(id).key, equals: allowed, .keyLimit, "a key at the limit")
    let tooLong = RunStart(
      id: newID(), flow: "flow", version: 1, key: above, payload: json(0))
    try await expectRefusal(.keyLimit, .keyTooLong, of: tooLong.id, "a key above it") {
      _ = try await journal.start(tooLong, at: time)
    }
    let signal = SignalRecord(
      id: above, name: "go", payload: json(0), sentAt: time.date)
    try await expectRefusal(.keyLimit, .keyTooLong, of: id, "a signal's identifier above it") {
      try await journal.signal(id, signal, at: time)
    }
  }

  func limitsPayloads() async throws {
    guard (2..<Self.endlessSize).contains(payloadLimit) else { return }
    let allowed = Data("\"\(String(repeating: "a", count: payloadLimit - 2))\"".utf8)
    let tooLong = Data("\"\(String(repeating: "a", count: payloadLimit - 1))\"".utf8)
    let start = RunStart(id: newID(), flow: "flow", version: 1, payload: allowed)
    let tooLongStart = RunStart(id: newID(), flow: "flow", version: 1, payload: tooLong)
    try await expectRefusal(.payloadLimit, .tooLarge, of: tooLongStart.id, "a start above it") {
      _ = try await journal.start(tooLongStart, at: time)
    }
    _ = try await journal.start(start, at: time)
    let first = try await claimOne().record
    let nexts: [Checkpoint.Next] = [
      .stage(tooLong), .waiting(tooLong, until: time.date),
      .receiving(tooLong, signals: ["go"], until: nil), .completion(tooLong),
    ]
    for next in nexts {
      try await expectRefusal(.payloadLimit, .tooLarge, of: start.id, "a checkpoint above it") {
        try await checkpoint(first, next)
      }
    }
    try await checkpoint(first, .receiving(allowed, signals: ["go"], until: nil))
    for (number, payload) in [allowed, tooLong].enumerated() {
      let signal = SignalRecord(
        id: "\(number)", name: "go", payload: payload, sentAt: time.date)
      if number == 0 {
        try await journal.signal(start.id, signal, at: time)
      } else {
        try await expectRefusal(.payloadLimit, .tooLarge, of: start.id, "a signal above it") {
          try await journal.signal(start.id, signal, at: time)
        }
      }
    }
    try await expectRefusal(.payloadLimit, .tooLarge, of: start.id, "an edit above it") {
      try await journal.change(start.id, .edit(tooLong, version: nil), at: time)
    }
    try await journal.change(start.id, .edit(allowed, version: nil), at: time)
    let claimed = try await claimOne()
    expect(
      claimed.record.payload == allowed && claimed.signal?.payload == allowed, .payloadLimit,
      "a payload at the limit did not come back as it was given.")
  }
}

extension JournalTrial {
  static var purges: [Self] {
    [
      Self(.purge) { try await $0.purgesWhatIsOver() },
      Self(.purge) { try await $0.purgesSteps() },
    ]
  }
}

extension JournalExamination {
  func purgesWhatIsOver() async throws {
    let runs = try await runsInEachState(key: "key")
    let completed = try await startAndClaim("another flow")
    move(by: 10)
    try await checkpoint(completed, .completion(json(1)))
    let waiting = try await startAndClaim()
    try await checkpoint(waiting, .receiving(json(1), signals: ["go"], until: nil))
    move(by: 90)
    // A run that ended exactly 100 seconds ago is not older than that.
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(100)), at: time), equals: 0, .purge,
      "how many went on the day itself")
    move(by: 5)
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(100)), at: time), equals: 2, .purge,
      "how many went")
    for (state, id) in runs {
      let isGone = state == .completed || state == .cancelled
      expect(try await journal.run(id) == nil, equals: isGone, .purge, "whether \(state) ones go")
      guard isGone else { continue }
      expect(try await steps(of: id), equals: [], .purge, "the steps of a \(state) run that went")
      let next = try await start("flow of \(state)", key: "key")
      expect(next.id != id && next.state == .ready, .purge, "a key was not free again.")
      try await expectRefusal(.purge, .noRun, of: id, "a signal to a \(state) run that went") {
        try await signal(id, "signal")
      }
    }
    expect(
      try await journal.run(completed.id)?.state, equals: .completed, .purge,
      "one that is over not so long")
    expect(
      try await steps(of: completed.id).map(\.sequence), equals: [0], .purge, "the steps of that")
    // It was started long ago, but ended only now.
    try await journal.change(waiting.id, .cancel, at: time)
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(10)), at: time), equals: 1, .purge,
      "how many went of one that is over long and one that is over now")
    expect(
      try await journal.run(waiting.id)?.state, equals: .cancelled, .purge, "one that is over now")
    move(by: 1_000 * 86_400)
    try await journal.purge(JournalRetention(runs: .zero), at: time)
    for (state, id) in runs where state != .completed && state != .cancelled {
      expect(try await run(id).state, equals: state, .purge, "a \(state) run, however old")
    }
  }

  func purgesSteps() async throws {
    var run = try await startAndClaim()
    for number in 1...10 {
      try await checkpoint(run, .stage(json(number)))
      run.sequence = number
    }
    let before = try await self.run(run.id)
    let all = try await steps(of: run.id)
    guard all.count == 10 else {
      throw Missing(detail: "there were \(all.count) steps of ten before any purge.")
    }
    expect(
      try await journal.purge(JournalRetention(stepsPerRun: 10), at: time), equals: 0, .purge,
      "how many runs went")
    expect(try await steps(of: run.id), equals: all, .purge, "as many steps as may be kept")
    try await journal.purge(JournalRetention(stepsPerRun: 3), at: time)
    expect(try await steps(of: run.id), equals: all.suffix(3), .purge, "the newest three steps")
    expect(
      try await journal.steps(of: run.id, after: 0, limit: 2).steps, equals: Array(all[7...8]),
      .purge, "a page that begins before the steps that are kept")
    expect(try await self.run(run.id), equals: before, .purge, "the run itself")
    try await checkpoint(before, .completion(json(11)))
    expect(
      try await steps(of: run.id).map(\.sequence), equals: [7, 8, 9, 10], .purge,
      "the chain once it goes on")
    for number in [0, -5] {
      try await journal.purge(JournalRetention(stepsPerRun: number), at: time)
      let kept = try await steps(of: run.id).map(\.sequence)
      expect(kept, equals: [], .purge, "the steps where none is kept")
    }
  }
}
