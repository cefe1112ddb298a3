#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// The clock of a promoted server is an hour ahead or behind, while the workers' clocks are right; or
  /// that of a worker's machine is.
  ///
  /// The same tables are reached by connections with another clock, as after a failover.
  @Suite(
    "Another clock than that of the others",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresClockTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let hour = 3_600.0
    private static let lease = 60.0

    /// A run for each of the times that a journal keeps, all at their second stage or waiting for it.
    private struct Scene {
      let journal: PostgresJournal
      /// The server's clock; the workers' shows the same until the failover.
      let server: Locked<Date>
      let worker = Locked(PostgresClockTests.noon)
      /// Both have a worker, of which one is renewed and the other is dead.
      let held: RunClaim
      let dead: RunClaim
      /// Waits for ten minutes, receives for ten minutes, and is tried again in half a minute.
      let waiting: RunID
      let receiving: RunID
      let parked: RunID
      /// Is cancelled in 30 minutes; no worker has it.
      let late: RunID

      var time: JournalTime {
        JournalTime(date: worker.withLock { $0 }, uptime: .zero, boot: "boot")
      }

      /// Time goes by on all machines.
      func pass(_ seconds: TimeInterval) {
        server.withLock { $0 += seconds }
        worker.withLock { $0 += seconds }
      }

      /// Claims what there is.
      func claim(as worker: String) async throws -> [RunClaim] {
        let request = ClaimRequest(
          worker: worker, flows: [.init(flow: "flow", version: 1, limit: 100)],
          lease: .seconds(PostgresClockTests.lease))
        return try await journal.claim(request, at: time).runs.map(\.claim)
      }

      /// Goes on to a stage, or to the completion.
      func goOn(_ claim: RunClaim, to next: Checkpoint.Next = .stage(Data("1".utf8))) async throws {
        try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: next, beganAt: time.date,
            lease: .seconds(PostgresClockTests.lease)), at: time)
      }

      /// Prolongs a lease; false when it is lost.
      func renews(_ claim: RunClaim) async throws -> Bool {
        try await journal.renew(
          [claim], lease: .seconds(PostgresClockTests.lease), at: time) == []
      }

      /// Completes what is claimed, and looks whether the journal keeps its rules.
      func finish(_ claims: [RunClaim]) async throws {
        for claim in claims { try await goOn(claim, to: .completion(Data("2".utf8))) }
        var findings: [String] = []
        try await journal.verify { findings.append("\($0)") }
        #expect(findings == [])
        for run in [held.id, dead.id, waiting, receiving, parked] {
          let record = try #require(try await journal.run(run))
          #expect(record.state == .completed)
          let chain = try await journal.steps(of: run, after: nil, limit: 100).steps
          #expect(chain.map(\.sequence) == Array(0..<record.sequence))
          #expect(chain.map(\.fence) == chain.map(\.fence).sorted())
        }
        let record = try #require(try await journal.run(late))
        #expect(record.state == .cancelled && record.cancellationReason == .deadline)
      }
    }

    /// Everything is as it is after some minutes of work, and then another server is promoted.
    private func scene(clockOff offset: TimeInterval) async throws -> Scene {
      let server = Locked(Self.noon)
      let journal = try await PostgresServer.shared.journal(
        serverClock: { server.withLock { $0 } })
      var random = SeededGenerator(seed: 8)
      let time = JournalTime(date: Self.noon, uptime: .zero, boot: "boot")
      func start(deadline: Date? = nil, notBefore: Date? = nil) async throws -> RunID {
        var start = RunStart(
          id: RunID(at: time.date, using: &random), flow: "flow", version: 1,
          payload: Data("0".utf8))
        start.deadline = deadline
        start.notBefore = notBefore
        return try await journal.start(start, at: time).id
      }
      var runs: [RunID] = []
      for _ in 0..<5 { runs.append(try await start()) }
      // It waits for longer than its deadline.
      let late = try await start(
        deadline: Self.noon + 1_800, notBefore: Self.noon + 4 * Self.hour)
      let request = ClaimRequest(
        worker: "first", flows: [.init(flow: "flow", version: 1, limit: 100)],
        lease: .seconds(Self.lease))
      let claimed = try await journal.claim(request, at: time).runs
      var claims: [RunID: RunClaim] = [:]
      for run in claimed { claims[run.record.id] = run.claim }
      func claim(_ number: Int) throws -> RunClaim { try #require(claims[runs[number]]) }
      let scene = Scene(
        journal: journal, server: server, held: try claim(0), dead: try claim(1),
        waiting: runs[2], receiving: runs[3], parked: runs[4], late: late)
      let stage = Data("1".utf8)
      let soon = Self.noon + 600
      try await scene.goOn(try claim(2), to: .waiting(stage, until: soon))
      try await scene.goOn(try claim(3), to: .receiving(stage, signals: ["go"], until: soon))
      try await journal.park(
        Parking(claim: try claim(4), reason: .retry(at: Self.noon + 30, error: "an error")),
        at: time)
      server.withLock { $0 += offset }
      return scene
    }

    @Test("An hour ahead: leases, waits and deadlines end early, work repeats, and no chain breaks")
    func ahead() async throws {
      let scene = try await scene(clockOff: Self.hour)
      // Its lease has ended by the new clock, and nobody has taken the run: it is its worker's.
      #expect(try await scene.renews(scene.held))
      let taken = try await scene.claim(as: "second")
      #expect(
        Set(taken.map(\.id)) == [scene.dead.id, scene.waiting, scene.receiving, scene.parked])
      #expect(taken.first { $0.id == scene.dead.id }?.fence == scene.dead.fence + 1)
      // Late, but not too late: the worker that was taken for dead is refused.
      await #expect(throws: JournalError.claimLost(scene.dead.id)) {
        try await scene.goOn(scene.dead)
      }
      #expect(try await !scene.renews(scene.dead))
      // The deadline has passed by the new clock.
      #expect(try await scene.journal.run(scene.late)?.state == .cancelled)
      try await scene.goOn(scene.held)
      var held = scene.held
      held.sequence += 1
      // A lease begins by the new clock, and lasts as long as any.
      scene.pass(Self.lease - 1)
      #expect(try await scene.claim(as: "third") == [])
      try await scene.finish(taken + [held])
    }

    @Test(
      "The clock of one machine is an hour off: it asks the server why a run waits, and for ticks",
      arguments: [hour, -hour])
    func asking(clockOff offset: TimeInterval) async throws {
      let scene = try await scene(clockOff: 0)
      scene.worker.withLock { $0 += offset }
      #expect(try await scene.journal.currentDate(byCaller: scene.time.date) == Self.noon)
      func reason() async throws -> RunWaitReason {
        try await scene.journal.waitReason(of: scene.waiting, at: scene.time.date)
      }
      #expect(try await reason() == .time(Self.noon + 600))
      let schedule = FlowSchedule(
        name: "ten", flow: "flow", version: 1, stage: "1",
        timing: .every(.seconds(600), from: Self.noon))
      let status = try await scene.journal.set(schedule, by: nil, at: scene.time)
      #expect(status.progress.nextTick == Self.noon + 600)
      scene.pass(700)
      #expect(try await reason() == .due)
    }

    @Test(
      "The clock of one machine is an hour off: what it claims, renews and writes has the server's",
      arguments: [hour, -hour])
    func machine(clockOff offset: TimeInterval) async throws {
      let scene = try await scene(clockOff: 0)
      // All calls from now on are that machine's.
      scene.worker.withLock { $0 += offset }
      #expect(try await scene.claim(as: "second") == [])
      #expect(try await scene.renews(scene.held))
      scene.pass(29)
      #expect(try await scene.claim(as: "second") == [])
      scene.pass(2)
      let parked = try await scene.claim(as: "second")
      #expect(parked.map(\.id) == [scene.parked])
      try await scene.goOn(
        try #require(parked.first),
        to: .waiting(Data("1".utf8), until: Self.noon + 1.5 * Self.lease))
      #expect(try await scene.renews(scene.held))
      scene.pass(30)
      #expect(try await scene.claim(as: "third").map(\.id) == [scene.dead.id])
      // The end of the renewed lease, and of the wait.
      scene.pass(31)
      let taken = try await scene.claim(as: "fourth")
      #expect(Set(taken.map(\.id)) == [scene.held.id, scene.parked])
      await #expect(throws: JournalError.claimLost(scene.held.id)) {
        try await scene.goOn(scene.held)
      }
      scene.pass(599 - 92)
      let again = try await scene.claim(as: "fifth")
      #expect(Set(again.map(\.id)) == [scene.held.id, scene.dead.id, scene.parked])
      scene.pass(2)
      let woken = try await scene.claim(as: "fifth")
      #expect(Set(woken.map(\.id)) == [scene.waiting, scene.receiving])
      #expect(try await scene.journal.run(scene.late)?.state == .ready)
      scene.pass(1_200)
      try await scene.finish(try await scene.claim(as: "sixth"))
    }

    @Test(
      "An hour behind: leases and waits end late, a renewed lease does not, and no chain breaks")
    func behind() async throws {
      let scene = try await scene(clockOff: -Self.hour)
      // The pause before another attempt began in what is the future now: it is over.
      let parked = try await scene.claim(as: "second")
      #expect(parked.map(\.id) == [scene.parked])
      #expect(try await scene.renews(scene.held))
      // With a renewal a lease is no longer than two, whatever the clock was before.
      scene.pass(2 * Self.lease + 1)
      let taken = try await scene.claim(as: "third")
      #expect(Set(taken.map(\.id)) == [scene.parked, scene.held.id])
      for claim in [scene.held] + parked {
        await #expect(throws: JournalError.claimLost(claim.id)) { try await scene.goOn(claim) }
      }
      // The run of the worker that has died is still kept for it, and the waits and the deadline, too.
      scene.pass(Self.hour - 2 * Self.lease - 2)
      let again = try await scene.claim(as: "third")
      #expect(Set(again.map(\.id)) == [scene.parked, scene.held.id])
      #expect(try await scene.journal.run(scene.late)?.state == .ready)
      scene.pass(Self.lease + 2)
      let dead = try await scene.claim(as: "fourth").filter { $0.id == scene.dead.id }
      #expect(dead.map(\.fence) == [scene.dead.fence + 1])
      await #expect(throws: JournalError.claimLost(scene.dead.id)) {
        try await scene.goOn(scene.dead)
      }
      scene.pass(600 + Self.hour / 2)
      let last = try await scene.claim(as: "fifth")
      #expect(
        Set(last.map(\.id)) == [
          scene.held.id, scene.dead.id, scene.parked, scene.waiting, scene.receiving,
        ])
      try await scene.finish(last)
    }
  }

  extension ClaimedRun {
    fileprivate var claim: RunClaim {
      RunClaim(id: record.id, sequence: record.sequence, fence: record.fence)
    }
  }
#endif
