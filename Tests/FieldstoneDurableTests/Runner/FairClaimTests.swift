import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Claims for several flows of a runner", .timeLimit(.minutes(20)))
struct FairClaimTests {
  /// The largest number of runs of a claim.
  private let batch = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)

  @Test("The backlogs of some flows hold up no run of another", arguments: [1, 4])
  func backlogs(flows count: Int) async throws {
    let shop = Workshop()
    let gate = Gate()
    let begun = Recorder<String>()
    let script = Script { stage, _ in
      begun.record(stage.name)
      await gate.wait()
      return .complete("done")
    }
    let busy = (0..<count).map { "mail \($0)" }
    let flows = (busy + ["bill"]).map { name in
      DurableFlow(
        Scripted.self, name: name, services: script, options: FlowOptions(maxConcurrent: 1_000))
    }
    let runner = try DurableRunner(
      journal: shop.journal, flows: flows, options: shop.options(), time: shop.source)
    for flow in busy {
      for _ in 0..<1_000 { try await runner.start(Scripted("mail"), flow: flow) }
    }
    try await runner.start(Scripted("bill"), flow: "bill")
    try await working(runner) {
      // Whatever fails here, the work must end.
      defer { gate.open() }
      var seen: [String] = []
      while !seen.contains("bill"), !Task.isCancelled {
        seen = await begun.elements(atLeast: seen.count + 1)
      }
      // Each flow with a backlog has had one claim before.
      let before = try #require(seen.firstIndex(of: "bill"))
      #expect(before < (count + 1) * batch)
    }
  }

  @Test("No more blocked runs are made ready before a claim than it takes, and all of them are")
  func blocked() async throws {
    let calls = Recorder<JournalProxy.Call>()
    let shop = Workshop(before: { if [.claim, .change].contains($0) { calls.record($0) } })
    let script = Script { _, _ in .complete("done") }
    let flows = ["mail", "bill"].map { name in
      DurableFlow(
        Scripted.self, name: name, services: script, options: FlowOptions(maxConcurrent: 64))
    }
    let time = JournalTime(shop.time.source, boot: "boot")
    let count = 8 * batch
    var random = SeededGenerator(seed: 1)
    for _ in 0..<count {
      let id = RunID(at: time.date, using: &random)
      _ = try await shop.memory.start(
        RunStart(id: id, flow: "mail", version: 1, payload: Data("{}".utf8)), at: time)
    }
    let room = ClaimRequest.FlowRoom(flow: "mail", version: 1, limit: count)
    let claim = try await shop.memory.claim(
      ClaimRequest(worker: "old", flows: [room], lease: .seconds(30)), at: time)
    for run in claim.runs.map(\.record) {
      let held = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      try await shop.memory.park(Parking(claim: held, reason: .blocked(error: "old")), at: time)
    }
    let runner = try DurableRunner(
      journal: shop.journal, flows: flows, options: shop.options(), time: shop.source)
    try await working(runner) {
      let bill = try await runner.start(Scripted("bill"), flow: "bill")
      #expect(try await bill.value == "done")
      await shop.news(of: count) { if case .blocked = $0 { true } else { false } }
    }
    let freed = calls.elements.split(separator: .claim).map(\.count)
    #expect(freed.reduce(0, +) == count && freed.allSatisfy { $0 <= batch })
  }
}
