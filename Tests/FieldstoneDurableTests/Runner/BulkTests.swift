import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Changes of many durable runs", .timeLimit(.minutes(20)))
struct BulkTests {
  private let shop = Workshop()

  private func runner() throws -> DurableRunner {
    try shop.runner { _, _ in throw MessageError("no") }
  }

  /// Runs that nobody has had yet, the oldest first.
  private func start(_ count: Int, _ runner: DurableRunner) async throws -> [RunID] {
    var ids: [RunID] = []
    for number in 0..<count {
      shop.time.advance(by: .milliseconds(2))
      ids.append(try await runner.start(Scripted("\(number)")).id)
    }
    return ids
  }

  private func states() async throws -> [RunState: Int] {
    let runs = try await shop.memory.runs(RunQuery(limit: 1_000)).runs
    return Dictionary(runs.map { ($0.state, 1) }, uniquingKeysWith: +)
  }

  @Test(
    "A count changes nothing, and only runs up to the youngest counted are changed, each with a row"
  )
  func counted() async throws {
    let runner = try runner()
    let ids = try await start(150, runner)
    let change = BulkChange(.cancel, of: RunQuery(flow: "scripted"))
    let count = try await runner.count(change)
    #expect(count == BulkCount(number: 150, youngest: ids.last))
    #expect(try await runner.count(change, limit: 100).hasMore)
    #expect(try await states() == [.ready: 150])
    _ = try await start(2, runner)
    let reports = Recorder<BulkProgress>()
    let result = try await runner.perform(change, upTo: count, by: "ada") { reports.record($0) }
    #expect(result.changed == 150 && result.skipped == 0 && result.isDone)
    #expect(try await states() == [.ready: 2, .cancelled: 150])
    let rows = try await shop.memory.audit(AuditQuery(limit: 1_000)).records
    #expect(rows.count == 150 && rows.allSatisfy { $0.actor == "ada" && $0.action == .cancel })
    let seen = await reports.elements(atLeast: 3)
    #expect(seen.count == 3 && seen.last == result && !seen[0].isDone)
    #expect(try await runner.perform(change, upTo: BulkCount()).isDone)
  }

