import FieldstoneCore
import FieldstoneDurable
import Foundation
import Testing

@Suite("What is found in a journal that breaks its rules")
struct VerifyTests {
  private let time = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(1_000), boot: "boot")

  /// A journal with a run that has left three stages, in the hands of a worker.
  private func journal(
    _ damage: (inout JournalMutant) -> Void = { _ in }
  ) async throws -> (journal: JournalMutant, id: RunID) {
    var mutant = JournalMutant()
    let start = RunStart(
      id: RunID(at: time.date), flow: "flow", version: 1,
      payload: Data("0".utf8))
    _ = try await mutant.start(start, at: time)
    let request = ClaimRequest(
      worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
    _ = try await mutant.claim(request, at: time)
    for sequence in 0..<3 {
      let claim = RunClaim(id: start.id, sequence: sequence, fence: 1)
      _ = try await mutant.checkpoint(
        Checkpoint(
          claim: claim, version: 1, next: .stage(Data("1".utf8)), beganAt: time.date,
          lease: .seconds(60)), at: time)
    }
    damage(&mutant)
    return (mutant, start.id)
  }

  private func details(_ journal: some Journal) async throws -> [String] {
    var details: [String] = []
    try await journal.verify { details.append($0.detail) }
    return details
  }

  private static func changing(
    _ change: @escaping @Sendable (inout RunRecord) -> Void
  ) -> @Sendable (inout JournalMutant) -> Void {
    { mutant in
      mutant.onRun = { base, id in
        var run = try await base.run(id)
        if run != nil { change(&run!) }
        return run
      }
      mutant.onRuns = { base, query in
        var page = try await base.runs(query)
        for index in page.runs.indices { change(&page.runs[index]) }
        return page
      }
    }
  }

  private static func changingSteps(
    _ change: @escaping @Sendable (inout [StepRecord]) -> Void
  ) -> @Sendable (inout JournalMutant) -> Void {
    { mutant in
      mutant.onSteps = { base, id, sequence, limit in
        var page = try await base.steps(of: id, after: sequence, limit: limit)
        change(&page.steps)
        return page
      }
    }
  }

  @Test("A sound journal has none, and says how many runs there are")
  func sound() async throws {
    let (journal, _) = try await journal()
    let count = try await journal.verify { Issue.record("\($0)") }
    #expect(count == 1)
    #expect(try await InMemoryJournal().verify { _ in } == 0)
  }

  @Test("A chain without its oldest steps is one that was purged")
  func purged() async throws {
    let (journal, _) = try await journal()
    _ = try await journal.purge(JournalRetention(stepsPerRun: 1), at: time)
    #expect(try await details(journal) == [])
  }

  @Test(
    "Each broken rule is told with the run",
    arguments: [
      ("step 2 comes where step 1 should be", changingSteps { $0.remove(at: 1) }),
      ("its steps end at 1, and it is at stage 3", changingSteps { $0.removeLast() }),
      (
        "step 1 has the fence 0, and the one before it 1",
        changingSteps { $0[1].fence = 0 }
      ),
      ("a step has the fence 7, and the run 1", changingSteps { $0[2].fence = 7 }),
      ("it is running, and its worker is none", changing { $0.worker = nil }),
      ("it is ready, and its worker is worker", changing { $0.state = .ready }),
      ("a count of attempts is below zero", changing { $0.crashes = -1 }),
      ("it is running, and waits for a time", changing { $0.dueAt = .distantFuture }),
    ])
  func broken(
    detail: String, damage: @Sendable (inout JournalMutant) -> Void
  ) async throws {
    let (journal, id) = try await journal(damage)
    var findings: [JournalFinding] = []
    try await journal.verify { findings.append($0) }
    #expect(findings == [JournalFinding(run: id, detail)])
    #expect(findings.first?.description == "\(id): \(detail)")
  }

  @Test("A run that goes on while it is looked at is looked at again")
  func goesOn() async throws {
    let (journal, id) = try await journal { [time] mutant in
      let looks = Counter()
      mutant.onSteps = { base, id, sequence, limit in
        if looks.next() == 1 {
          // Between the record and its steps.
          let claim = RunClaim(id: id, sequence: 3, fence: 1)
          try await base.checkpoint(
            Checkpoint(
              claim: claim, version: 1, next: .stage(Data("2".utf8)), beganAt: time.date,
              lease: .seconds(60)), at: time)
        }
        return try await base.steps(of: id, after: sequence, limit: limit)
      }
    }
    #expect(try await details(journal) == [])
    #expect(try await journal.run(id)?.sequence == 4)
  }
}

/// Counts from one.
private final class Counter: Sendable {
  private let count = Locked(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
