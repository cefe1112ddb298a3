import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var claims: [Self] {
    [
      Self(.claim) { try await $0.claimsWhatIsDue() },
      Self(.order) { try await $0.claimsInOrder() },
      Self(.room) { try await $0.claimsAsThereIsRoom() },
      Self(.room) { try await $0.claimsWithoutALimit() },
      Self(.version) { try await $0.leavesNewerVersionsAlone() },
      Self(.attempts) { try await $0.countsFencesAndAttempts() },
      Self(.wait) { try await $0.waitsByWallTime() },
      Self(.nextDue) { try await $0.tellsWhenTheNextIsDue() },
    ]
  }
}

extension JournalExamination {
  func claimsWhatIsDue() async throws {
    var wanted = try await start(key: "key")
    move(by: 5)
    let claimed = try await claimOne(worker: "first")
    wanted.state = .running
    wanted.fence = 1
    wanted.attempts = 1
    wanted.worker = "first"
    wanted.changedAt = time.date
    expect(claimed, equals: ClaimedRun(record: wanted), .claim, "the claimed run")
    expect(try await run(wanted.id), equals: wanted, .claim, "the run once it is claimed")
    expect(try await claim().runs, equals: [], .claim, "what is claimed again")
    try await start()
    expect(try await claim("another flow").runs, equals: [], .claim, "another flow's runs")
    let nobody = ClaimRequest(worker: "worker", flows: [], lease: .seconds(60))
    expect(try await journal.claim(nobody, at: time).runs, equals: [], .claim, "no flow's runs")
    for (state, _) in try await runsInEachState() where state != .ready {
      expect(try await claim("flow of \(state)").runs, equals: [], .claim, "what is \(state)")
    }
  }

