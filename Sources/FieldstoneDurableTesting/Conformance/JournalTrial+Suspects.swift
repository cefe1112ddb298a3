import FieldstoneDurable
import Foundation

extension JournalExamination {
  func givesSuspectsAlone() async throws {
    // Three whose workers have ended at the second attempt, one of these at the third.
    var suspects: [RunID] = []
    for _ in 0..<3 {
      move(by: 1)
      suspects.append(try await start().id)
    }
    _ = try await claim(lease: .seconds(10))
    move(by: 10)
    _ = try await claim(lease: .seconds(10))
    move(by: 10)
    _ = try await claim(limit: 1, lease: .seconds(10))
    move(by: 10)
    let first = try await claim(limit: 1, lease: .seconds(10), suspects: .left(after: 4))
    expect(first.runs.map(\.isSuspect), equals: [false], .suspects, "one of too few attempts")
    guard let most = first.runs.first?.record.id else { return }
    suspects.removeAll { $0 == most }
    move(by: 10)

    // Others: one that has ended its worker once, one that failed often, one that waits for nothing.
    let once = try await startAndClaim("other", lease: .seconds(10))
    var failed = try await startAndClaim("other", lease: .seconds(100))
    for _ in 0..<3 {
      try await park(failed, .retry(at: time.date, error: "no"))
      failed = try await claimOne("other", lease: .seconds(100)).record
    }
    try await park(failed, .retry(at: time.date, error: "no"))
    move(by: 10)
    let fresh = try await start("other").id
    func claimBoth(
      limit: Int = 100, version: Int = 1, _ suspects: ClaimRequest.Suspects
    ) async throws -> Claim {
      let flows = [
        ClaimRequest.FlowRoom(flow: "flow", version: version, limit: limit),
        ClaimRequest.FlowRoom(flow: "other", version: 1, limit: 100),
      ]
      return try await journal.claim(
        ClaimRequest(worker: "both", flows: flows, lease: .seconds(10), suspects: suspects),
        at: time)
    }

    let none = try await claim("third", suspects: .alone(after: 2))
    expect(none.leavesSuspects, equals: false, .suspects, "whether another flow has some")
    let newer = try await claim(version: 0, suspects: .left(after: 2))
    expect(
      newer.leavesSuspects, equals: false, .suspects, "whether there are some of a newer version")
    let full = try await claim(limit: 0, suspects: .left(after: 2))
    expect(full.leavesSuspects, equals: false, .suspects, "whether there are some without room")

    let left = try await claimBoth(.left(after: 2))
    expect(
      Set(left.runs.map(\.record.id)), equals: [once.id, failed.id, fresh], .suspects,
      "what a worker gets that leaves them")
    expect(left.leavesSuspects, equals: true, .suspects, "whether it is told that there are some")
    expect(left.runs.contains(where: \.isSuspect), equals: false, .suspects, "others as suspects")
    let waiting = try await start("other").id

    for (number, wanted) in (suspects.sorted() + [most]).enumerated() {
      let alone = try await claimBoth(.alone(after: 2))
      expect(
        alone.runs.map(\.record.id), equals: [wanted], .suspects,
        "suspect \(number), by attempts and then by age")
      expect(alone.runs.map(\.isSuspect), equals: [true], .suspects, "a suspect")
      expect(
        alone.leavesSuspects, equals: number < 2, .suspects, "whether there are more than \(number)"
      )
      guard let run = alone.runs.first?.record else { return }
      expect(
        run.attempts, equals: number < 2 ? 3 : 5, .suspects, "the attempts of a suspect")
      expect(try await self.run(run.id), equals: run, .suspects, "a suspect once it is claimed")
      if number == 1 {
        // Its stage is done: at the next one it is as innocent as others.
        try await checkpoint(run, .stage(json(1)), lease: .seconds(10))
      }
    }
    let rest = try await claimBoth(.alone(after: 2))
    expect(rest.runs.map(\.record.id), equals: [waiting], .suspects, "what is given where are none")
    expect(rest.leavesSuspects, equals: false, .suspects, "whether there are more than all")
    move(by: 10)
    let innocent = try await claim(lease: .seconds(10), suspects: .left(after: 2))
    expect(
      innocent.runs.map(\.record.attempts), equals: [2], .suspects,
      "the attempts of one that went on to another stage")
    let like = try await claimBoth(.likeOthers)
    expect(like.runs.count, equals: 6, .suspects, "what a worker gets that makes no difference")
    expect(like.leavesSuspects, equals: false, .suspects, "whether that leaves any")
  }
}
