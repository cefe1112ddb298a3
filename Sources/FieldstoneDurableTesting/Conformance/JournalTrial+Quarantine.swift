import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var quarantine: [Self] {
    [
      Self(.crashes) { try await $0.countsCrashesApart() },
      Self(.crashes) { try await $0.forgetsCrashes() },
      Self(.quarantine) { try await $0.halvesGroups() },
      Self(.quarantine) { try await $0.triesOneOfAGroupAtATime() },
      Self(.quarantine) { try await $0.clearsWhatLives() },
      Self(.quarantine) { try await $0.givesGroupsAsThereIsRoom() },
      Self(.alone) { try await $0.countsLoneCrashes() },
    ]
  }
}

extension JournalExamination {
  func countsCrashesApart() async throws {
    func examine(_ run: RunRecord, attempts: Int, crashes: Int, _ what: String) {
      expect(run.attempts, equals: attempts, .crashes, "attempts \(what)")
      expect(run.crashes, equals: crashes, .crashes, "crashes \(what)")
      expect(run.loneCrashes, equals: 0, .crashes, "lone crashes \(what)")
    }
    let id = try await startAndClaim(lease: .seconds(10)).id
    for crash in 1...3 {
      move(by: 10)
      examine(
        try await claimOne(lease: .seconds(10)).record, attempts: 1, crashes: crash,
        "after \(crash) crashes")
    }
    try await park(try await run(id), .shutdown)
    examine(try await run(id), attempts: 0, crashes: 3, "after a shutdown")
    let again = try await claimOne().record
    examine(again, attempts: 1, crashes: 3, "at the next claim")
    try await checkpoint(again, .stage(json(1)), lease: .seconds(10))
    examine(try await run(id), attempts: 1, crashes: 0, "at the next stage")
    expect(
      try await steps(of: id).map(\.attempts), equals: [4], .crashes,
      "attempts of a step, crashes counted in")
    move(by: 10)
    let last = try await claimOne().record
    try await park(last, .exhausted(error: "no"))
    examine(try await run(id), attempts: 0, crashes: 1, "of one that is dead of them")
    expect(
      try await run(id).state, equals: .dead, .crashes, "the state of one that is dead of them")
    expect(try await run(id).error, equals: "no", .crashes, "its error")
  }

  func forgetsCrashes() async throws {
    let failed = try await startAndClaim(lease: .seconds(10))
    move(by: 10)
    try await park(try await claimOne().record, .retry(at: time.date, error: "no"))
    expect(try await run(failed.id).crashes, equals: 0, .crashes, "crashes after a failed attempt")
    expect(try await run(failed.id).attempts, equals: 1, .crashes, "attempts after a failed one")
    try await journal.change(failed.id, .cancel, at: time)
    let blocked = try await startAndClaim(lease: .seconds(10))
    move(by: 10)
    try await park(try await claimOne().record, .blocked(error: "no"))
    expect(try await run(blocked.id).crashes, equals: 0, .crashes, "crashes once it is blocked")
    for change: RunChange in [.retry, .edit(json(2), version: nil)] {
      let run = try await startAndClaim(lease: .seconds(10))
      move(by: 10)
      try await park(try await claimOne().record, .dead(error: "no"))
      expect(try await self.run(run.id).crashes, equals: 1, .crashes, "crashes of one that is dead")
      let changed = try await journal.change(run.id, change, at: time)
      expect(changed.crashes, equals: 0, .crashes, "crashes once a person has changed it")
      try await journal.change(run.id, .cancel, at: time)
    }
  }

  /// Starts runs of two flows, and lets a number of workers die with all of them.
  private func crash(_ counts: [String: Int] = ["one": 3, "two": 2], times: Int) async throws
    -> [RunID]
  {
    var ids: [RunID] = []
    for (flow, count) in counts.sorted(by: { $0.key < $1.key }) {
      for _ in 0..<count {
        move(by: 1)
        ids.append(try await start(flow).id)
      }
    }
    for number in 0..<times {
      let claim = try await claimBoth("dead \(number)", .left(after: times))
      expect(claim.runs.count, equals: ids.count, .quarantine, "runs of too few crashes")
      expect(
        claim.runs.contains(where: \.isCrashSuspected), equals: false, .quarantine,
        "whether runs of too few crashes are crash-suspected")
      expect(claim.quarantined, equals: .none, .quarantine, "what waits of too few crashes")
      move(by: 10)
    }
    return ids
  }

