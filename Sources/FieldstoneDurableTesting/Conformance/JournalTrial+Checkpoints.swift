import FieldstoneDurable
import FieldstoneTesting
import Foundation

extension JournalTrial {
  static var checkpoints: [Self] {
    [
      Self(.checkpoint) { try await $0.leadsToWhatFollows() },
      Self(.chain) { try await $0.keepsTheChain() },
      Self(.once) { try await $0.refusesTheSameTwice() },
      Self(.fencing) { try await $0.fencesTheLost() },
      Self(.fencing) { try await $0.fencesOtherNumbers() },
      Self(.outgoing) { try await $0.startsAndSignalsAtCheckpoints() },
    ]
  }
}

extension JournalExamination {
  func startsAndSignalsAtCheckpoints() async throws {
    let waiting = try await startAndClaim("waiting")
    try await checkpoint(waiting, .receiving(json(1), signals: ["go"], until: nil))
    var run = try await startAndClaim()
    let known = try await start("keyed", key: "key")
    func outgoing(_ id: RunID, key: String? = nil, to runs: [RunID]) -> Checkpoint {
      let signal = SignalRecord(id: "\(id)", name: "go", payload: json(3), sentAt: time.date)
      return Checkpoint(
        claim: run.claim, version: 1, next: .stage(json(1)), beganAt: time.date,
        lease: .seconds(60),
        starts: [
          RunStart(
            id: id, flow: key == nil ? "child" : "keyed", version: 2, key: key, payload: json(2),
            notBefore: time.date + 10, priority: 1)
        ], signals: runs.map { Checkpoint.Signal(to: $0, signal) })
    }
    // Refused completely: an unknown run, after a known one and one that is started with the
    // checkpoint.
    let lost = newID()
    try await expectRefusal(.outgoing, .noRun, of: run.id, "a signal to no run") {
      try await journal.checkpoint(outgoing(lost, to: [waiting.id, lost, newID()]), at: time)
    }
    expect(try await journal.run(lost), equals: nil, .outgoing, "a start that was taken back")
    expect(
      try await claim("waiting").runs, equals: [], .outgoing, "a signal that was taken back")
    let over = try await startAndClaim("over")
    try await checkpoint(over, .completion(json(1)))
    try await expectRefusal(.outgoing, .notAllowed, of: run.id, "a signal to one that is over") {
      try await journal.checkpoint(outgoing(lost, to: [over.id]), at: time)
    }
    // By a worker that has lost the run.
    var stale = outgoing(lost, to: [waiting.id])
    stale.claim.fence -= 1
    try await expectRefusal(.outgoing, .claimLost, of: run.id, "a checkpoint without the claim") {
      try await journal.checkpoint(stale, at: time)
    }
    expect(try await journal.run(lost), equals: nil, .outgoing, "the start of a lost claim")
    // Made completely.
    let child = newID()
    try await journal.checkpoint(outgoing(child, to: [waiting.id, child, run.id]), at: time)
    let record = try await self.run(child)
    expect(
      record,
      equals: RunRecord(
        id: child, flow: "child", version: 2, priority: 1, payload: json(2),
        startedAt: time.date, changedAt: time.date, dueAt: time.date + 10),
      .outgoing, "a run that was started")
    for id in [child, run.id] {
      let again = SignalRecord(id: "\(child)", name: "go", payload: json(3), sentAt: time.date)
      expect(
        try await journal.signal(id, again, at: time), equals: .alreadySent, .outgoing,
        "a signal sent by a checkpoint and sent again")
    }
    let woken = try await claim("waiting").runs
    expect(woken.map(\.signal?.payload), equals: [json(3)], .outgoing, "the signal that came")
    run.sequence += 1
    // A start whose key is taken gives the existing run, as without a checkpoint.
    let taken = newID()
    try await journal.checkpoint(outgoing(taken, key: "key", to: []), at: time)
    expect(try await journal.run(taken), equals: nil, .outgoing, "a start whose key is taken")
    expect(try await self.run(known.id), equals: known, .outgoing, "the run with the key")
  }

