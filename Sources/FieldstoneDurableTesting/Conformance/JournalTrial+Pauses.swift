import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var pauses: [Self] {
    [
      Self(.pause) { try await $0.pausesFlows() },
      Self(.pause) { try await $0.pausesKeys() },
      Self(.pause) { try await $0.pausesRuns() },
      Self(.pause) { try await $0.pausesAtTheCheckpoint() },
      Self(.pause) { try await $0.pausesWhatIsTakenOver() },
      Self(.pauseEnd) { try await $0.endsPausesByTime() },
      Self(.pauseEnd) { try await $0.listsPauses() },
      Self(.protocolVersion) { try await $0.demandsAProtocol() },
      Self(.pauseEnd) { try await $0.endsManyPausesAtOnce() },
    ]
  }
}

extension JournalExamination {
  @discardableResult
  func start(_ flow: String = "flow", concurrencyKey: String?) async throws -> RunRecord {
    try await journal.start(
      RunStart(
        id: newID(), flow: flow, version: 1, payload: json(0), concurrencyKey: concurrencyKey),
      at: time)
  }

  func pause(_ target: PauseTarget, until date: Date? = nil) async throws {
    try await journal.pause(target, until: date, at: time)
  }

  func claimed(_ flow: String = "flow", limit: Int = 100) async throws -> Set<RunID> {
    Set(try await claim(flow, limit: limit).runs.map(\.record.id))
  }

  func pausesFlows() async throws {
    let before = try await start().id
    try await pause(.flow("flow"))
    let after = try await start().id
    let elsewhere = try await start("another flow").id
    expect(try await claimed(), equals: [], .pause, "what is claimed of a paused flow")
    expect(
      try await claimed("another flow"), equals: [elsewhere], .pause,
      "what is claimed of another flow")
    expect(try await run(before).isPaused, equals: false, .pause, "whether a run is by itself")
    let receiver = try await resumed(.flow("flow"))
    expect(receiver, equals: true, .pauseEnd, "whether there was a pause")
    expect(
      try await claimed(), equals: [before, after], .pauseEnd, "what is claimed once it goes on")
    expect(try await resumed(.flow("flow")), equals: false, .pauseEnd, "whether there is one now")
  }

  private func resumed(_ target: PauseTarget) async throws -> Bool {
    try await journal.resume(target, at: time)
  }

  func pausesKeys() async throws {
    let before = try await start(concurrencyKey: "a").id
    expect(
      try await run(before).concurrencyKey, equals: "a", .start, "the concurrency key of a run")
    let dead = try await start("dead", concurrencyKey: "a").id
    try await park(try await claimOne("dead").record, .dead(error: "no"))
    try await pause(.concurrencyKey("a", flow: "flow"))
    try await pause(.concurrencyKey("a", flow: "dead"))
    let after = try await start(concurrencyKey: "a").id
    let others = [
      try await start(concurrencyKey: "b").id, try await start(concurrencyKey: nil).id,
    ]
    expect(try await claimed(), equals: Set(others), .pause, "what is claimed beside a paused key")
    let elsewhere = try await start("another flow", concurrencyKey: "a").id
    expect(
      try await claimed("another flow"), equals: [elsewhere], .pause,
      "what is claimed of another flow's key")
    try await journal.change(dead, .retry, at: time)
    try await journal.change(after, .edit(json(3), version: nil), at: time)
    expect(try await claimed(), equals: [], .pause, "what is claimed when it was edited")
    expect(try await claimed("dead"), equals: [], .pause, "what is claimed when it was retried")
    try await journal.resume(.concurrencyKey("a", flow: "dead"), at: time)
    expect(try await claimed("dead"), equals: [dead], .pauseEnd, "a retried run of a key")
    try await journal.resume(.concurrencyKey("a", flow: "flow"), at: time)
    expect(try await claimed(), equals: [before, after], .pauseEnd, "the runs of a key")
  }

