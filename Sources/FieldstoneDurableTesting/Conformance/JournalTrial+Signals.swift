import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var signals: [Self] {
    [
      Self(.signal) { try await $0.receivesWhatCameBefore() },
      Self(.signal) { try await $0.receivesWhatComesAfter() },
      Self(.signal) { try await $0.receivesByNameInOrder() },
      Self(.signal) { try await $0.receivesOneOfSeveral() },
      Self(.consumption) { try await $0.receivesTheOldestOfSeveral() },
      Self(.signalOnce) { try await $0.takesASignalOnce() },
      Self(.signalOnce) { try await $0.keepsWhatAnEditFinds() },
      Self(.consumption) { try await $0.givesASignalUntilItIsConsumed() },
      Self(.consumption) { try await $0.keepsWhatIsNotConsumed() },
      Self(.timeout) { try await $0.goesOnWithoutASignal() },
      Self(.timeout) { try await $0.goesOnWithoutAnyOfSeveral() },
      Self(.timeout) { try await $0.takesALateSignal() },
      Self(.signalRefusal) { try await $0.refusesSignals() },
    ]
  }
}

extension JournalExamination {
  /// A run that awaits the signal "go".
  private func startReceiving(until date: Date? = nil) async throws -> RunRecord {
    let run = try await startAndClaim()
    try await checkpoint(run, .receiving(json(1), signals: ["go"], until: date))
    return try await self.run(run.id)
  }

  func receivesWhatCameBefore() async throws {
    let run = try await startAndClaim()
    try await signal(run.id, "early")
    expect(try await self.run(run.id), equals: run, .signal, "the run that was signalled")
    move(by: 5)
    try await checkpoint(run, .receiving(json(1), signals: ["go"], until: nil))
    let claimed = try await claimOne()
    let wanted = SignalRecord(id: "early", name: "go", payload: json(7), sentAt: time.date - 5)
    expect(claimed.signal, equals: wanted, .signal, "the signal that came before")
    expect(claimed.record.payload, equals: json(1), .signal, "the stage that received it")
    let unstarted = try await start("another flow")
    try await signal(unstarted.id, "earlier")
    let first = try await claimOne("another flow")
    expect(first.signal, equals: nil, .signal, "the signal at a stage that awaits none")
    try await checkpoint(first.record, .receiving(json(1), signals: ["go"], until: nil))
    expect(
      try await claimOne("another flow").signal?.id, equals: "earlier", .signal,
      "the signal that came before the first stage")
  }

  func receivesWhatComesAfter() async throws {
    let run = try await startReceiving()
    expect(try await claim().runs, equals: [], .signal, "what is claimed before its signal")
    try await signal(run.id, "other", named: "another name")
    expect(try await claim().runs, equals: [], .signal, "what is claimed by another signal")
    move(by: 5)
    try await signal(run.id, "late")
    let claimed = try await claimOne()
    let wanted = SignalRecord(id: "late", name: "go", payload: json(7), sentAt: time.date)
    expect(claimed.signal, equals: wanted, .signal, "the signal that came after")
    expect(claimed.record.dueAt, equals: nil, .signal, "the time of a run that has its signal")
  }

  func receivesByNameInOrder() async throws {
    let run = try await startReceiving()
    for (number, name) in [(1, "other"), (2, "go"), (3, "other"), (4, "go"), (5, "go")] {
      let signal = SignalRecord(
        id: "\(number)", name: name, payload: json(number), sentAt: time.date - Double(number))
      try await journal.signal(run.id, signal, at: time)
    }
    var waiting = try await claimOne().record
    for (name, number) in [("go", 2), ("go", 4), ("other", 1), ("go", 5), ("other", 3)] {
      try await checkpoint(waiting, .receiving(json(2), signals: [name], until: nil))
      let received = try await claimOne()
      let wanted = SignalRecord(
        id: "\(number)", name: name, payload: json(number), sentAt: time.date - Double(number))
      expect(received.signal, equals: wanted, .signal, "the next \(name)")
      try await checkpoint(
        received.record, .waiting(json(3), until: time.date),
        consuming: received.signal.map { [$0.id] } ?? [])
      waiting = try await claimOne().record
    }
  }

