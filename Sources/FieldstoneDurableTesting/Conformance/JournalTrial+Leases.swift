import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var leases: [Self] {
    [
      Self(.lease) { try await $0.leasesAreOverByUptime() },
      Self(.lease) { try await $0.leasesAreOverInAnotherBoot() },
      Self(.lease) { try await $0.checkpointsBringALease() },
      Self(.lease) { try await $0.leasesOverAreNotLost() },
      Self(.wallClock) { try await $0.standsASetClock() },
      Self(.clock) { try await $0.standsAnotherServersClock() },
      Self(.clock) { try await $0.ignoresCallersClocks() },
      Self(.renewal) { try await $0.renews() },
      Self(.renewal) { try await $0.tellsWhatIsLost() },
      Self(.renewal) { try await $0.renewsWithoutShortening() },
    ]
  }
}

extension JournalExamination {
  func leasesAreOverByUptime() async throws {
    let run = try await startAndClaim(lease: .seconds(60))
    move(by: 59.875)
    expect(try await claim().runs, equals: [], .lease, "what is claimed just before its end")
    move(by: 0.125)
    let claimed = try await claimOne(worker: "another").record
    expect(claimed.id, equals: run.id, .lease, "what is claimed at its end")
    expect(claimed.worker, equals: "another", .lease, "whose it is then")
    expect(try await claim().runs, equals: [], .lease, "what is claimed once it is taken over")
  }

  func leasesAreOverInAnotherBoot() async throws {
    let run = try await startAndClaim(lease: .seconds(60))
    time = JournalTime(date: time.date, uptime: .seconds(1), boot: "second boot")
    let comparesBoots = journal.clock == .caller
    if !comparesBoots {
      // The uptime of another boot does not count, however large it is.
      time.uptime = .seconds(1_000_000)
      time.date += 59.875
      expect(
        try await claim().runs, equals: [], .lease, "what is claimed of a lease from elsewhere")
      time.date += 0.125
    }
    let second = try await claimOne(lease: .seconds(60)).record
    expect(second.id, equals: run.id, .lease, "what is claimed in another boot")
    expect(try await claim().runs, equals: [], .lease, "what is claimed again in that boot")
    time = JournalTime(date: time.date, uptime: .seconds(2), boot: "third boot")
    if !comparesBoots { time.date += 30 }
    expect(
      try await journal.renew([second.claim], lease: .seconds(60), at: time), equals: [], .lease,
      "what is lost by a renewal in another boot")
    expect(try await claim().runs, equals: [], .lease, "what is claimed once it is renewed")
    if !comparesBoots {
      time.boot = "fourth boot"
      time.date += 59.875
      expect(try await claim().runs, equals: [], .lease, "what is claimed before the renewed end")
      time.date += 0.125
      expect(
        try await claim().runs.map(\.record.id), equals: [run.id], .lease,
        "what is claimed at the renewed end")
    }
  }

  func checkpointsBringALease() async throws {
    let run = try await startAndClaim(lease: .seconds(10))
    move(by: 5)
    try await checkpoint(run, .stage(json(1)), lease: .seconds(100))
    move(by: 99.875)
    expect(
      try await claim().runs, equals: [], .lease, "what is claimed before a checkpoint's lease ends"
    )
    move(by: 0.125)
    let taken = try await claimOne(lease: .seconds(1_000)).record
    try await checkpoint(taken, .stage(json(2)), lease: .seconds(10))
    move(by: 10)
    expect(
      try await claim().runs.count, equals: 1, .lease, "what is claimed when a shorter one ends")
  }

  func leasesOverAreNotLost() async throws {
    let run = try await startAndClaim(lease: .seconds(10))
    move(by: 20)
    try await checkpoint(run, .stage(json(1)), lease: .seconds(10))
    move(by: 20)
    expect(
      try await journal.renew([try await self.run(run.id).claim], lease: .seconds(10), at: time),
      equals: [], .lease, "what is lost though nobody took it")
    expect(try await claim().runs, equals: [], .lease, "what is claimed once it is renewed late")
    move(by: 20)
    try await park(try await self.run(run.id), .shutdown)
    expect(try await self.run(run.id).state, equals: .ready, .lease, "the state once it is parked")
  }

  /// A promoted server may have another clock: work repeats, and no chain breaks.
  func standsAnotherServersClock() async throws {
    guard journal.clock == .server else { return }
    let first = try await startAndClaim()
    time.date += 3_600
    let second = try await claimOne(worker: "another").record
    expect(second.id, equals: first.id, .clock, "what is claimed when the clock is set forward")
    try await expectRefusal(.clock, .claimLost, of: first.id, "a checkpoint of the former worker") {
      try await checkpoint(first, .stage(json(1)))
    }
    try await checkpoint(second, .stage(json(1)))
    time.date -= 7_200
    let third = try await run(first.id)
    expect(
      try await journal.renew([third.claim], lease: .seconds(60), at: time), equals: [], .clock,
      "what is lost when the clock is set back")
    try await checkpoint(third, .stage(json(2)))
    expect(try await claim().runs, equals: [], .clock, "what is claimed when it is set back")
    time.date += 60
    let last = try await claimOne().record
    try await checkpoint(last, .completion(json(3)))
    expect(
      try await steps(of: first.id).map(\.fence), equals: [2, 2, 3], .clock,
      "the fences in the chain")
  }

