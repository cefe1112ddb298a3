#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Several journals with something of everything in the slots of the first; the same each time.
  struct SlotScene {
    static let flows = ["flow", "part", "limited", "suspect"]

    let journal: any Journal
    /// The slot that most of its runs have.
    let slot: UInt16
    let clock: Locked<Date>
    private(set) var held: [RunClaim] = []
    private var numbers = 0

    init(_ journal: any Journal, slot: UInt16, clock: Locked<Date>) {
      self.journal = journal
      self.slot = slot
      self.clock = clock
    }

    static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    var time: JournalTime {
      let date = clock.withLock { $0 }
      return JournalTime(
        date: date, uptime: .seconds(1_000 + date.timeIntervalSince(Self.noon)), boot: "boot")
    }

    func pass(_ seconds: TimeInterval) { clock.withLock { $0 += seconds } }

    func json(_ number: Int) -> Data { Data("\(number)".utf8) }

    mutating func newStart(
      _ flow: String = "flow", key: String? = nil, concurrency: String? = nil, slot: UInt16? = nil
    ) -> RunStart {
      numbers += 1
      var random = SeededGenerator(seed: UInt64(numbers))
      let route = (concurrency ?? key).map { RunID.slot(of: flow, key: $0) }
      return RunStart(
        id: RunID(
          at: Self.noon + Double(numbers), slot: route ?? slot ?? self.slot, using: &random),
        flow: flow, version: 1, key: key, payload: json(numbers), concurrencyKey: concurrency)
    }

    @discardableResult
    mutating func start(
      _ flow: String = "flow", key: String? = nil, concurrency: String? = nil, slot: UInt16? = nil
    ) async throws -> RunID {
      let start = newStart(flow, key: key, concurrency: concurrency, slot: slot)
      return try await journal.start(start, at: time).id
    }

    func claim(
      _ flows: [String] = Self.flows, as worker: String = "worker",
      _ quarantine: ClaimRequest.Quarantine = .disregarded
    ) async throws -> [RunRecord] {
      let request = ClaimRequest(
        worker: worker, flows: flows.map { .init(flow: $0, version: 1, limit: 100) },
        lease: .seconds(60), quarantine: quarantine)
      return try await journal.claim(request, at: time).runs.map(\.record)
    }

    private func holding(_ run: RunRecord) -> RunClaim {
      RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
    }

    func goOn(
      _ run: RunRecord, _ next: Checkpoint.Next, consuming signals: [String] = []
    ) async throws {
      try await journal.checkpoint(
        Checkpoint(
          claim: holding(run), version: 1, next: next, consumedSignals: signals,
          beganAt: time.date - 1, lease: .seconds(60)), at: time)
    }

    private func claimOne(_ flow: String = "flow") async throws -> RunRecord {
      let runs = try await claim([flow])
      return try #require(runs.count == 1 ? runs.first : nil)
    }

    mutating func fill() async throws {
      try await start()
      var run = try await claimOne()
      for number in 1...3 {
        try await goOn(run, .stage(json(number)))
        run.sequence += 1
      }
      try await report(
        run, RunProgress(0.25, text: "a quarter", sequence: 3, reportedAt: time.date))
      try await goOn(run, .completion(json(99)))
      for reason in [.dead(error: "an error"), .blocked(error: "unknown")] as [Parking.Reason] {
        try await start()
        try await journal.park(Parking(claim: holding(claimOne()), reason: reason), at: time)
      }
      _ = try await journal.change(start(), .cancel, at: time)
      let edited = try await start()
      _ = try await journal.change(edited, .edit(json(7), version: 1), at: time)
      try await journal.park(
        Parking(
          claim: holding(claimOne()), reason: .retry(at: time.date + 300, error: "once more")),
        at: time)
      let waiting = try await start()
      try await signal(waiting, "old", number: 1)
      try await goOn(claimOne(), .waiting(json(8), until: time.date + 900), consuming: ["old 1"])
      let receiving = try await start()
      try await goOn(claimOne(), .receiving(json(9), signals: ["stop", "go"], until: nil))
      for number in [2, 1] { try await signal(receiving, "other", number: number) }
      try await fillChildren()
      try await fillKeys()
      // The worker of these dies.
      for _ in 0..<2 { try await start("suspect") }
      _ = try await claim(["suspect"], as: "dies", .left(after: 1))
      pass(61)
      _ = try await claim(["suspect"], as: "sees it", .left(after: 1))
      // A worker has this one.
      try await start()
      let run2 = try await claimOne()
      try await goOn(run2, .stage(json(10)))
      try await report(run2, RunProgress(1, sequence: 1, reportedAt: time.date))
      var claim = holding(run2)
      claim.sequence += 1
      held.append(claim)
      try await journal.pause(.run(start()), until: nil, at: time)
      // Those of other slots stay.
      for number in 0..<20 {
        try await start(slot: UInt16(3_277 * number))
        try await start("part", key: "key \(number)")
      }
    }

    /// What the worker of a run has reported: a progress and two lines.
    private func report(_ run: RunRecord, _ progress: RunProgress) async throws {
      let lines = (1...2).map { number in
        RunLogLine(
          place: .init(fence: run.fence, number: number), text: "line \(number)",
          sequence: run.sequence, loggedAt: time.date)
      }
      let write = RunReportWrite(run: run.id, fence: run.fence, progress: progress, lines: lines)
      try await journal.write([write], at: time)
    }

    private mutating func fillChildren() async throws {
      for _ in 0..<2 {
        let parent = try await start()
        let children = (0..<3).map { _ in ChildStart(newStart("part")) }
        try await goOn(claimOne(), .joining(json(1), .init(children)))
        for run in try await claim(["part"]) {
          if run.id == children[1].id {
            try await goOn(run, .completion(json(5)))
          } else {
            try await journal.park(Parking(claim: holding(run), reason: .shutdown), at: time)
          }
        }
        #expect(try await journal.run(parent)?.join?.open == 2)
      }
    }

    private mutating func fillKeys() async throws {
      try await journal.setLimits(
        FlowLimits(runs: 100, counting: .wholeRun, perKey: .init(1)), of: "limited",
        replacing: true, at: time)
      for key in ["a", "a", "a", "b", "b", "c", "d", "e", "f", "g"] {
        try await start("limited", concurrency: key)
      }
      for run in try await claim(["limited"]) {
        if run.concurrencyKey == "a" {
          try await goOn(run, .waiting(json(2), until: time.date + 600))
        } else {
          try await journal.park(Parking(claim: holding(run), reason: .shutdown), at: time)
        }
      }
      try await journal.pause(.concurrencyKey("c", flow: "limited"), until: nil, at: time)
      var first = newStart(key: "debounced")
      first.ifTaken = .replaceUnlessBegun
      first.notBefore = time.date + 600
      _ = try await journal.start(first, at: time)
      var second = newStart(key: "debounced")
      second.ifTaken = .replaceUnlessBegun
      second.priority = 3
      second.deadline = time.date + 86_400
      second.attributes = ["shop": .string("north"), "sum": .integer(12)]
      second.trace = ["traceparent": "00-1"]
      second.notBefore = time.date + 600
      _ = try await journal.start(second, at: time)
      for number in 0..<6 { try await setSchedule("schedule \(number)", of: "flow") }
    }

    func setSchedule(_ name: String, of flow: String) async throws {
      let schedule = FlowSchedule(
        name: name, flow: flow, version: 1, stage: "1",
        timing: .every(.seconds(86_400), from: time.date))
      let record = try ScheduleStatus(
        schedule: schedule, progress: ScheduleProgress(nextTick: time.date + 86_400)
      ).record(dueAt: time.date + 86_400)
      let isSet = try await journal.setSchedule(
        name, from: nil, to: record, starting: [], at: time)
      #expect(isSet)
    }

    func signal(_ id: RunID, _ name: String, number: Int) async throws {
      let signal = SignalRecord(
        id: "\(name) \(number)", name: name, payload: json(number), sentAt: time.date)
      try await journal.signal(id, signal, at: time)
    }

    /// Goes on with all runs until each is over.
    func finish() async throws {
      for pause in try await journal.pauses() { try await journal.resume(pause.target, at: time) }
      for round in 0..<40 {
        if round == 5 {
          for run in try await all() where run.awaitedSignals.contains("go") && run.state == .ready
          {
            try await signal(run.id, "go", number: 1)
          }
        }
        for run in try await claim() { try await goOn(run, .completion(json(31))) }
        pass(61)
      }
    }

    func all() async throws -> [RunRecord] {
      try await journal.runs(RunQuery(limit: 1_000)).runs
    }
  }

  /// All that a journal says of a run.
  struct MovedPicture: Equatable {
    var record: RunRecord
    var steps: [StepRecord]
    var children: [ChildRecord]
    var hasSignal: Bool
    var report: RunReport
    var keyHolders: [RunID]

    static func all(in journal: any Journal) async throws -> [MovedPicture] {
      var pictures: [MovedPicture] = []
      for record in try await journal.runs(RunQuery(limit: 1_000)).runs {
        let standing = try #require(try await journal.standing(of: record.id))
        pictures.append(
          MovedPicture(
            record: record,
            steps: try await journal.steps(of: record.id, after: nil, limit: 1_000).steps,
            children: try await journal.children(
              of: record.id, at: nil, after: nil, limit: 1_000
            ).children, hasSignal: standing.hasSignal,
            report: try await journal.report(of: record.id, after: nil),
            keyHolders: standing.limitUse?.keyHolders ?? []))
      }
      return pictures
    }
  }
#endif