  func pausesRuns() async throws {
    let id = try await start().id
    let other = try await start().id
    try await pause(.run(id))
    expect(try await run(id).isPaused, equals: true, .pause, "whether a paused run says so")
    expect(try await claimed(), equals: [other], .pause, "what is claimed beside a paused run")
    try await pause(.flow("flow"))
    try await journal.resume(.flow("flow"), at: time)
    expect(try await claimed(), equals: [], .pause, "what is claimed when another pause ended")
    try await journal.resume(.run(id), at: time)
    expect(try await claimed(), equals: [id], .pauseEnd, "what is claimed once it goes on")
    let cancelled = try await start().id
    try await pause(.run(cancelled))
    try await journal.change(cancelled, .cancel, at: time)
    expect(try await run(cancelled).isPaused, equals: false, .pauseEnd, "a run that is over")
    expect(try await journal.pauses(), equals: [], .pauseEnd, "the pauses of runs that are over")
    try await expectRefusal(.pause, .notAllowed, of: cancelled, "pausing what is over") {
      try await self.pause(.run(cancelled))
    }
    try await expectRefusal(.pause, .noRun, "pausing no run") {
      try await self.pause(.run(self.newID()))
    }
    for reason in [Parking.Reason.dead(error: "no"), .blocked(error: "no")] {
      let run = try await startAndClaim("third flow")
      try await pause(.run(run.id))
      try await park(run, reason)
      let isOver = reason == .dead(error: "no")
      expect(
        try await self.run(run.id).isPaused, equals: !isOver, .pause, "the pause after \(reason)")
      try await journal.change(run.id, .retry, at: time)
      expect(
        try await claimed("third flow"), equals: isOver ? [run.id] : [], .pause,
        "what is claimed after a retry and \(reason)")
    }
  }

  /// Whether each kind of pause takes effect at a worker's next checkpoint.
  func pausesAtTheCheckpoint() async throws {
    for kind in 0...2 {
      let flow = "flow \(kind)"
      try await start(flow, concurrencyKey: "a")
      let run = try await claimOne(flow).record
      let targets: [PauseTarget] = [
        .flow(flow), .concurrencyKey("a", flow: flow), .run(run.id),
      ]
      let target = targets[kind]
      try await pause(target)
      expect(
        try await self.run(run.id).state, equals: .running, .pause, "a stage under way: \(target)")
      let lost = try await journal.renew([run.claim], lease: .seconds(60), at: time)
      expect(lost, equals: [], .pause, "what is lost at a renewal")
      let receipt = try await journal.checkpoint(
        Checkpoint(
          claim: run.claim, version: 1, next: .stage(json(1)), beganAt: time.date,
          lease: .seconds(60)), at: time)
      expect(receipt, equals: .paused, .pause, "the answer to a checkpoint: \(target)")
      let given = try await self.run(run.id)
      expect(given.state, equals: .ready, .pause, "a run at its checkpoint")
      expect(given.sequence, equals: 1, .pause, "the sequence of a run that was given back")
      expect(given.payload, equals: json(1), .pause, "the stage of a run that was given back")
      expect(given.attempts, equals: 0, .pause, "the attempts of a run that was given back")
      expect(given.worker, equals: nil, .pause, "the worker of a run that was given back")
      expect(try await steps(of: run.id).count, equals: 1, .chain, "the steps behind a pause")
      expect(try await claimed(flow), equals: [], .pause, "what is claimed after the checkpoint")
      try await journal.resume(target, at: time)
      let again = try await claimOne(flow).record
      expect(again.attempts, equals: 1, .pauseEnd, "the attempts of a run that goes on")
      let made = try await journal.checkpoint(
        Checkpoint(
          claim: again.claim, version: 1, next: .stage(json(2)), beganAt: time.date,
          lease: .seconds(60)), at: time)
      expect(made, equals: .made, .pauseEnd, "the answer to a checkpoint after the pause")
      try await pause(target)
      let last = try await self.run(run.id)
      try await checkpoint(last, .completion(json(3)))
      expect(try await self.run(run.id).state, equals: .completed, .pause, "the completion")
      try await journal.resume(target, at: time)
    }
  }

