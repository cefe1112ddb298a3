import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var standings: [Self] {
    [
      Self(.standing) { try await $0.knowsWhatIsAwaited() },
      Self(.standing) { try await $0.knowsWhatIsQuarantined() },
      Self(.standing) { try await $0.knowsWhatFillsLimits() },
    ]
  }
}

extension JournalExamination {
  func knowsWhatIsAwaited() async throws {
    let nobody = try await journal.standing(of: newID())
    expect(nobody, equals: nil, .standing, "a run that was not started")
    let claimed = try await startAndClaim()
    try await expectReason(.running(worker: "worker"), of: claimed.id)
    let due = time.date + 30
    try await checkpoint(claimed, .receiving(json(1), signals: ["go"], until: due))
    try await expectReason(.signals(["go"], until: due), of: claimed.id)
    try await signal(claimed.id, "other", named: "stop")
    try await expectReason(.signals(["go"], until: due), of: claimed.id)
    try await signal(claimed.id, "first")
    try await expectReason(.due, of: claimed.id)
    let standing = try await journal.standing(of: claimed.id)
    expect(standing?.hasSignal, equals: true, .standing, "whether the signal is there")
    let again = try await claimOne().record
    try await checkpoint(
      again, .receiving(json(2), signals: ["go"], until: nil), consuming: ["first"])
    try await expectReason(.signals(["go"], until: nil), of: claimed.id)
    try await journal.change(claimed.id, .cancel, at: time)
    try await expectReason(.over(.cancelled, error: nil), of: claimed.id)
  }

  func knowsWhatIsQuarantined() async throws {
    let run = try await startAndClaim(lease: .seconds(10))
    move(by: 20)
    expect(
      try await claim(quarantine: .left(after: 1)).runs, equals: [], .standing,
      "what is given of a run whose worker has died")
    try await expectReason(.quarantine(crashes: 1), of: run.id)
    try await journal.change(run.id, .retry, at: time)
    try await expectReason(.due, of: run.id)
  }

  func knowsWhatFillsLimits() async throws {
    func start(_ key: String? = nil, of flow: String) async throws -> RunID {
      move(by: 1)
      let start = RunStart(
        id: newID(), flow: flow, version: 1, payload: json(0), concurrencyKey: key)
      return try await journal.start(start, at: time).id
    }
    func limit(_ limits: FlowLimits, of flow: String) async throws {
      try await journal.setLimits(limits, of: flow, replacing: true, at: time)
    }
    try await limit(FlowLimits(perKey: .init(1)), of: "keys")
    let holder = try await start("a", of: "keys")
    try await expectReason(.due, of: holder)
    let held = try await claimOne("keys").record
    let behind = try await start("a", of: "keys")
    let other = try await start("b", of: "keys")
    try await expectReason(.keyLimit("a", 1, heldBy: [holder]), of: behind)
    try await expectReason(.due, of: other)
    // It holds its place while it waits, and its own place does not hold it back.
    try await checkpoint(held, .waiting(json(1), until: time.date + 1))
    move(by: 1)
    try await expectReason(.due, of: holder)
    try await expectReason(.keyLimit("a", 1, heldBy: [holder]), of: behind)
    try await journal.change(holder, .cancel, at: time)
    try await expectReason(.due, of: behind)
    try await limit(FlowLimits(runs: 2), of: "few")
    let two = [try await start(of: "few"), try await start(of: "few")]
    let third = try await start(of: "few")
    try await expectReason(.due, of: third)
    expect(try await claim("few").runs.map(\.record.id), equals: two, .standing, "what is given")
    try await expectReason(.flowLimit(2, counting: .executing, heldBy: two), of: third)
    try await limit(FlowLimits(runs: 2, counting: .wholeRun), of: "few")
    try await expectReason(.flowLimit(2, counting: .wholeRun, heldBy: two), of: third)
    let run = try await run(two[0])
    try await park(run, .retry(at: time.date, error: "no"))
    try await expectReason(.due, of: two[0])
    try await expectReason(.flowLimit(2, counting: .wholeRun, heldBy: two), of: third)
    try await limit(FlowLimits(rate: .init(1, each: .seconds(60))), of: "slow")
    for _ in 0..<2 { _ = try await start(of: "slow") }
    let next = time.date + 60
    guard let first = try await claim("slow").runs.first else { return }
    // The claim before has found a token, and this one finds none.
    expect(try await claim("slow").runs, equals: [], .standing, "what is given above a rate")
    let ids = try await journal.runs(RunQuery(flow: "slow")).runs.map(\.id)
    for id in ids where id != first.record.id { try await expectReason(.rate(next: next), of: id) }
    move(by: 60)
    for id in ids where id != first.record.id { try await expectReason(.due, of: id) }
  }

  private func expectReason(_ wanted: RunWaitReason, of id: RunID) async throws {
    let standing = try await journal.standing(of: id)
    let record = try await journal.run(id)
    expect(standing?.record, equals: record, .standing, "the run in its standing")
    let reason = try await journal.waitReason(of: id, at: time.date)
    expect(reason, equals: wanted, .standing, "why the run does not go on")
  }
}
