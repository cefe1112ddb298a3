import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

@Suite("A journal in memory", .timeLimit(.minutes(20)))
struct InMemoryJournalTests {
  @Test("It keeps what every journal promises")
  func conforms() async throws {
    try await JournalConformance { InMemoryJournal() }.check()
  }

  @Test("It keeps it with limits of its own, and when two share it")
  func shared() async throws {
    var suite = JournalConformance {
      InMemoryJournal(limits: PayloadLimits(warning: 10, error: 100))
    }
    suite.keepsLateReports = true
    suite.payloadLimit = 100
    suite.openAnother = { $0 }
    try await suite.check()
  }

  private let time = JournalTime(ManualTime().source, boot: "boot")

  /// A journal with one run.
  private func started() async throws -> (journal: InMemoryJournal, id: RunID) {
    let journal = InMemoryJournal()
    var random = SeededGenerator(seed: 1)
    let id = RunID(at: time.date, using: &random)
    _ = try await journal.start(
      RunStart(id: id, flow: "chain", version: 1, payload: Data()), at: time)
    return (journal, id)
  }

  @Test("A chain of a hundred thousand stages costs what its stages cost")
  func longChain() async throws {
    let (journal, id) = try await started()
    let room = ClaimRequest.FlowRoom(flow: "chain", version: 1, limit: 1)
    let claimed = try await journal.claim(
      ClaimRequest(worker: "a", flows: [room], lease: .seconds(30)), at: time)
    let record = try #require(claimed.runs.first?.record)
    var claim = RunClaim(id: id, sequence: record.sequence, fence: record.fence)
    let count = Rounds.size(100_000)
    for _ in 0..<count {
      try await journal.checkpoint(
        Checkpoint(
          claim: claim, version: 1, next: .stage(Data()), beganAt: time.date, lease: .seconds(30)),
        at: time)
      claim.sequence += 1
    }
    #expect(try await journal.run(id)?.sequence == record.sequence + count)
  }

  @Test("A mark that no journal has given is one of which changes are forgotten")
  func strangeMarks() async throws {
    let (journal, id) = try await started()
    let room = ClaimRequest.FlowRoom(flow: "chain", version: 1, limit: 1)
    let claimed = try await journal.claim(
      ClaimRequest(worker: "a", flows: [room], lease: .seconds(30)), at: time)
    var claim = RunClaim(id: id, sequence: 0, fence: try #require(claimed.runs.first).record.fence)
    // So many that the first are forgotten.
    for _ in 0..<20_000 {
      try await journal.checkpoint(
        Checkpoint(
          claim: claim, version: 1, next: .stage(Data()), beganAt: time.date, lease: .seconds(30)),
        at: time)
      claim.sequence += 1
    }
    for position in [.min, -1, 0, .max] as [Int64] {
      let changes = try await journal.changes(since: JournalMark(positions: [position]))
      #expect(changes.runs == nil)
      #expect(try await journal.changes(since: changes.mark).runs == [:])
    }
  }

  @Test("A date that is not a number has passed, as in databases")
  func noNumbers() async throws {
    let (journal, id) = try await started()
    let never = Date(timeIntervalSince1970: .nan)
    let room = ClaimRequest.FlowRoom(flow: "chain", version: 1, limit: 1)
    let request = ClaimRequest(worker: "a", flows: [room], lease: .seconds(30))
    let record = try #require(try await journal.claim(request, at: time).runs.first).record
    let claim = RunClaim(id: id, sequence: record.sequence, fence: record.fence)
    try await journal.checkpoint(
      Checkpoint(
        claim: claim, version: 1, next: .waiting(Data(), until: never), beganAt: time.date,
        lease: .seconds(30)), at: time)
    try await journal.pause(.run(id), until: never, at: time)
    let again = try await journal.claim(request, at: time)
    #expect(again.runs.map(\.record.id) == [id])
    #expect(again.nextDueAt == nil)
    var random = SeededGenerator(seed: 2)
    var late = RunStart(
      id: RunID(at: time.date, using: &random), flow: "chain", version: 1, payload: Data())
    late.deadline = never
    _ = try await journal.start(late, at: time)
    #expect(try await journal.claim(request, at: time).runs.isEmpty)
    #expect(try await journal.run(late.id)?.state == .cancelled)
  }

  @Test("Twenty thousand signals of a run cost what one costs", .timeLimit(.minutes(20)))
  func manySignals() async throws {
    let (journal, id) = try await started()
    let count = Rounds.size(20_000)
    let names = ["even", "odd"]
    for number in 0..<count {
      let signal = SignalRecord(
        id: "\(number)", name: names[number % 2], payload: Data("1".utf8), sentAt: time.date)
      #expect(try await journal.signal(id, signal, at: time) == .sent)
    }
    let room = ClaimRequest.FlowRoom(flow: "chain", version: 1, limit: 1)
    let request = ClaimRequest(worker: "a", flows: [room], lease: .seconds(30))
    var received: [String] = []
    for number in [1, 0].flatMap({ stride(from: $0, to: count, by: 2) }) {
      let claimed = try #require(try await journal.claim(request, at: time).runs.first)
      #expect(claimed.signal.map { [$0.id] } ?? [] == received)
      let claim = RunClaim(id: id, sequence: claimed.record.sequence, fence: claimed.record.fence)
      try await journal.checkpoint(
        Checkpoint(
          claim: claim, version: 1,
          next: .receiving(Data(), signals: [names[number % 2]], until: nil),
          consumedSignals: received, beganAt: time.date, lease: .seconds(30)), at: time)
      received = ["\(number)"]
    }
    #expect(try await journal.run(id)?.sequence == count)
  }
}