  func takesASignalOnce() async throws {
    let run = try await startReceiving()
    let another = try await start("another flow")
    let receipts = [try await signal(run.id, "same"), try await signal(run.id, "same")]
    expect(
      receipts, equals: [.sent, .alreadySent], .signalOnce, "the answers to a signal sent twice")
    try await expectRefusal(
      .signalOnce, .signalTaken, of: run.id, "an identifier that was used under another name"
    ) {
      try await signal(run.id, "same", named: "another name")
    }
    try await signal(another.id, "same")
    let first = try await claimOne()
    expect(first.signal?.id, equals: "same", .signalOnce, "what is received first")
    try await checkpoint(
      first.record, .receiving(json(2), signals: ["go"], until: nil), consuming: ["same"])
    expect(try await claim().runs, equals: [], .signalOnce, "what is claimed by a repetition")
    try await signal(run.id, "same")
    expect(
      try await claim().runs, equals: [], .signalOnce, "what is claimed by a consumed signal")
    try await signal(run.id, "another")
    let second = try await claimOne()
    expect(second.signal?.id, equals: "another", .signalOnce, "what is received next")
    try await checkpoint(
      second.record, .receiving(json(3), signals: ["another name"], until: nil),
      consuming: ["another"])
    expect(
      try await claim().runs, equals: [], .signalOnce, "what is claimed by a repeated identifier")
    try await journal.change(run.id, .cancel, at: time)
    // A sender may repeat, even after the run is over.
    try await signal(run.id, "same")
    let other = try await claimOne("another flow")
    try await checkpoint(other.record, .receiving(json(1), signals: ["go"], until: nil))
    expect(
      try await claimOne("another flow").signal?.id, equals: "same", .signalOnce,
      "the same identifier at another run")
  }

  func keepsWhatAnEditFinds() async throws {
    let run = try await startReceiving()
    try await signal(run.id, "consumed")
    let received = try await claimOne().record
    try await checkpoint(
      received, .receiving(json(2), signals: ["go"], until: nil), consuming: ["consumed"])
    try await journal.change(run.id, .edit(json(3), version: nil), at: time)
    expect(
      try await signal(run.id, "consumed"), equals: .alreadySent, .signalOnce,
      "the answer to a signal that was consumed before an edit")
  }