  func claimsInOrder() async throws {
    let retried = try await startAndClaim()
    try await park(retried, .retry(at: time.date + 30, error: "no"))
    move(by: 10)
    let early = try await start().id
    move(by: 5)
    let elsewhere = try await start("another flow").id
    move(by: 5)
    let late = try await start().id
    move(by: 5)
    let waiting = try await startAndClaim("third flow")
    try await checkpoint(waiting, .waiting(json(1), until: time.date + 1))
    move(by: 75)
    // All are due, since the seconds 10, 15, 20, 26 and 30.
    let flows = ["third flow", "another flow", "flow"].map {
      ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 10)
    }
    let request = ClaimRequest(worker: "worker", flows: flows, lease: .seconds(10))
    let all = [early, elsewhere, late, waiting.id, retried.id]
    let first = try await claim(limit: 1, lease: .seconds(10)).runs.map(\.record.id)
    expect(first, equals: [early], .order, "the first of a flow")
    let second = try await claim(limit: 1, lease: .seconds(100)).runs.map(\.record.id)
    expect(second, equals: [late], .order, "the second of a flow")
    move(by: 20)
    let taken = try await journal.claim(request, at: time).runs.map(\.record.id)
    expect(
      taken, equals: all.filter { $0 != late }, .order,
      "one whose lease is over and others of three flows")
    let newest = try await start().id
    move(by: 20)
    let last = try await claim(limit: 1).runs.map(\.record.id)
    expect(last != [newest], .order, "one that was just started came before one taken over.")
  }

  func claimsAsThereIsRoom() async throws {
    for _ in 0..<5 {
      try await start("one")
      try await start("two")
    }
    let flows = [
      ClaimRequest.FlowRoom(flow: "one", version: 1, limit: 2),
      ClaimRequest.FlowRoom(flow: "two", version: 1, limit: 3),
      ClaimRequest.FlowRoom(flow: "three", version: 1, limit: 4),
    ]
    let request = ClaimRequest(worker: "worker", flows: flows, lease: .seconds(60))
    let runs = try await journal.claim(request, at: time).runs.map(\.record.flow)
    expect(runs.count { $0 == "one" }, equals: 2, .room, "runs of a flow with room for 2")
    expect(runs.count { $0 == "two" }, equals: 3, .room, "runs of a flow with room for 3")
    expect(runs.count, equals: 5, .room, "all runs")
    expect(try await claim("one", limit: 0).runs.count, equals: 0, .room, "with room for none")
    expect(try await claim("one", limit: -1).runs.count, equals: 0, .room, "with less than none")
    expect(try await claim("one", limit: 9).runs.count, equals: 3, .room, "what was left")
    for _ in 0..<2 {
      try await start("one")
      try await start("two")
    }
    var few = ClaimRequest(worker: "worker", flows: flows, lease: .seconds(60), limit: 3)
    expect(try await journal.claim(few, at: time).runs.count, equals: 3, .room, "three at most")
    few.limit = 0
    expect(try await journal.claim(few, at: time).runs.count, equals: 0, .room, "none at most")
  }

  func claimsWithoutALimit() async throws {
    let waiting = try await startAndClaim()
    try await checkpoint(waiting, .waiting(json(1), until: time.date + 5))
    let retried = try await startAndClaim()
    try await park(retried, .retry(at: time.date + 5, error: "no"))
    let late = try await startAndClaim(lease: .seconds(5))
    let new = try await start().id
    move(by: 10)
    let given = try await claim(limit: .max, quarantine: .left(after: 9)).runs.map(\.record.id)
    expect(
      Set(given), equals: [waiting.id, retried.id, late.id, new], .room,
      "what a claim without a limit gives")
    expect(given.count, equals: 4, .room, "the count of runs of a claim without a limit")
  }

  func leavesNewerVersionsAlone() async throws {
    let id = try await start(version: 3).id
    let old = try await start(version: 1).id
    let older = try await claim(version: 2).runs.map(\.record.id)
    expect(older, equals: [old], .version, "what a worker of version 2 gets")
    guard let run = try await claim(version: 3, lease: .seconds(10)).runs.first?.record else {
      throw Missing(detail: "a worker of the run's version did not get it.")
    }
    expect(run.id, equals: id, .version, "what a worker of version 3 gets")
    move(by: 20)
    expect(
      try await claim(version: 2).runs, equals: [], .version, "a newer run whose lease is over")
    let next = Checkpoint(
      claim: run.claim, version: 4, next: .waiting(json(1), until: time.date + 1),
      beganAt: time.date, lease: .seconds(10))
    try await journal.checkpoint(next, at: time)
    expect(try await self.run(id).version, equals: 4, .version, "the version of the next stage")
    expect(
      try await claim(version: 3).nextDueAt, equals: nil, .version, "when a newer run is due")
    move(by: 10)
    expect(try await claim(version: 3).runs, equals: [], .version, "a run of version 4")
    expect(try await claim(version: 5).runs.count, equals: 1, .version, "a run of an older version")
  }

  func countsFencesAndAttempts() async throws {
    func examine(_ run: RunRecord, fence: Int, attempts: Int, _ what: String) {
      expect(run.fence, equals: fence, .fence, what)
      expect(run.attempts, equals: attempts, .attempts, what)
    }
    let first = try await startAndClaim(lease: .seconds(10))
    examine(first, fence: 1, attempts: 1, "at the first claim")
    move(by: 10)
    let second = try await claimOne().record
    examine(second, fence: 2, attempts: 1, "after a crash")
    try await park(second, .retry(at: time.date, error: "no"))
    let third = try await claimOne().record
    examine(third, fence: 3, attempts: 2, "after a failed attempt")
    try await park(third, .shutdown)
    let fourth = try await claimOne().record
    examine(fourth, fence: 4, attempts: 2, "after a shutdown")
    try await checkpoint(fourth, .stage(json(1)), lease: .seconds(10))
    examine(try await run(first.id), fence: 4, attempts: 1, "after a checkpoint")
    move(by: 10)
    let fifth = try await claimOne().record
    examine(fifth, fence: 5, attempts: 1, "after a crash at the next stage")
    try await checkpoint(fifth, .waiting(json(2), until: time.date))
    examine(try await run(first.id), fence: 5, attempts: 0, "of a run that waits")
    examine(try await claimOne().record, fence: 6, attempts: 1, "after a wait")
  }

  func waitsByWallTime() async throws {
    let run = try await startAndClaim()
    let until = time.date + 60
    try await checkpoint(run, .waiting(json(1), until: until))
    expect(try await self.run(run.id).dueAt, equals: until, .wait, "the time of a run that waits")
    expect(try await claim().runs, equals: [], .wait, "what is claimed before its time")
    time.uptime += .seconds(86_400)
    expect(try await claim().runs, equals: [], .wait, "what is claimed after much uptime")
    time.date = until - 0.125
    expect(try await claim().runs, equals: [], .wait, "what is claimed just before its time")
    time.date = until
    let claimed = try await claimOne(lease: .seconds(10)).record
    expect(claimed.dueAt, equals: nil, .wait, "the time of a run that has waited")
    expect(claimed.payload, equals: json(1), .wait, "its stage")
    expect(try await claim().runs, equals: [], .wait, "what is claimed a second time")
    // The wall clock is set back: the run does not wait a second time.
    time.date += journal.clock == .caller ? -86_400 : 10
    time.uptime += .seconds(10)
    let again = try await claimOne().record
    expect(again.crashes, equals: 1, .wait, "the crashes when the clock went back after a wait")
    try await checkpoint(again, .completion(json(2)))
    time.date += 10 * 86_400
    expect(try await claim().runs, equals: [], .wait, "what is claimed once it is completed")
  }

  func tellsWhenTheNextIsDue() async throws {
    expect(try await claim().nextDueAt, equals: nil, .nextDue, "of no runs")
    var waiting: [RunRecord] = []
    for _ in 0..<3 { waiting.append(try await startAndClaim()) }
    expect(try await claim().nextDueAt, equals: nil, .nextDue, "of runs that are running")
    try await checkpoint(waiting[0], .waiting(json(1), until: time.date + 60))
    try await checkpoint(waiting[1], .receiving(json(1), signals: ["go"], until: time.date + 40))
    try await park(waiting[2], .retry(at: time.date + 50, error: "no"))
    let begin = time.date
    expect(try await claim().nextDueAt, equals: begin + 40, .nextDue, "of three")
    expect(
      try await claim(limit: 0).nextDueAt, equals: begin + 40, .nextDue, "where is no room")
    expect(
      try await claim("another flow").nextDueAt, equals: nil, .nextDue, "of another flow")
    move(by: 45)
    expect(try await claim().nextDueAt, equals: begin + 50, .nextDue, "once one is claimed")
    move(by: 45)
    expect(try await claim().nextDueAt, equals: nil, .nextDue, "once all are claimed")
    let last = try await startAndClaim()
    try await checkpoint(last, .receiving(json(1), signals: ["go"], until: nil))
    expect(try await claim().nextDueAt, equals: nil, .nextDue, "where only a signal can come")
  }
}
