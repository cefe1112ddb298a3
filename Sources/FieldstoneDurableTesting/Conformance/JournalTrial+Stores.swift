import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var stores: [Self] {
    [
      Self(.transaction) { try await $0.writesWithTheCheckpoint() },
      Self(.sharing) { try await $0.sharesAStore() },
      Self(.sharing) { try await $0.sharesChangesAndPauses() },
      Self(.sharing) { try await $0.sharesSlots() },
    ]
  }
}

extension JournalExamination {
  /// The error of a failing write.
  private struct WriteFailed: Error {}

  func writesWithTheCheckpoint() async throws {
    let run = try await startAndClaim()
    guard let transactions else {
      let write = CheckpointWrite { _ in }
      try await expectRefusal(
        .transaction, .noTransactions, of: run.id, "a write without transactions"
      ) {
        try await checkpoint(run, .stage(json(1)), writes: [write])
      }
      return
    }
    let before = try await steps(of: run.id)
    let failing = CheckpointWrite { _ in throw WriteFailed() }
    do {
      try await checkpoint(
        run, .stage(json(1)), writes: [transactions.write("undone"), failing])
      expect(false, .transaction, "a checkpoint did not throw what its write threw.")
    } catch is WriteFailed {}
    expect(try await transactions.written(), equals: [], .transaction, "written by what failed")
    expect(try await self.run(run.id), equals: run, .transaction, "the run after what failed")
    expect(try await steps(of: run.id), equals: before, .transaction, "its steps")
    var lost = run
    lost.fence += 1
    try await expectRefusal(.transaction, .claimLost, of: run.id, "a write of a lost claim") {
      try await checkpoint(lost, .stage(json(1)), writes: [transactions.write("lost")])
    }
    expect(try await transactions.written(), equals: [], .transaction, "written by a lost claim")
    try await checkpoint(
      run, .stage(json(1)), writes: [transactions.write("one"), transactions.write("two")])
    expect(
      try await transactions.written().sorted(), equals: ["one", "two"], .transaction,
      "written with the checkpoint")
    expect(try await self.run(run.id).sequence, equals: 1, .transaction, "the run's stage then")
  }

  func sharesAStore() async throws {
    guard let other else { return }
    let start = RunStart(id: newID(), flow: "flow", version: 1, key: "key", payload: json(0))
    let started = try await journal.start(start, at: time)
    expect(try await other.run(start.id), equals: started, .sharing, "what the other one reads")
    let again = RunStart(id: newID(), flow: "flow", version: 1, key: "key", payload: json(0))
    expect(try await other.start(again, at: time), equals: started, .sharing, "the other's start")
    let run = try await claimOne().record
    let request = ClaimRequest(
      worker: "other", flows: [.init(flow: "flow", version: 1, limit: 9)], lease: .seconds(60))
    expect(try await other.claim(request, at: time).runs, equals: [], .sharing, "the other's claim")
    let signal = SignalRecord(id: "signal", name: "go", payload: json(7), sentAt: time.date)
    try await other.signal(run.id, signal, at: time)
    try await checkpoint(run, .receiving(json(1), signals: ["go"], until: nil))
    let next = try await other.claim(request, at: time).runs
    expect(next.first?.signal?.id, equals: "signal", .sharing, "the signal that the other one sent")
    try await expectRefusal(.sharing, .claimLost, of: run.id, "a checkpoint of what the other has")
    {
      try await checkpoint(run, .stage(json(2)))
    }
    try await other.change(run.id, .cancel, at: time)
    expect(
      try await journal.runs(RunQuery(states: [.cancelled])).runs.map(\.id), equals: [run.id],
      .sharing, "what is cancelled by the other one")
    expect(
      try await other.steps(of: run.id, after: nil, limit: 10).steps,
      equals: try await steps(of: run.id), .sharing, "the steps that the other one reads")
  }
  func sharesChangesAndPauses() async throws {
    guard let other else { return }
    let mark = try await other.changes(since: nil).mark
    let run = try await startAndClaim()
    try await checkpoint(run, .completion(json(1)))
    if mark != nil, let changed = try await other.changes(since: mark).runs {
      expect(changed[run.id], equals: .completed, .sharing, "the change that the other one tells")
    }
    let limits = FlowLimits(runs: 3)
    try await journal.setLimits(limits, of: "flow", replacing: true, at: time)
    expect(
      try await other.flowLimits(), equals: ["flow": limits], .sharing, "the other one's limits")
    let paused = try await start().id
    let target = PauseTarget.flow("flow")
    try await journal.pause(target, until: nil, at: time)
    expect(
      try await other.pauses(), equals: [JournalPause(target)], .sharing, "the other one's pauses")
    let request = ClaimRequest(
      worker: "other", flows: [.init(flow: "flow", version: 1, limit: 9)], lease: .seconds(60))
    expect(
      try await other.claim(request, at: time).runs, equals: [], .sharing,
      "what the other one gives of a paused flow")
    expect(
      try await other.resume(target, at: time), equals: true, .sharing,
      "whether the other one ends a pause")
    expect(try await journal.pauses(), equals: [], .sharing, "the pauses after that")
    expect(try await claimOne().record.id, equals: paused, .sharing, "what goes on then")
  }

  func sharesSlots() async throws {
    guard let other else { return }
    let slots = JournalSlots(group: "set", ranges: [0...9])
    _ = try await journal.setSlots(from: nil, to: slots)
    expect(try await other.slots(), equals: slots, .sharing, "the other one's slots")
    let foreign = RunStart(id: newID(slot: 77), flow: "flow", version: 1, payload: json(0))
    try await expectRefusal(.sharing, .foreignSlot, of: foreign.id, "the other's foreign start") {
      _ = try await other.start(foreign, at: time)
    }
  }
}
