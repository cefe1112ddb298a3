#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  /// A journal with something of everything that a journal keeps; the same each time.
  struct CopiedScene {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    static let flows = ["flow", "part", "limited", "paused", "suspect"]

    let journal: any Journal
    /// The clock of the workers, and of the server.
    let clock: Locked<Date>
    /// Runs that a worker has at the end.
    private(set) var held: [RunClaim] = []
    private var numbers = 0

    init(_ journal: any Journal, clock: Locked<Date>) {
      self.journal = journal
      self.clock = clock
    }

    var time: JournalTime {
      JournalTime(date: clock.withLock { $0 }, uptime: uptime, boot: "boot")
    }
    private var uptime: Duration { .seconds(clock.withLock { $0 }.timeIntervalSince(Self.noon)) }

    func pass(_ seconds: TimeInterval) { clock.withLock { $0 += seconds } }

    func json(_ number: Int) -> Data { Data("\(number)".utf8) }

    mutating func newStart(_ flow: String, key: String? = nil, concurrency: String? = nil)
      -> RunStart
    {
      numbers += 1
      var random = SeededGenerator(seed: UInt64(numbers))
      return RunStart(
        id: RunID(at: Self.noon + Double(numbers), using: &random), flow: flow, version: 1,
        key: key,
        payload: json(numbers), concurrencyKey: concurrency)
    }

    @discardableResult
    mutating func start(
      _ flow: String = "flow", key: String? = nil, concurrency: String? = nil
    ) async throws -> RunID {
      try await journal.start(newStart(flow, key: key, concurrency: concurrency), at: time).id
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

    func goOn(
      _ run: RunRecord, _ next: Checkpoint.Next, consuming signals: [String] = []
    ) async throws {
      try await journal.checkpoint(
        Checkpoint(
          claim: run.claim, version: 1, next: next, consumedSignals: signals,
          beganAt: time.date - 1, lease: .seconds(60)), at: time)
    }

    func park(_ run: RunRecord, _ reason: Parking.Reason) async throws {
      try await journal.park(Parking(claim: run.claim, reason: reason), at: time)
    }

    func signal(_ id: RunID, _ name: String, number: Int) async throws {
      let signal = SignalRecord(
        id: "\(name) \(number)", name: name, payload: json(number), sentAt: time.date)
      try await journal.signal(id, signal, at: time)
    }

    /// Claims the only run of a flow that is due.
    private func claimOne(_ flow: String = "flow") async throws -> RunRecord {
      let runs = try await claim([flow])
      return try #require(runs.count == 1 ? runs.first : nil)
    }

    /// Puts something of everything into the journal.
    mutating func fill() async throws {
      try await start()
      var run = try await claimOne()
      for number in 1...3 {
        try await goOn(run, .stage(json(number)))
        run.sequence += 1
      }
      try await goOn(run, .completion(Data("\"all\"".utf8)))
      for reason in [.dead(error: "an error"), .blocked(error: "unknown")] as [Parking.Reason] {
        try await start(key: "\(reason)")
        try await park(claimOne(), reason)
      }
      _ = try await journal.change(start(), .cancel, at: time)
      // Edited, and waits for another attempt.
      let edited = try await start()
      _ = try await journal.change(edited, .edit(json(7), version: 1), at: time)
      try await park(claimOne(), .retry(at: time.date + 300, error: "once more"))
      // Waits for a time, after a signal that it has consumed.
      let waiting = try await start()
      try await signal(waiting, "old", number: 1)
      try await goOn(claimOne(), .waiting(json(8), until: time.date + 900), consuming: ["old 1"])
      // Receives, and has signals of another name in an order that is not that of their names.
      let receiving = try await start()
      try await goOn(
        claimOne(), .receiving(json(9), signals: ["go", "stop"], until: time.date + 7_200))
      for number in [2, 1] { try await signal(receiving, "other", number: number) }
      let parent = try await fillChildren()
      try await fillLimits()
      try await fillQuarantine()
      // Replaced before it has begun, and found by what it has in its start.
      var first = newStart("flow", key: "debounced")
      first.ifTaken = .replaceUnlessBegun
      _ = try await journal.start(first, at: time)
      var second = newStart("flow", key: "debounced")
      second.ifTaken = .replaceUnlessBegun
      second.priority = 3
      second.deadline = time.date + 86_400
      second.attributes = ["shop": .string("north"), "sum": .integer(12)]
      second.trace = ["traceparent": "00-1"]
      second.notBefore = time.date + 60
      _ = try await journal.start(second, at: time)
      // A worker has it.
      try await start()
      let held = try await claimOne()
      try await goOn(held, .stage(json(10)))
      try await report(held)
      self.held.append(
        RunClaim(id: held.id, sequence: held.sequence + 1, fence: held.fence))
      try await journal.pause(.run(start()), until: nil, at: time)
      try await start("paused")
      try await journal.pause(.flow("paused"), until: time.date + 3_600, at: time)
      let schedule = ScheduleRecord(
        name: "nightly", definition: json(1), progress: json(2), dueAt: time.date + 86_400)
      _ = try await journal.setSchedule(
        schedule.name, from: nil, to: schedule, starting: [], at: time)
      // The next claim would cancel its children.
      _ = try await journal.change(parent, .cancel, at: time)
    }

    /// What a worker has reported of a run: with a progress and two lines, and a line of another run.
    private func report(_ run: RunRecord) async throws {
      let progress = RunProgress(0.25, text: "a quarter", sequence: 1, reportedAt: time.date - 1)
      let lines = (1...2).map {
        RunLogLine(
          place: .init(fence: run.fence, number: $0), text: "line \($0)", sequence: 1,
          loggedAt: time.date - 1)
      }
      try await journal.write(
        [RunReportWrite(run: run.id, fence: run.fence, progress: progress, lines: lines)], at: time)
    }

    /// A run that waits for children of which one has ended, and one that is cancelled.
    ///
    /// - Returns: the second.
    private mutating func fillChildren() async throws -> RunID {
      var parents: [RunID] = []
      for _ in 0..<2 {
        parents.append(try await start())
        let children = (0..<3).map { _ in ChildStart(newStart("part")) }
        try await goOn(claimOne(), .joining(json(1), .init(children)))
        for run in try await claim(["part"]) {
          if run.id == children[1].id {
            try await goOn(run, .completion(json(5)))
          } else {
            try await park(run, .shutdown)
          }
        }
      }
      return parents[1]
    }

    /// Runs of a key, of which one has the place and waits, and a key that is paused.
    private mutating func fillLimits() async throws {
      try await journal.setLimits(
        FlowLimits(runs: 100, counting: .wholeRun, perKey: .init(1)), of: "limited",
        replacing: true, at: time)
      for key in ["a", "a", "a", "b", "b", "c"] { try await start("limited", concurrency: key) }
      for run in try await claim(["limited"]) {
        if run.concurrencyKey == "a" {
          try await goOn(run, .waiting(json(2), until: time.date + 600))
        } else if run.concurrencyKey == "b" {
          held.append(run.claim)
        } else {
          try await park(run, .shutdown)
        }
      }
      try await journal.pause(
        .concurrencyKey("c", flow: "limited"), until: nil, at: time)
    }

    /// Runs whose worker has died.
    private mutating func fillQuarantine() async throws {
      for _ in 0..<3 { try await start("suspect") }
      _ = try await claim(["suspect"], as: "dies", .left(after: 1))
      let others = held
      pass(61)
      // The others are alive.
      _ = try await journal.renew(others, lease: .seconds(60), at: time)
      _ = try await claim(["suspect"], as: "sees it", .left(after: 1))
    }

    /// Goes on with all runs until each is over, always in the same way.
    func finish() async throws {
      for pause in try await journal.pauses() { try await journal.resume(pause.target, at: time) }
      for round in 0..<60 {
        if round == 5 {
          for run in try await all() where run.awaitedSignals.contains("go") && run.state == .ready
          {
            try await signal(run.id, "go", number: 1)
          }
        }
        for run in try await claim().sorted(by: { $0.id < $1.id }) {
          if run.sequence < 2 {
            try await goOn(run, .stage(json(run.sequence + 20)))
            var next = run
            next.sequence += 1
            try await goOn(next, .completion(json(30)))
          } else {
            try await goOn(run, .completion(json(31)))
          }
        }
        pass(61)
      }
    }

    func all() async throws -> [RunRecord] {
      try await journal.runs(RunQuery(limit: 1_000)).runs
    }
  }

  /// All that a journal says of a run.
  struct RunPicture: Equatable {
    var record: RunRecord
    var steps: [StepRecord]
    var children: [ChildRecord]
    var hasSignal: Bool
    var isQuarantined: Bool
    var keyHolders: [RunID]?

    static func all(in journal: any Journal) async throws -> [RunPicture] {
      var pictures: [RunPicture] = []
      for record in try await journal.runs(RunQuery(limit: 1_000)).runs {
        let standing = try #require(try await journal.standing(of: record.id))
        pictures.append(
          RunPicture(
            record: record,
            steps: try await journal.steps(of: record.id, after: nil, limit: 1_000).steps,
            children: try await journal.children(
              of: record.id, at: nil, after: nil, limit: 1_000
            ).children, hasSignal: standing.hasSignal, isQuarantined: standing.isQuarantined,
            keyHolders: standing.limitUse?.keyHolders))
      }
      return pictures
    }

    /// As it is when its worker has given it back at a time.
    mutating func giveBack(at date: Date) {
      record.state = .ready
      record.attempts -= 1
      record.worker = nil
      record.changedAt = date
    }

    static func == (left: Self, right: Self) -> Bool {
      left.record == right.record && left.steps == right.steps && left.children == right.children
        && left.hasSignal == right.hasSignal && left.isQuarantined == right.isQuarantined
        && (left.keyHolders ?? right.keyHolders) == (right.keyHolders ?? left.keyHolders)
    }
  }

  extension RunRecord {
    fileprivate var claim: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
  }
#endif
