import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

/// The code of the articles of FieldstoneDurable, compiled and run.
@Suite("The articles on durable stages", .timeLimit(.minutes(20)))
struct DurableArticleTests {
  let shop = Workshop()

  @Test("The overview")
  func overview() async throws {
    let journal = InMemoryJournal()
    let post = PostOffice()
    // snippet: durable-overview
    let flow = DurableFlow(Newsletter.self, name: "newsletter", services: post)
    let runner = try DurableRunner(journal: journal, flows: [flow])
    let work = Task { try await runner.run() }

    let run = try await runner.start(Newsletter.collect(issue: 7), key: "issue-7")
    let sent = try await run.value
    // end
    #expect(sent == 4)
    // snippet: durable-shutdown
    await runner.shutdown()  // nothing leased is left behind
    // end
    try await work.value
  }

  @Test("Schedules")
  func schedules() async throws {
    let runner = try shop.runner(
      DurableFlow(Newsletter.self, name: "newsletter", services: PostOffice()))
    // snippet: schedules-set
    guard let berlin = TimeZone(identifier: "Europe/Berlin") else {
      throw MessageError("The system has no time zone of Berlin; install its time-zone data.")
    }
    try await runner.setSchedule(
      "weekly-newsletter", of: Newsletter.collect(issue: 7),
      .cron("30 8 * * MON", in: berlin),
      options: ScheduleOptions(missed: .once, overlap: .skip))
    // end
    // snippet: schedules-change
    try await runner.pauseSchedule("weekly-newsletter")
    try await runner.resumeSchedule("weekly-newsletter")  // from the next tick on
    let run = try await runner.runNow(schedule: "weekly-newsletter")
    for status in try await runner.schedules() {
      print(status.schedule.name, status.progress.nextTick ?? "no more", status.progress.isPaused)
    }
    try await runner.removeSchedule("weekly-newsletter")
    // end
    #expect(try await shop.memory.run(run)?.flow == "newsletter")
    #expect(try await runner.schedules() == [])
  }

