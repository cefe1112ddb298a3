import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var changes: [Self] {
    [
      Self(.retry) { try await $0.retries() },
      Self(.retry) { try await $0.endsWaits() },
      Self(.edit) { try await $0.edits() },
      Self(.edit) { try await $0.editsWhatAwaitsASignal() },
      Self(.edit) { try await $0.refusesEdits() },
      Self(.edit) { try await $0.editsWhatIsExpected() },
      Self(.cancel) { try await $0.cancels() },
    ]
  }
}

extension JournalExamination {
  func retries() async throws {
    for (state, id) in try await runsInEachState() {
      let flow = "flow of \(state)"
      let before = try await run(id)
      move(by: 1)
      guard state != .running, state != .completed else {
        try await expectRefusal(.retry, .notAllowed, of: id, "a retry of a \(state) run") {
          try await journal.change(id, .retry, at: time)
        }
        continue
      }
      var wanted = before
      wanted.state = .ready
      wanted.attempts = 0
      wanted.changedAt = time.date
      let answer = try await journal.change(id, .retry, at: time)
      expect(answer, equals: wanted, .retry, "the answer for a \(state) run")
      expect(try await run(id), equals: wanted, .retry, "what was \(state)")
      expect(try await steps(of: id), equals: [], .retry, "the steps of what was \(state)")
      let claimed = try await claimOne(flow).record
      expect(claimed.attempts, equals: 1, .retry, "the attempts of what was \(state)")
      expect(claimed.fence, equals: before.fence + 1, .retry, "the fence of what was \(state)")
    }
    let unknown = newID()
    try await expectRefusal(.retry, .noRun, of: unknown, "a retry of no run") {
      try await journal.change(unknown, .retry, at: time)
    }
  }

  func endsWaits() async throws {
    let waits: [Checkpoint.Next] = [
      .waiting(json(1), until: time.date + 600),
      .receiving(json(1), signals: ["go"], until: time.date + 600),
      .receiving(json(1), signals: ["go"], until: nil),
    ]
    for wait in waits {
      let run = try await startAndClaim()
      try await checkpoint(run, wait)
      let answer = try await journal.change(run.id, .retry, at: time)
      expect(answer.dueAt, equals: nil, .retry, "the time after \(wait)")
      let claimed = try await claimOne()
      expect(claimed.record.payload, equals: json(1), .retry, "the stage after \(wait)")
    }
    let run = try await startAndClaim()
    try await park(run, .retry(at: time.date + 600, error: "no"))
    try await journal.change(run.id, .retry, at: time)
    expect(try await claimOne().record.attempts, equals: 1, .retry, "of a run that waits to retry")
  }

  func edits() async throws {
    for (state, id) in try await runsInEachState() {
      let flow = "flow of \(state)"
      let before = try await run(id)
      move(by: 1)
      guard state != .running, state != .completed else {
        try await expectRefusal(.edit, .notAllowed, of: id, "an edit of a \(state) run") {
          try await journal.change(id, .edit(json(5), version: nil), at: time)
        }
        continue
      }
      var wanted = before
      wanted.state = .ready
      wanted.sequence = 1
      wanted.attempts = 0
      wanted.payload = json(5)
      wanted.error = nil
      wanted.changedAt = time.date
      let answer = try await journal.change(id, .edit(json(5), version: nil), at: time)
      expect(answer, equals: wanted, .edit, "the answer for a \(state) run")
      expect(try await run(id), equals: wanted, .edit, "what was \(state)")
      let step = StepRecord(
        sequence: 0, fence: before.fence, kind: .edited, version: 1, payload: json(0),
        attempts: before.attempts, beganAt: time.date, endedAt: time.date, error: before.error)
      expect(try await steps(of: id), equals: [step], .edit, "the steps of what was \(state)")
      let claimed = try await claimOne(flow).record
      expect(claimed.payload, equals: json(5), .edit, "the stage of what was \(state)")
      try await checkpoint(claimed, .completion(json(6)))
      expect(
        try await steps(of: id).map(\.sequence), equals: [0, 1], .edit,
        "the chain of what was \(state)")
    }
  }