  func givesASignalUntilItIsConsumed() async throws {
    let run = try await startReceiving()
    try await signal(run.id, "signal")
    _ = try await claimOne(lease: .seconds(10))
    try await signal(run.id, "second")
    move(by: 10)
    var claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "signal", .consumption, "after a crash")
    try await park(claimed.record, .shutdown)
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "signal", .consumption, "after a shutdown")
    try await park(claimed.record, .retry(at: time.date + 60, error: "no"))
    expect(
      try await claim().runs, equals: [], .consumption,
      "what is claimed before the time of its next attempt")
    move(by: 60)
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "signal", .consumption, "after a failed attempt")
    try await park(claimed.record, .dead(error: "no"))
    try await journal.change(run.id, .retry, at: time)
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "signal", .consumption, "after its death and a retry")
    try await park(claimed.record, .blocked(error: "no"))
    try await journal.change(run.id, .edit(json(2), version: nil), at: time)
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "signal", .consumption, "after an edit")
    try await checkpoint(
      claimed.record, .receiving(json(2), signals: ["go"], until: nil), consuming: ["signal"])
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "second", .consumption, "once it is consumed")
    try await checkpoint(
      claimed.record, .receiving(json(3), signals: ["go"], until: nil), consuming: ["second"])
    expect(
      try await claim().runs, equals: [], .consumption, "what is claimed once all are consumed")
  }

  func keepsWhatIsNotConsumed() async throws {
    let run = try await startReceiving()
    try await signal(run.id, "signal")
    let claimed = try await claimOne()
    try await checkpoint(
      claimed.record, .waiting(json(2), until: time.date), consuming: ["unknown"])
    let between = try await claimOne()
    expect(between.signal, equals: nil, .consumption, "at a stage that awaits none")
    expect(between.record.awaitedSignals, equals: [], .consumption, "the signal that it awaits")
    try await checkpoint(between.record, .receiving(json(3), signals: ["go"], until: nil))
    expect(try await claimOne().signal?.id, equals: "signal", .consumption, "at the next receive")
  }

  func receivesOneOfSeveral() async throws {
    let names = ["go", "stop", "g"]
    for name in names {
      let run = try await startAndClaim()
      try await checkpoint(run, .receiving(json(1), signals: names, until: nil))
      expect(
        try await self.run(run.id).awaitedSignals, equals: names, .signal, "the signals it awaits")
      for other in ["o", "go stop", "gostop", "sto"] {
        try await signal(run.id, other, named: other)
      }
      expect(try await claim().runs, equals: [], .signal, "what is claimed by other signals")
      try await signal(run.id, "one", named: name)
      let claimed = try await claimOne()
      expect(claimed.signal?.id, equals: "one", .signal, "one of several signals")
      expect(claimed.signal?.name, equals: name, .signal, "the name of one of several signals")
      try await checkpoint(claimed.record, .completion(json(2)), consuming: ["one"])
    }
  }

  func goesOnWithoutAnyOfSeveral() async throws {
    let run = try await startAndClaim()
    let next = Checkpoint.Next.receiving(
      json(1), signals: ["go", "stop"], until: time.date + 60)
    try await checkpoint(run, next)
    move(by: 60)
    let claimed = try await claimOne()
    expect(claimed.signal, equals: nil, .timeout, "one of several signals at the time-out")
    expect(claimed.record.awaitedSignals, equals: [], .timeout, "what is awaited after it")
  }

  func receivesTheOldestOfSeveral() async throws {
    let run = try await startAndClaim()
    try await signal(run.id, "first", named: "stop")
    try await signal(run.id, "second", named: "go")
    try await checkpoint(run, .receiving(json(1), signals: ["go", "stop"], until: nil))
    var claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "first", .consumption, "the oldest of several names")
    // All attempts get the same, whatever comes later.
    try await park(claimed.record, .retry(at: time.date, error: "no"))
    try await signal(run.id, "third", named: "go")
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "first", .consumption, "at the next attempt")
    try await checkpoint(
      claimed.record, .receiving(json(2), signals: ["stop", "go"], until: nil),
      consuming: ["first"])
    claimed = try await claimOne()
    expect(claimed.signal?.id, equals: "second", .consumption, "at the next receive of several")
  }

  func goesOnWithoutASignal() async throws {
    let until = time.date + 60
    let run = try await startReceiving(until: until)
    time.date = until - 0.125
    expect(try await claim().runs, equals: [], .timeout, "what is claimed before the time-out")
    time.date = until
    let claimed = try await claimOne(lease: .seconds(10))
    expect(claimed.signal, equals: nil, .timeout, "the signal at the time-out")
    expect(claimed.record.awaitedSignals, equals: [], .timeout, "what is awaited after it")
    // Signals from now on are for the next receive: all attempts get the same.
    try await signal(run.id, "late")
    move(by: 10)
    let again = try await claimOne()
    expect(again.signal, equals: nil, .timeout, "the signal at the next attempt after a time-out")
    try await checkpoint(again.record, .receiving(json(2), signals: ["go"], until: nil))
    expect(try await claimOne().signal?.id, equals: "late", .timeout, "at the next receive")
    let endless = try await startReceiving()
    move(by: 1_000 * 86_400)
    let runs = try await claim().runs.map(\.record.id)
    expect(!runs.contains(endless.id), .timeout, "a wait without a time-out was over.")
    try await journal.change(endless.id, .retry, at: time)
    let retried = try await claimOne()
    expect(retried.signal, equals: nil, .timeout, "the signal of a wait that a person has ended")
  }

  func takesALateSignal() async throws {
    let run = try await startReceiving(until: time.date + 60)
    move(by: 90)
    try await signal(run.id, "late")
    expect(
      try await claimOne().signal?.id, equals: "late", .timeout,
      "the signal that came after the time-out and before the claim")
  }

  func refusesSignals() async throws {
    let unknown = newID()
    try await expectRefusal(.signalRefusal, .noRun, of: unknown, "a signal to no run") {
      try await signal(unknown, "signal")
    }
    for (state, id) in try await runsInEachState() {
      if state.isOver {
        try await expectRefusal(.signalRefusal, .notAllowed, of: id, "a signal to a \(state) run") {
          try await signal(id, "signal")
        }
      } else {
        try await signal(id, "signal")
        let before = try await run(id)
        expect(before.state, equals: state, .signalRefusal, "the state of a run that was signalled")
      }
    }
    let run = try await startReceiving()
    for text in ["", "{", "yes", "{}x"] {
      let broken = SignalRecord(
        id: "broken", name: "go", payload: Data(text.utf8), sentAt: time.date)
      try await expectRefusal(.signalRefusal, .notJSON, of: run.id, "a signal that says “\(text)”")
      {
        try await journal.signal(run.id, broken, at: time)
      }
    }
    // A refused signal was not sent: its identifier is still free.
    try await signal(run.id, "broken")
    expect(try await claimOne().signal?.id, equals: "broken", .signalRefusal, "what came then")
  }
}