  private func claimBoth(
    _ worker: String, limit: Int = 100, _ quarantine: ClaimRequest.Quarantine
  ) async throws -> Claim {
    let flows = ["one", "two"].map { ClaimRequest.FlowRoom(flow: $0, version: 1, limit: limit) }
    return try await journal.claim(
      ClaimRequest(worker: worker, flows: flows, lease: .seconds(10), quarantine: quarantine),
      at: time)
  }

  func halvesGroups() async throws {
    let ids = try await crash(times: 2)
    let left = try await claimBoth("left", .left(after: 2))
    expect(left.runs, equals: [], .quarantine, "what is given that is left")
    expect(left.quarantined, equals: .groups, .quarantine, "what waits after two crashes")
    for id in ids {
      let run = try await run(id)
      expect(run.state, equals: .ready, .quarantine, "the state of what waits")
      expect(run.worker, equals: nil, .quarantine, "the worker of what waits")
      expect(run.attempts, equals: 0, .quarantine, "the attempts of what waits")
      expect(run.crashes, equals: 2, .quarantine, "the crashes of what waits")
    }
    // All runs that crashed together are tried together; then three and two of them; then two and
    // one…
    var sizes: [Int] = []
    for number in 0..<20 {
      let claim = try await claimBoth("worker \(number)", .alone(after: 2))
      if claim.runs.isEmpty { break }
      sizes.append(claim.runs.count)
      expect(
        claim.runs.allSatisfy(\.isCrashSuspected), equals: true, .quarantine,
        "whether a group's members are crash-suspected")
      expect(
        claim.runs.map(\.record.id), equals: claim.runs.map(\.record.id).sorted(), .quarantine,
        "the order of a group")
      if sizes.count == 1 {
        expect(claim.runs.map(\.record.id), equals: ids, .quarantine, "the first group")
      }
      if claim.runs.contains(where: { $0.record.loneCrashes > 0 }) {
        for run in claim.runs { try await park(run.record, .exhausted(error: "no")) }
      } else {
        move(by: 10)
      }
    }
    // A run that ended its worker again while it was alone comes last here.
    expect(
      sizes, equals: [5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], .quarantine,
      "the sizes of the groups when each ends its worker")
  }

  func triesOneOfAGroupAtATime() async throws {
    _ = try await crash(times: 1)
    let first = try await claimBoth("first", .alone(after: 1))
    expect(first.runs.count, equals: 5, .quarantine, "the members of a group")
    guard first.runs.count == 5 else { return }
    expect(first.runs.contains(where: \.isAlone), equals: false, .alone, "whether five are alone")
    try await park(first.runs[0].record, .shutdown)
    for quarantine: ClaimRequest.Quarantine in [
      .left(after: 1), .group(after: 1), .alone(after: 1),
    ] {
      let claim = try await claimBoth("second", quarantine)
      expect(claim.runs, equals: [], .quarantine, "what is given of a group that is tried")
      expect(claim.quarantined, equals: .none, .quarantine, "what waits while it is tried")
    }
    let fresh = try await start("two").id
    let others = try await claimBoth("second", .group(after: 1)).runs
    expect(others.map(\.record.id), equals: [fresh], .quarantine, "others while a group is tried")
    expect(
      others.contains(where: \.isCrashSuspected), equals: false, .quarantine,
      "whether others are crash-suspected")
    // The parked run is unchanged; the others are halved, and wait behind it.
    move(by: 10)
    let lone = try await claimBoth("third", .alone(after: 2)).runs
    expect(
      lone.map(\.record.id), equals: [first.runs[0].record.id], .quarantine,
      "what has crashed least often")
    let group = try await claimBoth("fourth", .group(after: 2))
    expect(
      group.runs.map(\.record.id), equals: first.runs[1...2].map(\.record.id), .quarantine,
      "half of what a worker had when it died")
    expect(group.quarantined, equals: .groups, .quarantine, "what waits beside it")
  }

