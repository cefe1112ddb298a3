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

  @Test("A chain of a hundred thousand stages costs what its stages cost")
  func longChain() async throws {
    let journal = InMemoryJournal()
    var random = SeededGenerator(seed: 1)
    let time = JournalTime(ManualTime().source, boot: "boot")
    let id = RunID(at: time.date, using: &random)
    _ = try await journal.start(
      RunStart(id: id, flow: "chain", version: 1, payload: Data()), at: time)
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
}
