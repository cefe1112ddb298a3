import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Changes of many durable runs", .timeLimit(.minutes(30)))
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
    let fork = BulkChange(.fork(from: 9), of: RunQuery())
    await #expect(throws: DurableRunError.noStage(ids[1], sequence: 9)) {
      try await journal.perform(fork, upTo: ids[2], call, at: now)
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
}