  func pausesWhatIsTakenOver() async throws {
    for quarantine in [ClaimRequest.Quarantine.disregarded, .left(after: 3)] {
      let flow = "flow \(quarantine)"
      let run = try await startAndClaim(flow, lease: .seconds(10))
      try await pause(.flow(flow))
      move(by: 20)
      let none = try await claim(flow, quarantine: quarantine).runs
      expect(none, equals: [], .pause, "what is taken over while its flow is paused")
      let given = try await self.run(run.id)
      expect(given.state, equals: .ready, .pause, "a paused run whose worker has died")
      expect(given.crashes, equals: 1, .pause, "the crashes of a paused run")
      expect(given.attempts, equals: 0, .pause, "the attempts of a paused run")
      try await expectRefusal(.fencing, .claimLost, of: run.id, "a checkpoint of a lost run") {
        try await self.checkpoint(run, .stage(self.json(1)))
      }
      try await journal.resume(.flow(flow), at: time)
      let again = try await claimOne(flow).record
      expect(again.fence, equals: 2, .pauseEnd, "the fence after a pause")
      expect(again.crashes, equals: 1, .pauseEnd, "the crashes after a pause")
      expect(again.attempts, equals: 1, .pauseEnd, "the attempts after a pause")
    }
  }

  func endsPausesByTime() async throws {
    let id = try await start().id
    let end = time.date + 60
    try await pause(.flow("flow"), until: time.date + 600)
    try await pause(.flow("flow"), until: end)
    expect(try await claim().nextDueAt, equals: end, .pauseEnd, "when a pause ends")
    time.date = end - 0.125
    expect(try await claimed(), equals: [], .pauseEnd, "what is claimed just before the end")
    time.date = end
    expect(try await claimed(), equals: [id], .pauseEnd, "what is claimed at the end of a pause")
    expect(try await journal.pauses(), equals: [], .pauseEnd, "the pauses after the end")
    let run = try await startAndClaim("another flow")
    try await pause(.run(run.id), until: time.date + 60)
    try await checkpoint(run, .stage(json(1)))
    expect(try await claimed("another flow"), equals: [], .pauseEnd, "a run that is paused")
    move(by: 60)
    expect(try await claimed("another flow"), equals: [run.id], .pauseEnd, "a run at its end")
    expect(try await self.run(run.id).isPaused, equals: false, .pauseEnd, "whether it is paused")
  }

  func listsPauses() async throws {
    let run = try await start().id
    let date = time.date + 60
    let pauses = [
      JournalPause(.flow("a")), JournalPause(.flow("b"), until: date),
      JournalPause(.concurrencyKey("1", flow: "a")), JournalPause(.concurrencyKey("2", flow: "b")),
      JournalPause(.run(run), until: date),
    ]
    for pause in pauses.reversed() { try await self.pause(pause.target, until: pause.until) }
    expect(try await journal.pauses(), equals: pauses, .pauseEnd, "the pauses")
    let first = try await journal.surveyedPauses(atMost: 3)
    expect(first, equals: Array(pauses.prefix(3)), .pauseEnd, "the first pauses")
    let own = try await journal.surveyedPauses(of: [run])
    expect(own, equals: pauses, .pauseEnd, "the pauses that concern a run")
    for pause in pauses { try await journal.resume(pause.target, at: time) }
    expect(try await journal.pauses(), equals: [], .pauseEnd, "the pauses after all went on")
  }

  func demandsAProtocol() async throws {
    var request = ClaimRequest(
      worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
    request.protocolVersion = 1
    let old = request
    try await start()
    let before = try await journal.claim(old, at: time).runs.count
    expect(before, equals: 1, .protocolVersion, "what an old worker gets")
    try await pause(.flow("flow"))
    try await journal.resume(.flow("flow"), at: time)
    let id = try await start().id
    try await expectRefusal(
      .protocolVersion, .newerProtocol, of: id, "a worker that would ignore a pause"
    ) { _ = try await self.journal.claim(old, at: self.time) }
    expect(try await claimed(), equals: [id], .protocolVersion, "what a new worker gets")
  }

  /// Claims end a bounded number of pauses each, and say that there are more.
  func endsManyPausesAtOnce() async throws {
    var ids: Set<RunID> = []
    for _ in 0..<600 {
      let id = try await start().id
      try await journal.pause(.run(id), until: time.date + 10, at: time)
      ids.insert(id)
    }
    move(by: 10)
    let given = Set(try await claimAll(limit: 2_000).map(\.record.id))
    expect(
      given == ids, .pauseEnd,
      "\(given.count) of \(ids.count) runs were given after their pauses.")
    expect(try await journal.pauses(), equals: [], .pauseEnd, "the pauses that are left")
  }
}