  @Test("Progress, log lines and workers")
  func reports() async throws {
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000))
    let journal = InMemoryJournal()
    let runner = try DurableRunner(
      journal: journal, flows: [DurableFlow(Backup.self)], time: time.source)
    let shown = Recorder<String>()
    let run = try await runner.start(Backup.copy(["a.txt", "b.tmp"]))
    let work = Task { try await runner.run() }
    _ = try await run.value
    await runner.shutdown()
    try await work.value
    let isRead = Gate()
    let watching = Task {
      defer { isRead.open() }
      // snippet: reports-watch
      for try await report in run.reports {
        if let progress = report.progress {
          shown.record("\(Int(progress.fraction * 100)) % \(progress.text ?? "")")
        }
        for line in report.lines { shown.record(line.text) }
      }
      // end
    }
    #expect(await shown.elements(atLeast: 2) == ["100 % ", "b.tmp is left out"])
    while !isRead.isOpen {
      time.advance(by: .milliseconds(250))
      await Task.yield()
    }
    try await watching.value
    // snippet: reports-journal
    let report = try await journal.report(of: run.id, after: nil)
    for index in report.lines.indices {
      let missing = report.missingLines(before: index)
      if missing > 0 { print("\(missing) lines are missing") }
      print(report.lines[index].text)
    }
    for worker in try await journal.workers() where worker.isSilent(at: .now) {
      print("\(worker.name) on \(worker.machine) was seen last at \(worker.lastSeenAt)")
    }
    // end
    #expect(report.lines.map(\.text) == ["b.tmp is left out"])
    #expect(try await journal.workers().isEmpty)
  }

  @Test("Several servers")
  func shards() async throws {
    let (one, two) = (InMemoryJournal(), InMemoryJournal())
    let post = PostOffice()
    // snippet: durable-shards
    let journal = try await ShardedJournal([one, two], flowsOnOneShard: ["nightly-export"])
    let runner = try DurableRunner(
      journal: journal, flows: [DurableFlow(Newsletter.self, name: "newsletter", services: post)])
    // end
    let sent = try await working(runner) {
      try await runner.start(Newsletter.collect(issue: 7), key: "issue-7").value
    }
    #expect(sent == 4)
  }

  @Test("A census fans out, and adds up what its files say")
  func children() async throws {
    let runner = try shop.runner(
      DurableFlow(Census.self, name: "census"), DurableFlow(FileCount.self, name: "file-count"))
    let files = (1...4).map { URL(filePath: "/\($0)") }
    let run = try await runner.start(Census.split(files))
    #expect(try await working(runner) { try await run.value } == 10)
  }

  @Test("A plain stage is executed in memory")
  func plain() async throws {
    let post = PostOffice()
    // snippet: durable-execute
    let sent = try await PlainArticle.Newsletter.collect(issue: 7).execute(in: post)
    // end
    #expect(sent == 4)
  }

  /// Works until the process is killed: from then on it can't reach the journal.
  private func killed<Value>(
    _ flow: DurableFlow, at gate: Gate, start: (DurableRunner) async throws -> Value
  ) async throws -> Value {
    let isKilled = Gate()
    let journal = JournalProxy(
      journal: shop.memory,
      before: { _ in if isKilled.isOpen { throw JournalError.unavailable("killed") } })
    let runner = try DurableRunner(
      journal: journal, flows: [flow], options: shop.options(), time: shop.time.source)
    let work = Task { try await runner.run() }
    let value = try await start(runner)
    await gate.arrivals(atLeast: 1)
    isKilled.open()
    gate.open()
    await shop.event { if case .journalUnavailable = $0.kind { true } else { false } }
    shop.time.advance(by: .seconds(30))
    await shop.event { $0.kind == .lost(.leaseEnded) && $0.run != nil }
    work.cancel()
    _ = await work.result
    return value
  }

  @Test("Killed after a letter was sent, a newsletter goes on with that letter")
  func resumes() async throws {
    let gate = Gate()
    let post = PostOffice(stopsAfter: 2, at: gate)
    let flow = DurableFlow(Newsletter.self, name: "newsletter", services: post)
    let first = try await killed(flow, at: gate) {
      try await $0.start(Newsletter.collect(issue: 7), key: "issue-7").id
    }
    let runner = try shop.runner(flow, options: shop.options(worker: "b"))
    let run = try await runner.start(Newsletter.collect(issue: 7), key: "issue-7")
    #expect(run.id == first)
    let sent = try await working(runner) { try await run.value }
    #expect(sent == 4)
    // What the article says: one letter more than readers, and nobody left out.
    #expect(await post.letters == ["Dan", "Cleo", "Cleo", "Bob", "Ada"])
    #expect(try await shop.links(of: first).map(\.sequence) == Array(0...5))
  }

  @Test("With the key nobody gets it twice; a signal starts the sending")
  func keyed() async throws {
    let gate = Gate()
    let post = PostOffice(stopsAfter: 2, at: gate)
    let flow = DurableFlow(KeyedNewsletter.self, name: "keyed", services: post)
    let id = try await killed(flow, at: gate) { runner in
      let run = try await runner.start(KeyedNewsletter.collect(issue: 7))
      // snippet: durable-signal
      try await run.signal("approval", true, id: "editor-in-chief")
      // end
      return run.id
    }
    let runner = try shop.runner(flow, options: shop.options(worker: "b"))
    let sent = try await working(runner) { try await runner.handle(id, completion: Int.self).value }
    #expect(sent == 4)
    #expect(await post.letters == ["Dan", "Cleo", "Bob", "Ada"])
  }

  @Test("Work that blocks does so on an executor of its own")
  func blocking() async throws {
    let runner = try shop.runner(
      DurableFlow(Compression.self, name: "compression", services: Archive()))
    let bytes = try await working(runner) {
      try await runner.start(Compression.compress).value
    }
    #expect(bytes == 42)
  }

  /// Never run: a signal would have to be sent to the tests.
  func untilSignal(_ runner: DurableRunner) async throws {
    // snippet: durable-signals
    try await runner.run(untilSignal: .terminate, .interrupt)
    // end
  }

  @Test("Watching a run")
  func watching() async throws {
    let flow = DurableFlow(Newsletter.self, name: "newsletter", services: PostOffice())
    let runner = try shop.runner(flow)
    let id = try await working(runner) {
      let run = try await runner.start(Newsletter.collect(issue: 7))
      let shown = Recorder<Newsletter>()
      func show(_ stage: Newsletter) { shown.record(stage) }
      // snippet: durable-stages
      for try await step in run.stages {
        show(try step.stage(as: Newsletter.self))
      }
      // end
      #expect(shown.count == 6)
      return run.id
    }
    // snippet: durable-handle
    let run = runner.handle(id, completion: Int.self)
    let state = try await run.record.state
    // end
    #expect(state == .completed)
  }

  @Test("A runner that is alone says what it will not do, and lets go of what is over")
  func alone() async throws {
    let post = PostOffice()
    let newer = try shop.runner(
      DurableFlow(Newsletter.self, name: "newsletter", version: 2, services: post))
    let id = try await newer.start(Newsletter.collect(issue: 7)).id
    let runner = try shop.runner(DurableFlow(Newsletter.self, name: "newsletter", services: post))
    let run = runner.handle(id, completion: Int.self)
    await #expect(throws: DurableRunError.newerVersion(id, found: 2, known: 1)) {
      // snippet: durable-expected
      let sent = try await run.value(from: .thisRunner)
      // end
      #expect(sent == 0)
    }
    // snippet: durable-purge
    let gone = try await runner.purge(JournalRetention(runs: .seconds(7 * 86_400)))
    // end
    #expect(gone == 0)
  }

  // snippet: durable-outbox
  enum Order: DurableStage {
    case pack(Int)
    case awaitDelivery
    case close

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
      switch self {
      case .pack(let number):
        try context.start(Delivery.drive(number, for: context.run), key: "order-\(number)")
        return .advance(to: .awaitDelivery)
      case .awaitDelivery:
        return .receive(.delivered, .lost, until: context.now + 7 * 86_400, then: .close)
      case .close:
        if let place = try context.signal(.lost) { return .complete("lost in \(place)") }
        return .complete(try context.signal(.delivered) ?? "not delivered in a week")
      }
    }
  }

  enum Delivery: DurableStage {
    case drive(Int, for: RunID)

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Bool> {
      switch self {
      case .drive(let number, let order):
        try context.send(.delivered, "parcel \(number)", to: order)
        return .complete(true)
      }
    }
  }
  // end

  @Test("A stage starts a run and hears of it")
  func outbox() async throws {
    let runner = try shop.runner(
      DurableFlow(Order.self, name: "order"), DurableFlow(Delivery.self, name: "delivery"))
    let run = try await runner.start(Order.pack(7))
    let said = try await working(runner) { try await run.value }
    #expect(said == "parcel 7")
  }

  @Test("A start says when its run begins, and what goes before it")
  func starting() async throws {
    let post = PostOffice()
    let runner = try shop.runner(DurableFlow(Newsletter.self, name: "newsletter", services: post))
    // snippet: durable-start
    // Changed twice within the hour, issue 7 is sent once, as it is at the end.
    try await runner.start(
      Newsletter.collect(issue: 7), key: "issue-7",
      options: RunOptions(notBefore: .now + 3_600, priority: 2, ifTaken: .replaceUnlessBegun))
    // end
    // snippet: durable-deadline
    try await runner.start(
      Newsletter.collect(issue: 8),
      options: RunOptions(
        deadline: .now + 86_400, attributes: ["editor": "ada", "pages": 12, "isSpecial": true]))
    var query = RunQuery(states: [.ready, .running])
    query.attributes = ["editor": "ada"]
    let open = try await runner.journal.runs(query).runs
    // end
    #expect(open.count == 1)
    // snippet: durable-start-all
    let answers = try await runner.start(
      all: (1...52).lazy.map { issue in
        StageStart(Newsletter.collect(issue: issue), key: "issue-\(issue)")
      })
    let failed = answers.count { (try? $0.get()) == nil }
    // end
    #expect(answers.count == 52 && failed == 0)
    let runs = try await shop.memory.runs(RunQuery(key: "issue-7")).runs
    #expect(runs.count == 1 && runs[0].priority == 2)
  }

  @Test("Runs are found and counted")
  func finding() async throws {
    let journal = shop.memory
    let noon = Date(timeIntervalSince1970: 1_795_000_000)
    // snippet: durable-find
    var query = RunQuery(flow: "newsletter", states: [.dead])
    query.attributes = ["editor": "ada"]
    query.stoppedSince = noon
    query.order = .lastStoppedFirst
    repeat {
      let page = try await journal.runs(query)
      for run in page.runs { print(run.id, run.error ?? "") }
      query.after = page.nextPlace
    } while query.after != nil
    // end
    #expect(try await journal.count(query) == RunCount(0))
  }

  @Test("Options of a flow")
  func options() {
    let post = PostOffice()
    // snippet: durable-options
    let options = FlowOptions<Newsletter>(
      maxConcurrent: 2,
      retryPolicy: { stage in
        if case .send = stage { StageRetryPolicy(maximumAttempts: 20) } else { .never }
      },
      timeLimit: { _ in .seconds(600) })
    let flow = DurableFlow(
      Newsletter.self, name: "newsletter", services: post, options: options)
    // end
    #expect(flow.maxConcurrent == 2 && flow.version == 1)
  }

  @Test("Limits of a flow, and a pause")
  func limits() async throws {
    let post = PostOffice()
    // snippet: durable-limits
    // Two at a time on all machines, one for each list, and at most 100 an hour.
    let options = FlowOptions<Newsletter>(
      limits: FlowLimits(
        runs: 2, perKey: .init(1), rate: .init(100, each: .seconds(3_600))))
    // end
    let runner = try shop.runner(
      DurableFlow(Newsletter.self, name: "newsletter", services: post, options: options))
    // snippet: durable-concurrency-key
    try await runner.start(
      Newsletter.collect(issue: 7), options: RunOptions(concurrencyKey: "gardening"))
    // end
    // snippet: durable-pause
    try await runner.pause(.flow("newsletter"), until: .now + 3_600)
    try await runner.pause(.concurrencyKey("gardening", flow: "newsletter"))
    try await runner.resume(.flow("newsletter"))
    // end
    let pauses = try await runner.pauses()
    #expect(pauses == [JournalPause(.concurrencyKey("gardening", flow: "newsletter"))])
    let runs = try await shop.memory.runs(RunQuery(flow: "newsletter")).runs
    #expect(runs.first?.concurrencyKey == "gardening")
  }

  @Test("A fork, a change of many, and who did it")
  func changesOfMany() async throws {
    let runner = try shop.runner(
      DurableFlow(Newsletter.self, name: "newsletter", services: PostOffice()))
    let failed = try await runner.start(Newsletter.collect(issue: 7)).id
    // snippet: durable-fork
    let fork = try await runner.fork(failed, from: 0, by: "ada")
    // end
    // snippet: durable-bulk-edit
    let patch = Data(#"{"collect": {"issue": 8}}"#.utf8)
    let edit = BulkChange(
      .edit(patch: patch, version: nil), of: RunQuery(flow: "newsletter", states: [.ready]))
    let wrong = try await runner.count(edit)
    try await runner.perform(edit, upTo: wrong, by: "ada")
    // end
    #expect(wrong.number == 2)
    // snippet: durable-bulk
    let change = BulkChange(.cancel, of: RunQuery(flow: "newsletter", states: [.ready]))
    let count = try await runner.count(change)
    // Here a person is asked about count.number runs.
    let result = try await runner.perform(change, upTo: count, by: "ada")
    // end
    #expect(count.number == 2 && result.changed == 2 && result.isDone)
    let journal = shop.journal
    // snippet: durable-audit
    let page = try await journal.audit(AuditQuery(subject: .run(fork)))
    // end
    #expect(page.records.map(\.action) == [.cancel, .edit, .fork])
  }

  @Test("A migration")
  func migration() async throws {
    let old = #"{"send":{"issue":7,"readers":["Ada"],"sent":3}}"#
    // snippet: durable-migration
    /// Version 1 called them readers.
    struct OldSend: Decodable { var issue: Int, readers: [String], sent: Int }

    let options = FlowOptions<Newsletter>(migration: { version, caseName, json in
      guard caseName == "send" else { return try StageJSON.value(from: json) }
      let old = try StageJSON.caseValues(OldSend.self, of: json)
      return .send(issue: old.issue, to: old.readers, sent: old.sent)
    })
    // end
    let time = JournalTime(shop.time.source, boot: "boot")
    let id = try #require(RunID("00000000000000000000000000"))
    let start = RunStart(id: id, flow: "newsletter", version: 1, payload: Data(old.utf8))
    _ = try await shop.memory.start(start, at: time)
    let runner = try shop.runner(
      DurableFlow(
        Newsletter.self, name: "newsletter", version: 2, services: PostOffice(), options: options))
    let sent = try await working(runner) { try await runner.handle(id, completion: Int.self).value }
    #expect(sent == 4)
  }
}

extension SignalName where Value == String {
  fileprivate static var delivered: Self { SignalName("delivered", example: "parcel 1") }
  fileprivate static var lost: Self { SignalName("lost", example: "the post office") }
}