  func clearsWhatLives() async throws {
    let ids = try await crash(["one": 4], times: 1)
    let runs = try await claimBoth("worker", .group(after: 1)).runs.map(\.record)
    guard runs.map(\.id) == ids else {
      throw Missing(detail: "a group of four was given as \(runs.count).")
    }
    try await checkpoint(runs[0], .stage(json(1)), lease: .seconds(10))
    try await checkpoint(runs[1], .waiting(json(1), until: time.date))
    try await park(runs[2], .retry(at: time.date, error: "no"))
    try await park(runs[3], .shutdown)
    let claim = try await claimBoth("another", .left(after: 1))
    expect(
      Set(claim.runs.map(\.record.id)), equals: [ids[1], ids[2]], .quarantine,
      "what is given like others once its worker has lived")
    expect(claim.quarantined, equals: .lone, .quarantine, "what waits when all others are cleared")
    move(by: 10)
    let first = try await claimBoth("next", .left(after: 2)).runs
    expect(
      Set(first.map(\.record.id)), equals: Set(ids.prefix(3)), .quarantine,
      "what is given like others after a new first crash")
    let all = try await claimBoth("person", .disregarded)
    expect(
      all.runs.map(\.record.id), equals: [ids[3]], .quarantine,
      "what is given where it is disregarded")
    expect(all.quarantined, equals: .none, .quarantine, "what waits where it is disregarded")
    guard let held = all.runs.first?.record else { return }
    try await park(held, .shutdown)
    try await journal.change(ids[3], .retry, at: time)
    expect(
      try await claimBoth("last", .left(after: 1)).runs.map(\.record.id), equals: [ids[3]],
      .quarantine, "what a person has retried")
  }

  func givesGroupsAsThereIsRoom() async throws {
    let ids = try await crash(["one": 4, "two": 1], times: 1)
    let newer = ClaimRequest(
      worker: "older", flows: [.init(flow: "one", version: 0, limit: 9)], lease: .seconds(10),
      quarantine: .group(after: 1))
    let older = try await journal.claim(newer, at: time)
    expect(older.runs, equals: [], .quarantine, "what is given of a newer version")
    expect(older.quarantined, equals: .none, .quarantine, "what waits of a newer version")
    let full = try await claimBoth("full", limit: 0, .group(after: 1))
    expect(full.quarantined, equals: .none, .quarantine, "what waits where there is no room")
    let part = try await claimBoth("worker", limit: 2, .group(after: 1))
    expect(
      part.runs.map(\.record.id), equals: [ids[0], ids[1], ids[4]], .quarantine,
      "the members of a group that there is room for")
    move(by: 10)
    // The two untried runs stay a group; of the three, two form one and one forms another.
    for wanted in [[ids[2], ids[3]], [ids[0], ids[1]], [ids[4]]] {
      let claim = try await claimBoth("worker", .alone(after: 1))
      expect(
        claim.runs.map(\.record.id), equals: wanted, .quarantine, "the groups, by their crashes")
      for run in claim.runs { try await checkpoint(run.record, .completion(json(2))) }
    }
  }

  func countsLoneCrashes() async throws {
    let id = try await crash(["one": 1], times: 1)[0]
    let without = try await claimBoth("worker", .group(after: 1))
    expect(without.runs, equals: [], .alone, "what is given beside others")
    expect(without.quarantined, equals: .lone, .alone, "what waits to be alone")
    for count in 0..<2 {
      let claim = try await claimBoth("worker", .alone(after: 1))
      expect(claim.runs.map(\.isAlone), equals: [true], .alone, "whether one is alone")
      expect(
        claim.runs.map(\.record.loneCrashes), equals: [count], .alone, "lone crashes before")
      expect(
        claim.runs.map(\.record.crashes), equals: [count + 1], .alone, "crashes before")
      move(by: 10)
    }
    _ = try await claimBoth("worker", .alone(after: 1))
    // Another run comes beside it: the cause of a crash is no longer certain.
    try await start("two")
    expect(
      try await claimBoth("worker", .left(after: 1)).runs.count, equals: 1, .alone,
      "what is given beside it")
    move(by: 10)
    _ = try await claimBoth("another", .left(after: 9))
    let run = try await run(id)
    expect(run.crashes, equals: 4, .alone, "crashes, one of them in company")
    expect(run.loneCrashes, equals: 2, .alone, "lone crashes, one in company left out")
    let last = try await claimBoth("another", .alone(after: 1)).runs.map(\.record)
    guard let last = last.first(where: { $0.id == id }) else {
      throw Missing(detail: "a run in quarantine was not given to a worker without others.")
    }
    try await checkpoint(last, .stage(json(1)))
    expect(try await self.run(id).loneCrashes, equals: 0, .alone, "lone crashes at the next stage")
  }
}