  func leadsToWhatFollows() async throws {
    let until = time.date + 600
    let nexts: [Checkpoint.Next] = [
      .stage(json(1)), .waiting(json(2), until: until),
      .receiving(json(3), signals: ["go"], until: until),
      .receiving(json(4), signals: ["go"], until: nil), .completion(json(5)),
      .joining(json(6), .init([], until: until)), .joining(json(7), .init([child()], until: until)),
    ]
    for (number, next) in nexts.enumerated() {
      let run = try await startAndClaim("flow \(number)")
      move(by: 5)
      try await checkpoint(run, next)
      var wanted = run
      wanted.sequence = 1
      wanted.changedAt = time.date
      wanted.payload = json(number + 1)
      if number > 0 {
        wanted.attempts = 0
        wanted.state = .ready
        wanted.worker = nil
      }
      switch next {
      case .stage: break
      case .waiting: wanted.dueAt = until
      case .receiving(_, let names, let date):
        wanted.dueAt = date ?? .distantFuture
        wanted.awaitedSignals = names
      case .joining(_, let join):
        wanted.join = RunJoin(
          sequence: 0, policy: join.children.isEmpty ? nil : .all, open: join.children.count)
        wanted.dueAt = join.children.isEmpty ? nil : until
      case .completion: wanted.state = .completed
      }
      expect(try await self.run(run.id), equals: wanted, .checkpoint, "the run after \(next)")
      let step = StepRecord(
        sequence: 0, fence: 1, version: 1, payload: json(0), attempts: 1, beganAt: time.date - 1,
        endedAt: time.date, worker: "worker")
      expect(try await steps(of: run.id), equals: [step], .chain, "the steps after \(next)")
    }
  }