  @Test("A cancelled task stops between two pages, and another call goes on from there")
  func stopped() async throws {
    let runner = try runner()
    _ = try await start(150, runner)
    let change = BulkChange(.fork(from: nil), of: RunQuery(flow: "scripted", states: [.ready]))
    let count = try await runner.count(change)
    let work = Task {
      try await runner.perform(change, upTo: count) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    let first = try await work.value
    #expect(!first.isDone && first.changed > 0 && first.changed < 150 && first.position != nil)
    let rest = try await runner.perform(change, upTo: count, after: first)
    #expect(rest.isDone && rest.changed == 150)
    let forks = try await shop.memory.runs(RunQuery(limit: 1_000)).runs.filter { $0.origin != nil }
    #expect(Set(forks.compactMap(\.origin?.run)).count == 150 && forks.count == 150)
    // From the beginning, under the same name: no run is forked twice.
    let again = try await runner.perform(change, upTo: count)
    #expect(again.isDone)
    #expect(try await shop.memory.runs(RunQuery(limit: 1_000)).runs.count == 300)
  }

  @Test("Runs that were started after the count take nothing of the room for what is examined")
  func youngerOnes() async throws {
    let runner = try runner()
    let ids = try await start(3, runner)
    _ = try await start(100, runner)
    let call = BulkCall(by: nil, checkedBy: .unchecked, lookingThrough: 3)
    let result = try await shop.memory.perform(
      BulkChange(.cancel, of: RunQuery()), upTo: ids[2], call,
      at: JournalTime(shop.source, boot: "boot"))
    #expect(result.changed == 3 && result.isDone)
    #expect(try await states() == [.ready: 100, .cancelled: 3])
  }

  @Test("Runs that are counted again after a crash are forked once, and no fork is forked")
  func countedAgain() async throws {
    let runner = try runner()
    _ = try await start(100, runner)
    shop.time.advance(by: .seconds(86_400))
    let name = RunID(at: JournalTime(shop.source, boot: "boot").date)
    let change = BulkChange(
      .fork(from: nil), of: RunQuery(flow: "scripted", states: [.ready]), id: name)
    let first = try await runner.count(change)
    let work = Task {
      try await runner.perform(change, upTo: first) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    let stopped = try await work.value
    #expect(!stopped.isDone && stopped.changed > 0)
    _ = try await start(1, runner)
    // The same program begins again, and knows the name of its change only.
    let again = BulkChange(change.action, of: change.query, id: name)
    let result = try await runner.perform(again, upTo: try await runner.count(again))
    #expect(result.isDone)
    let forks = try await shop.memory.runs(RunQuery(limit: 1_000)).runs.filter { $0.origin != nil }
    #expect(forks.count == 101 && Set(forks.compactMap(\.origin?.run)).count == 101)
    // They are found by the time at which they were started.
    let began = try #require(forks.map(\.startedAt).min())
    let recent = RunQuery(since: began, limit: 1_000)
    #expect(try await shop.memory.runs(recent).runs.count { $0.origin != nil } == 101)
  }

  @Test("Each page is changed at its own time: a deadline that passes meanwhile is removed, too")
  func times() async throws {
    let runner = try runner()
    let deadline = shop.time.now + 10
    for _ in 0..<65 {
      shop.time.advance(by: .milliseconds(2))
      let options = RunOptions(deadline: deadline)
      try await runner.start(Scripted("a"), options: options).cancel()
    }
    let change = BulkChange(.retry, of: RunQuery(flow: "scripted"))
    let result = try await runner.perform(change, upTo: try await runner.count(change)) { _ in
      shop.time.advance(by: .seconds(60))
    }
    #expect(result.changed == 65)
    let runs = try await shop.memory.runs(RunQuery(limit: 1_000)).runs
    #expect(runs.map(\.deadline) == Array(repeating: deadline, count: 64) + [nil])
    let rows = try await shop.memory.audit(AuditQuery(limit: 1_000)).records
    let times = rows.filter { $0.action == .retry }.map(\.date)
    #expect(times.count == 65 && times.max() == times.min()?.addingTimeInterval(60))
  }

  @Test("A change without a name is named at the time that it is made")
  func nameOfNow() {
    let before = Date.now
    #expect(BulkChange(.retry, of: RunQuery()).id >= RunID.lowest(at: before))
  }

  @Test("Runs that have gone on since they were read are left alone, and an error ends the change")
  func skipped() async throws {
    let journal = shop.memory
    let runner = try runner()
    let ids = try await start(3, runner)
    let now = JournalTime(shop.source, boot: "boot")
    let call = BulkCall(by: nil, checkedBy: .unchecked)
    let result = try await journal.perform(
      BulkChange(.cancel, of: RunQuery()), upTo: ids[2], call, at: now,
      where: { _ in true },
      report: { _ in })
    #expect(result.changed == 3)
    let purge = BulkChange(.purge, of: RunQuery())
    try await journal.change(ids[1], .retry, at: now)
    let purged = try await journal.perform(purge, upTo: ids[2], call, at: now)
    #expect(purged.changed == 2 && purged.isDone)
    #expect(try await journal.runs(RunQuery()).runs.map(\.id) == [ids[1]])
    let wrong = BulkChange(
      .edit(patch: Data(#"{"name":7}"#.utf8), version: nil), of: RunQuery())
    await #expect(throws: DurableRunError.self) {
      try await runner.perform(wrong, upTo: BulkCount(number: 1, youngest: ids[2]))
    }
    let pause = BulkChange(.pause(until: nil), of: RunQuery())
    #expect(try await journal.perform(pause, upTo: ids[2], call, at: now).changed == 1)
    #expect(try await journal.run(ids[1])?.isPaused == true)
    let resume = BulkChange(.resume, of: RunQuery())
    #expect(try await journal.count(resume) == BulkCount(number: 1, youngest: ids[1]))
    #expect(try await journal.perform(resume, upTo: ids[2], call, at: now).changed == 1)
    #expect(try await journal.run(ids[1])?.isPaused == false)
    #expect(try await journal.count(resume) == BulkCount())
    let none = BulkChange(.purge, of: RunQuery(states: [.ready]))
    #expect(try await journal.perform(none, upTo: ids[2], call, at: now).isDone)
  }

  @Test("A fork of many leaves out runs that lack the stage, and skips a purged or unreadable one")
  func forks() async throws {
    let journal = shop.memory
    let runner = try shop.runner { stage, _ in
      switch stage.name {
      case "a": .advance(to: "b")
      case "b": .advance(to: "c")
      default: .complete("done")
      }
    }
    let now = JournalTime(shop.source, boot: "boot")
    // The newest code can't read the stage at which it is dead.
    let unreadable = try await runner.start(Scripted("c")).id
    let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
    let request = ClaimRequest(worker: "old", flows: [room], lease: .seconds(30))
    let held = try #require(try await journal.claim(request, at: now).runs.first?.record)
    var claim = RunClaim(id: held.id, sequence: held.sequence, fence: held.fence)
    try await journal.checkpoint(
      Checkpoint(
        claim: claim, version: 1, next: .stage(Data("{}".utf8)), beganAt: now.date,
        lease: .seconds(30)), at: now)
    claim.sequence += 1
    try await journal.park(Parking(claim: claim, reason: .dead(error: "old")), at: now)
    var ids: [RunID] = []
    try await working(runner) {
      for name in ["b", "a", "c"] {
        shop.time.advance(by: .milliseconds(2))
        let run = try await runner.start(Scripted(name))
        _ = try await run.value
        ids.append(run.id)
      }
    }
    // Of the stages a, b and c the first is deleted.
    _ = try await journal.purge(
      JournalRetention(runs: .seconds(1_000_000), stepsPerRun: 2), at: now)
    let change = BulkChange(.fork(from: 0), of: RunQuery(flow: "scripted"))
    #expect(try await runner.count(change).number == 4)
    let first = try await runner.perform(change, upTo: try await runner.count(change))
    #expect(first.changed == 3 && first.skipped == 1 && first.isDone)
    #expect(first.error == .noStage(ids[1], sequence: 0))
    let second = BulkChange(
      .fork(from: 1), of: RunQuery(flow: "scripted", states: [.completed, .dead]))
    let count = try await runner.count(second)
    // The youngest has completed after its first stage.
    #expect(count == BulkCount(number: 3, youngest: ids[1]))
    let result = try await runner.perform(second, upTo: count)
    #expect(result.changed == 2 && result.skipped == 1 && result.isDone)
    guard case .unreadable(unreadable, sequence: 1, error: _) = result.error else {
      Issue.record("\(String(describing: result.error))")
      return
    }
    let forks = try await journal.runs(RunQuery(states: [.ready])).runs
    let origins = Set(forks.compactMap(\.origin))
    #expect(
      origins
        == [
          RunOrigin(run: ids[0], sequence: 1), RunOrigin(run: ids[1], sequence: 1),
          RunOrigin(run: ids[0], sequence: 0), RunOrigin(run: ids[2], sequence: 0),
          RunOrigin(run: unreadable, sequence: 0),
        ])
    let started = shop.events.elements.filter { $0.kind == .started && $0.flow == "scripted" }
    #expect(Set(started.compactMap(\.run)).isSuperset(of: forks.map(\.id)))
    #expect(started.count == 4 + forks.count)
  }

  @Test("A signal is sent to all that are not over, and once to each, however often it is repeated")
  func signals() async throws {
    let journal = shop.memory
    let runner = try runner()
    let ids = try await start(100, runner)
    try await journal.change(ids[3], .cancel, at: JournalTime(shop.source, boot: "boot"))
    let query = RunQuery(flow: "scripted")
    let change = BulkChange(.signal(name: "go", payload: Data("1".utf8)), of: query)
    let count = try await runner.count(change)
    #expect(count.number == 99)
    let younger = try await start(1, runner)[0]
    let work = Task {
      try await runner.perform(change, upTo: count, by: "ada") { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let first = try await work.value
    #expect(!first.isDone && first.changed > 0 && first.changed < 99)
    // The progress is lost: all begins anew, under the same name.
    let again = try await runner.perform(change, upTo: count, by: "ada")
    #expect(again.isDone && again.changed == 99 && again.skipped == 0)
    let rows = try await journal.audit(AuditQuery(limit: 1_000)).records.filter {
      $0.action == .signal
    }
    #expect(Set(rows.map(\.subject)) == Set(ids.filter { $0 != ids[3] }.map { .run($0) }))
    #expect(rows.count == 99 && rows.allSatisfy { $0.actor == "ada" })
    #expect(!rows.contains { $0.subject == .run(younger) })
    // Another change sends another signal.
    let second = BulkChange(change.action, of: query)
    #expect(try await runner.perform(second, upTo: count, by: "ada").changed == 99)
    let all = try await journal.audit(AuditQuery(limit: 1_000)).records
    #expect(all.count { $0.action == .signal } == 198)
    let none = BulkChange(.signal(name: "go", payload: Data("{".utf8)), of: query)
    await #expect(throws: JournalError.notJSON) {
      try await runner.perform(none, upTo: count, by: "ada")
    }
  }

  /// An order's stages, in two of which it may stand when it is edited.
  private enum Order: DurableStage {
    case charge(sum: Int, tries: Int)
    case ship(to: String)

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
      .complete("")
    }
  }

  private func stage(_ id: RunID) async throws -> String? {
    try await shop.memory.run(id).map { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test(
    "An edit changes a part of all stages that it is for, each once, and leaves the others alone")
  func edits() async throws {
    let runner = try shop.runner(DurableFlow(Order.self, name: "order"))
    var ids: [RunID] = []
    for number in 0..<100 {
      shop.time.advance(by: .milliseconds(2))
      let stage = number % 4 == 3 ? Order.ship(to: "Oslo") : .charge(sum: number, tries: 5)
      ids.append(try await runner.start(stage).id)
    }
    let charged = ids.indices.filter { $0 % 4 != 3 }
    let patch = Data(#"{"charge":{"tries":0}}"#.utf8)
    let change = BulkChange(.edit(patch: patch, version: nil), of: RunQuery(flow: "order"))
    let count = try await runner.count(change)
    #expect(count == BulkCount(number: 75, youngest: ids[98]))
    #expect(try await runner.count(change, limit: 10).hasMore)
    let younger = try await runner.start(Order.charge(sum: 100, tries: 5)).id
    let work = Task {
      try await runner.perform(change, upTo: count, by: "ada") { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let first = try await work.value
    #expect(!first.isDone && first.changed > 0 && first.changed < 75)
    // The progress is lost: what is edited already has the patch's values.
    let rest = try await runner.perform(change, upTo: count, by: "ada")
    #expect(rest.isDone && rest.changed == 75 - first.changed && rest.skipped == 0)
    for number in charged {
      #expect(try await stage(ids[number]) == #"{"charge":{"sum":\#(number),"tries":0}}"#)
      #expect(try await shop.memory.steps(of: ids[number], after: -1, limit: 9).steps.count == 1)
    }
    #expect(try await stage(ids[3]) == #"{"ship":{"to":"Oslo"}}"#)
    #expect(try await stage(younger) == #"{"charge":{"sum":100,"tries":5}}"#)
    let rows = try await shop.memory.audit(AuditQuery(limit: 1_000)).records
    #expect(Set(rows.map(\.subject)) == Set(charged.map { .run(ids[$0]) }))
    #expect(rows.count == 75 && rows.allSatisfy { $0.action == .edit && $0.actor == "ada" })
    #expect(try await runner.count(change).number == 1)
    let none = BulkChange(.edit(patch: Data("{".utf8), version: nil), of: RunQuery(flow: "order"))
    await #expect(throws: JournalError.notJSON) { try await runner.count(none) }
    await #expect(throws: JournalError.notJSON) { try await runner.perform(none, upTo: count) }
  }

  @Test("An edit whose stage the flow can't decode ends the change, and writes nothing of that run")
  func unreadable() async throws {
    let runner = try shop.runner(DurableFlow(Order.self, name: "order", version: 2))
    let id = try await runner.start(Order.charge(sum: 1, tries: 5)).id
    func change(_ patch: String, version: Int? = nil) -> BulkChange {
      BulkChange(.edit(patch: Data(patch.utf8), version: version), of: RunQuery(flow: "order"))
    }
    let count = try await runner.count(change(#"{"charge":{"tries":"no"}}"#))
    #expect(count.number == 1)
    let error = await #expect(throws: DurableRunError.self) {
      try await runner.perform(change(#"{"charge":{"tries":"no"}}"#), upTo: count)
    }
    #expect(error?.message.contains("can't be read by this code") == true)
    await #expect(throws: DurableRunError.newerVersion(id, found: 3, known: 2)) {
      try await runner.perform(change(#"{"charge":{"tries":1}}"#, version: 3), upTo: count)
    }
    #expect(try await stage(id) == #"{"charge":{"sum":1,"tries":5}}"#)
    #expect(try await shop.memory.audit(AuditQuery()).records.isEmpty)
    #expect(try await runner.perform(change(#"{"charge":{"tries":1}}"#), upTo: count).changed == 1)
    #expect(try await stage(id) == #"{"charge":{"sum":1,"tries":1}}"#)
  }

  @Test("Work on a run that this process cancels among others is cut short at once")
  func cancelledAtOnce() async throws {
    let (begun, cancelled) = (Gate(), Gate())
    let runner = try shop.runner { _, _ in
      await begun.wait(cancellationOpens: cancelled)
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await begun.arrivals(atLeast: 1)
      let change = BulkChange(.cancel, of: RunQuery(flow: "scripted"))
      let result = try await runner.perform(change, upTo: try await runner.count(change))
      #expect(result.changed == 1)
      // No time passes: neither a renewal nor a poll tells of it.
      await cancelled.wait()
      begun.open()
      await #expect(throws: CallCancelled.self) { try await run.value }
    }
  }

  @Test("A run that has gone on since it was read is not edited")
  func goneOn() async throws {
    // Read at one stage, edited by somebody else before the change comes to it.
    let ids = Locked<[RunID]>([])
    let memory = shop.memory
    let time = JournalTime(shop.source, boot: "boot")
    let proxy = JournalProxy(
      journal: memory,
      before: { call in
        guard call == .change, let id = ids.withLock({ $0.popLast() }) else { return }
        try await memory.change(
          id, .edit(Data(#"{"charge":{"sum":9}}"#.utf8), version: nil), at: time)
      }, after: { _ in })
    let runner = try runner()
    let id = try await runner.start(Scripted("a")).id
    ids.withLock { $0 = [id] }
    let change = BulkChange(
      .edit(patch: Data(#"{"name":"b"}"#.utf8), version: nil), of: RunQuery(flow: "scripted"))
    let result = try await proxy.perform(
      change, upTo: id, BulkCall(by: nil, checkedBy: .unchecked), at: time)
    #expect(result.changed == 0 && result.skipped == 1 && result.isDone)
    #expect(try await stage(id) == #"{"charge":{"sum":9}}"#)
  }
}