  /// A caller's times count by their distance from the caller's own clock.
  func ignoresCallersClocks() async throws {
    guard journal.clock == .server else { return }
    expect(journal is SkewedJournal, .clock, "the suite has no setClock to try it by.")
    let run = try await startAndClaim()
    try await park(run, .retry(at: time.date + 40, error: "no"))
    expect(
      try await self.run(run.id).dueAt, equals: time.date + 40, .clock, "the time of a retry")
    expect(
      try await claim().nextDueAt, equals: time.date + 40, .clock,
      "when the next is due by the caller's clock")
    time.date += 40
    try await checkpoint(try await claimOne().record, .waiting(json(1), until: time.date + 50))
    let step = try await steps(of: run.id).first
    expect(step?.endedAt, equals: time.date, .clock, "when a stage ended")
    expect(step?.beganAt, equals: time.date - 1, .clock, "when a stage began")
    expect(
      try await self.run(run.id).dueAt, equals: time.date + 50, .clock, "the time of a wait")
    expect(
      try await claim().nextDueAt, equals: time.date + 50, .clock, "when a wait is over")
  }

  func standsASetClock() async throws {
    guard journal.clock == .caller else { return }
    let ready = try await start().id
    time.date -= 86_400
    let run = try await claimOne().record
    expect(run.id, equals: ready, .wallClock, "what is claimed when the clock was set back")
    for shift: Double in [-86_400, 3 * 86_400, -86_400] {
      time.date += shift
      expect(
        try await claim().runs, equals: [], .wallClock, "leases lost by a clock set by \(shift)")
      expect(
        try await journal.renew([run.claim], lease: .seconds(60), at: time), equals: [],
        .wallClock, "renewals refused for a clock set by \(shift)")
    }
    time.date -= 86_400
    time.uptime += .seconds(60)
    let again = try await claimOne().record
    expect(again.id, equals: run.id, .wallClock, "what is taken over when the clock was set back")
    try await park(again, .shutdown)
    time.date -= 86_400
    let third = try await claimOne().record
    try await checkpoint(third, .waiting(json(1), until: time.date + 60))
    time.date -= 86_400
    expect(try await claim().runs, equals: [], .wallClock, "waits over when the clock was set back")
    time.date += 86_400 + 60
    _ = try await claimOne()
    time.date += 86_400
    expect(try await claim().runs, equals: [], .wallClock, "waits that fire a second time")
    // A wait of four seconds, during which the clock is set back by a day.
    let paused = try await startAndClaim("paused")
    try await park(paused, .retry(at: time.date + 4, error: "no"))
    expect(
      try await claim("paused").runs, equals: [], .wallClock, "pauses that are over at once")
    time.date -= 86_400
    time.uptime += .seconds(1)
    let set = try await claim("paused", limit: 0).nextDueAt
    expect(set, equals: nil, .wallClock, "when a pause is due that began in the future")
    expect(
      try await claim("paused").runs.map(\.record.id), equals: [paused.id], .wallClock,
      "pauses that go on when the clock was set back")
  }

  func renews() async throws {
    let run = try await startAndClaim(lease: .seconds(10))
    let untouched = try await startAndClaim("another flow", lease: .seconds(10))
    move(by: 5)
    expect(
      try await journal.renew([run.claim], lease: .seconds(10), at: time), equals: [], .renewal,
      "what is lost while it is held")
    expect(
      try await self.run(run.id), equals: run, .renewal, "the run whose lease was renewed")
    move(by: 9.875)
    expect(try await claim().runs, equals: [], .renewal, "what is claimed before the new end")
    expect(
      try await claim("another flow").runs.map(\.record.id), equals: [untouched.id], .renewal,
      "what was not renewed")
    move(by: 0.125)
    expect(
      try await claim().runs.map(\.record.id), equals: [run.id], .renewal,
      "what is claimed at the new end")
  }

  /// A renewal that was requested before a checkpoint may be made after it.
  func renewsWithoutShortening() async throws {
    let run = try await startAndClaim(lease: .seconds(10))
    let before = time
    move(by: 5)
    try await checkpoint(run, .stage(json(1)), lease: .seconds(10))
    expect(
      try await journal.renew([run.claim], lease: .seconds(10), at: before), equals: [], .renewal,
      "what is lost by a renewal that a checkpoint has passed")
    move(by: 9.875)
    expect(
      try await claim().runs, equals: [], .renewal,
      "what is claimed before a checkpoint's lease ends"
    )
    move(by: 0.125)
    expect(
      try await claim().runs.map(\.record.id), equals: [run.id], .renewal,
      "what is claimed when a checkpoint's lease ends")
  }

  func tellsWhatIsLost() async throws {
    let taken = try await startAndClaim("taken", lease: .seconds(10))
    move(by: 10)
    _ = try await claimOne("taken")
    let parked = try await startAndClaim("parked")
    try await park(parked, .shutdown)
    let advanced = try await startAndClaim("advanced")
    try await checkpoint(advanced, .stage(json(1)))
    let held = try await startAndClaim("held")
    var claims = [held.claim, taken.claim, advanced.claim, parked.claim]
    var lost = [taken.claim, parked.claim]
    for (state, id) in try await runsInEachState() where state != .running {
      claims.append(try await run(id).claim)
      lost.append(try await run(id).claim)
    }
    claims.append(RunClaim(id: newID(), sequence: 0, fence: 1))
    lost.append(contentsOf: claims.suffix(1))
    claims.append(RunClaim(id: held.id, sequence: 0, fence: held.fence + 1))
    lost.append(contentsOf: claims.suffix(1))
    let answer = try await journal.renew(claims, lease: .seconds(60), at: time)
    expect(Set(answer), equals: Set(lost), .renewal, "what is lost")
    expect(
      try await journal.renew([], lease: .seconds(60), at: time), equals: [], .renewal,
      "what is lost of nothing")
  }
}