  func keepsTheChain() async throws {
    var run = try await startAndClaim(lease: .seconds(10))
    var wanted: [StepRecord] = []
    var generator = SeededGenerator(seed: 9)
    var error: String?
    for number in 1...60 {
      move(by: 1)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        move(by: 10)
        run = try await claimOne(lease: .seconds(10)).record
      case 1:
        error = "error \(number)"
        try await park(run, .retry(at: time.date, error: "error \(number)"))
        run = try await claimOne(lease: .seconds(10)).record
      case 2:
        try await park(run, .shutdown)
        run = try await self.run(run.id)
        wanted.append(
          StepRecord(
            sequence: run.sequence, fence: run.fence, kind: .edited, version: run.version,
            payload: run.payload, attempts: run.attempts + run.crashes, beganAt: time.date,
            endedAt: time.date, error: error))
        error = nil
        try await journal.change(
          run.id, .edit(json(wanted.count), version: run.version), at: time)
        run = try await claimOne(lease: .seconds(10)).record
      default:
        wanted.append(
          StepRecord(
            sequence: run.sequence, fence: run.fence, version: run.version, payload: run.payload,
            attempts: run.attempts + run.crashes, beganAt: time.date - 1, endedAt: time.date,
            worker: "worker", error: error))
        error = nil
        try await checkpoint(run, .stage(json(wanted.count)), lease: .seconds(10))
        run = try await self.run(run.id)
      }
      guard run.sequence == wanted.count, run.payload == json(wanted.count) else {
        throw Missing(detail: "the run had stage \(run.sequence) after \(wanted.count) steps.")
      }
    }
    let steps = try await steps(of: run.id)
    expect(
      steps.map(\.sequence), equals: Array(0..<wanted.count), .chain, "the numbers of the steps")
    for (step, wanted) in zip(steps, wanted) where step != wanted {
      expect(step, equals: wanted, .chain, "a step")
    }
  }

  func refusesTheSameTwice() async throws {
    let nexts: [Checkpoint.Next] = [
      .stage(json(1)), .waiting(json(1), until: time.date), .completion(json(1)),
    ]
    for next in nexts {
      let run = try await startAndClaim()
      try await checkpoint(run, next)
      move(by: 1)
      try await expectRefusal(.once, .claimLost, of: run.id, "a second \(next)") {
        try await checkpoint(run, next)
      }
      try await journal.purge(JournalRetention(runs: .zero), at: time)
      if case .completion = next { continue }
      try await journal.change(run.id, .cancel, at: time)
    }
  }

  /// Takes a run away from its worker, in every possible way.
  private func loseRuns() async throws -> [(how: String, run: RunRecord)] {
    let taken = try await startAndClaim("taken", lease: .seconds(10))
    move(by: 10)
    _ = try await claimOne("taken", worker: "another")
    let parked = try await startAndClaim("parked")
    try await park(parked, .shutdown)
    let cancelled = try await startAndClaim("cancelled")
    try await journal.change(cancelled.id, .cancel, at: time)
    let retried = try await startAndClaim("retried")
    try await journal.change(retried.id, .cancel, at: time)
    try await journal.change(retried.id, .retry, at: time)
    let edited = try await startAndClaim("edited")
    try await park(edited, .blocked(error: "no"))
    try await journal.change(edited.id, .edit(json(3), version: nil), at: time)
    let dead = try await startAndClaim("dead")
    try await park(dead, .dead(error: "no"))
    let claimedAgain = try await startAndClaim("claimed again")
    try await park(claimedAgain, .shutdown)
    _ = try await claimOne("claimed again")
    let completed = try await startAndClaim("completed")
    try await checkpoint(completed, .completion(json(1)))
    return [
      ("by a takeover", taken), ("by parking", parked), ("by a cancellation", cancelled),
      ("by a cancellation and a retry", retried), ("by an edit", edited), ("by its death", dead),
      ("by its own worker's next claim", claimedAgain), ("by its completion", completed),
    ]
  }

  func fencesTheLost() async throws {
    let reasons: [Parking.Reason] = [
      .shutdown, .retry(at: time.date, error: "late"), .dead(error: "late"),
      .blocked(error: "late"),
    ]
    for (how, run) in try await loseRuns() {
      move(by: 1)
      for next in [Checkpoint.Next.stage(json(8)), .completion(json(8))] {
        try await expectRefusal(.fencing, .claimLost, of: run.id, "a checkpoint lost \(how)") {
          try await checkpoint(run, next)
        }
      }
      for reason in reasons {
        try await expectRefusal(.fencing, .claimLost, of: run.id, "a parking lost \(how)") {
          try await park(run, reason)
        }
      }
    }
    var nobody = try await startAndClaim("nobody")
    nobody.id = newID()
    try await expectRefusal(.fencing, .claimLost, of: nobody.id, "a checkpoint of no run") {
      try await checkpoint(nobody, .stage(json(8)))
    }
    try await expectRefusal(.fencing, .claimLost, of: nobody.id, "a parking of no run") {
      try await park(nobody, .shutdown)
    }
  }

  func fencesOtherNumbers() async throws {
    let run = try await startAndClaim()
    try await checkpoint(run, .stage(json(1)))
    let held = try await self.run(run.id)
    try await signal(run.id, "signal")
    let numbers = [(0, 1), (2, 1), (1, 0), (1, 2), (-1, 1), (0, 0), (2, 2)]
    for (sequence, fence) in numbers {
      var wrong = held
      wrong.sequence = sequence
      wrong.fence = fence
      let what = "sequence \(sequence) and fence \(fence) for 1 and 1"
      try await expectRefusal(.fencing, .claimLost, of: run.id, "a checkpoint with \(what)") {
        try await checkpoint(
          wrong, .receiving(json(8), signals: ["go"], until: nil), consuming: ["signal"])
      }
      try await expectRefusal(.fencing, .claimLost, of: run.id, "a parking with \(what)") {
        try await park(wrong, .dead(error: "no"))
      }
    }
    try await checkpoint(held, .receiving(json(2), signals: ["go"], until: nil))
    expect(
      try await claim().runs.first?.signal?.id, equals: "signal", .fencing,
      "the signal that refused checkpoints consumed")
  }
}
