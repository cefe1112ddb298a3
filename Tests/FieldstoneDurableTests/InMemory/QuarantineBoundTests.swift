import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("How many workers it takes to find the runs that end them", .timeLimit(.minutes(20)))
struct QuarantineBoundTests {
  /// What became of runs, some of which end every worker that begins them.
  struct Course {
    var deaths = 0
    var loneDeaths = 0
    var groups = 0
    var waves = 0
    var records: [RunRecord] = []
  }

  private static let lease = Duration.seconds(30)

  /// Works on runs as an idle runner does, one worker after the other, until all are over.
  ///
  /// - Parameter kills: how many of the first workers are killed from outside.
  private func course(
    of count: Int, poisons: Set<Int>, kills: Int = 0, loneCrashes limit: Int = 3
  ) async throws -> Course {
    let journal = InMemoryJournal()
    var time = JournalTime(
      date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .zero, boot: "boot")
    var random = SeededGenerator(seed: 1)
    var ids: [RunID] = []
    for number in 0..<count {
      let id = RunID(at: time.date + Double(number), using: &random)
      let start = RunStart(id: id, flow: "flow", version: 1, payload: Data("{}".utf8))
      ids.append(try await journal.start(start, at: time).id)
    }
    let ending = Set(poisons.map { ids[$0] })
    var course = Course()
    var worker = 0
    func claim(_ quarantine: ClaimRequest.Quarantine) async throws -> [ClaimedRun] {
      let room = ClaimRequest.FlowRoom(flow: "flow", version: 1, limit: count)
      let request = ClaimRequest(
        worker: "\(worker)", flows: [room], lease: Self.lease, quarantine: quarantine)
      return try await journal.claim(request, at: time).runs
    }
    while course.waves < 100_000 {
      var runs = try await claim(.left(after: 2))
      if runs.isEmpty { runs = try await claim(.alone(after: 2)) }
      if runs.isEmpty { break }
      if let run = runs.first?.record, run.loneCrashes >= limit {
        let parking = Parking(
          claim: RunClaim(id: run.id, sequence: 0, fence: run.fence), reason: .exhausted(error: ""))
        try await journal.park(parking, at: time)
        continue
      }
      course.waves += 1
      if runs[0].isCrashSuspected { course.groups += 1 }
      if course.waves <= kills || runs.contains(where: { ending.contains($0.record.id) }) {
        course.deaths += 1
        if runs[0].isAlone { course.loneDeaths += 1 }
        worker += 1
        time.uptime += Self.lease
        continue
      }
      for run in runs.map(\.record) {
        let claim = RunClaim(id: run.id, sequence: 0, fence: run.fence)
        try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: .completion(Data("1".utf8)), beganAt: time.date,
            lease: Self.lease), at: time)
      }
    }
    for id in ids {
      if let record = try await journal.run(id) { course.records.append(record) }
    }
    return course
  }

  @Test("Sixteen whose worker was killed twice from outside are done in one wave")
  func killedTwice() async throws {
    let course = try await course(of: 16, poisons: [], kills: 2)
    #expect(course.deaths == 2 && course.waves == 3 && course.groups == 1)
    #expect(course.records.allSatisfy { $0.state == .completed })
  }

  @Test(
    "One among n ends as many workers as the logarithm of n, and those that have it alone",
    arguments: [(1, 0), (2, 1), (16, 4), (100, 7), (1_024, 10)])
  func oneAmongMany(count: Int, logarithm: Int) async throws {
    let course = try await course(of: count, poisons: [count / 3], loneCrashes: 1)
    #expect(course.deaths == 2 + logarithm + 1 && course.loneDeaths == 1)
    #expect(course.records.count { $0.state == .completed } == count - 1)
    #expect(course.records[count / 3].state == .dead)
  }

  @Test("p among n end no more workers than is documented, and nobody else is dead of them")
  func manyAmongMany() async throws {
    for seed in 0..<UInt64(Rounds.of(500)) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...64, using: &random)
      let number = Int.random(in: 1...5, using: &random)
      let poisons = Set((0..<number).map { _ in Int.random(in: 0..<count, using: &random) })
      let limit = Int.random(in: 1...3, using: &random)
      let course = try await course(of: count, poisons: poisons, loneCrashes: limit)
      let logarithm = count == 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
      let p = poisons.count
      #expect(
        course.deaths <= 2 + p * (logarithm + limit), "seed \(seed): \(course.deaths) deaths")
      #expect(course.loneDeaths == p * limit, "seed \(seed): \(course.loneDeaths) alone")
      #expect(
        course.groups <= 2 * p * logarithm + 1 + p * limit, "seed \(seed): \(course.groups) groups")
      for (index, record) in course.records.enumerated() {
        let wanted = poisons.contains(index) ? RunState.dead : .completed
        #expect(record.state == wanted, "seed \(seed): \(index) of \(count) is \(record.state)")
      }
    }
  }
}