  func editsWhatAwaitsASignal() async throws {
    for (names, isThere) in [(["go"], false), (["go"], true), (["stop", "go"], true)] {
      let flow = "flow \(names.count) \(isThere)"
      let run = try await startAndClaim(flow)
      try await checkpoint(run, .receiving(json(1), signals: names, until: nil))
      if isThere { try await signal(run.id, "early") }
      let edited = try await journal.change(run.id, .edit(json(5), version: nil), at: time)
      expect(
        edited.awaitedSignals, equals: isThere ? names : [], .edit,
        "what is awaited after an edit")
      try await signal(run.id, "late")
      let claimed = try await claimOne(flow)
      expect(
        claimed.signal?.id, equals: isThere ? "early" : nil, .edit,
        "the signal of an edited stage")
      try await checkpoint(
        claimed.record, .receiving(json(6), signals: ["go"], until: nil),
        consuming: claimed.signal.map { [$0.id] } ?? [])
      expect(
        try await claimOne(flow).signal?.id, equals: "late", .edit,
        "the signal that came after the edit")
    }
  }

  func refusesEdits() async throws {
    let id = try await start().id
    let answer = try await journal.change(id, .edit(json(1), version: 4), at: time)
    expect(answer.version, equals: 4, .edit, "the version that was given")
    expect(try await claim(version: 3).runs, equals: [], .edit, "what an older worker gets")
    for text in ["", "{", "yes", "{}x"] {
      try await expectRefusal(.edit, .notJSON, of: id, "an edit to “\(text)”") {
        try await journal.change(id, .edit(Data(text.utf8), version: nil), at: time)
      }
    }
    let unknown = newID()
    try await expectRefusal(.edit, .noRun, of: unknown, "an edit of no run") {
      try await journal.change(unknown, .edit(json(1), version: nil), at: time)
    }
  }

  func editsWhatIsExpected() async throws {
    let first = try await startAndClaim()
    try await checkpoint(first, .waiting(json(1), until: time.date + 60))
    for expected in [0, 2] {
      let change = RunChange.edit(json(5), version: nil, expectedSequence: expected)
      try await expectRefusal(
        .edit, .hasGoneOn, of: first.id, "an edit for stage \(expected) at stage 1"
      ) {
        try await journal.change(first.id, change, at: time)
      }
    }
    let edited = try await journal.change(
      first.id, .edit(json(5), version: nil, expectedSequence: 1), at: time)
    expect(
      edited.payload, equals: json(5), .edit, "the stage of an edit that expects the right one")
  }

  func cancels() async throws {
    for (state, id) in try await runsInEachState() {
      let before = try await run(id)
      move(by: 1)
      guard !state.isOver else {
        try await expectRefusal(.cancel, .notAllowed, of: id, "a cancellation of a \(state) run") {
          try await journal.change(id, .cancel, at: time)
        }
        continue
      }
      var wanted = before
      wanted.state = .cancelled
      wanted.worker = nil
      wanted.changedAt = time.date
      let answer = try await journal.change(id, .cancel, at: time)
      expect(answer, equals: wanted, .cancel, "the answer for a \(state) run")
      expect(try await run(id), equals: wanted, .cancel, "what was \(state)")
      time = JournalTime(
        date: time.date + 86_400, uptime: time.uptime + .seconds(86_400), boot: "\(state)")
      expect(
        try await claim("flow of \(state)").runs, equals: [], .cancel,
        "claimed of what was \(state)")
      try await expectRefusal(.cancel, .claimLost, of: id, "a checkpoint of what was \(state)") {
        try await checkpoint(before, .stage(json(1)))
      }
      expect(
        try await journal.renew([before.claim], lease: .seconds(60), at: time),
        equals: [before.claim], .cancel, "lost of what was \(state)")
    }
    let waiting = try await startAndClaim()
    try await checkpoint(waiting, .receiving(json(1), signals: ["go"], until: time.date + 60))
    try await signal(waiting.id, "signal")
    let answer = try await journal.change(waiting.id, .cancel, at: time)
    expect(answer.dueAt, equals: nil, .cancel, "the time of a wait that was cancelled")
    move(by: 86_400)
    expect(try await claim().runs, equals: [], .cancel, "claimed of a wait that was cancelled")
    let unknown = newID()
    try await expectRefusal(.cancel, .noRun, of: unknown, "a cancellation of no run") {
      try await journal.change(unknown, .cancel, at: time)
    }
  }
}
