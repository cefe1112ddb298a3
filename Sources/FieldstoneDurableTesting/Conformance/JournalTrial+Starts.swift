import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var starts: [Self] {
    [
      Self(.start) { try await $0.startsARun() },
      Self(.key) { try await $0.keepsKeys() },
      Self(.key) { try await $0.keepsIdentifiers() },
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

  func limitsKeys() async throws {
    let allowed = String(repeating: "k", count: journal.limits.key)
    let id = try await start("flow", key: allowed).id
    expect(try await run(id).key, equals: allowed, .keyLimit, "a key at the limit")
    let tooLong = RunStart(
      id: newID(), flow: "flow", version: 1, key: allowed + "k", payload: json(0))
    try await expectRefusal(.keyLimit, .keyTooLong, of: tooLong.id, "a key above it") {
      _ = try await journal.start(tooLong, at: time)
    }
    let signal = SignalRecord(
      id: allowed + "k", name: "go", payload: json(0), sentAt: time.date)
    try await expectRefusal(.keyLimit, .keyTooLong, of: id, "a signal's identifier above it") {
      try await journal.signal(id, signal, at: time)
    }
  }

  func limitsPayloads() async throws {
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
      .receiving(tooLong, signal: "go", until: nil), .completion(tooLong),
    ]
    for next in nexts {
      try await expectRefusal(.payloadLimit, .tooLarge, of: start.id, "a checkpoint above it") {
        try await checkpoint(first, next)
      }
    }
    try await checkpoint(first, .receiving(allowed, signal: "go", until: nil))
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
    try await checkpoint(waiting, .receiving(json(1), signal: "go", until: nil))
    move(by: 90)
    // What was over 100 seconds ago is not older than that.
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
    // It was started long ago, and was over only now.
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
