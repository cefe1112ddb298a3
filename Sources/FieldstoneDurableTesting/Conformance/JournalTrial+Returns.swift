import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var returns: [Self] {
    [
      Self(.parking) { try await $0.parksAsTheReasonSays() },
      Self(.parking) { try await $0.triesAgainAtItsTime() },
    ]
  }
}

extension JournalExamination {
  func parksAsTheReasonSays() async throws {
    let at = time.date + 60
    let reasons: [Parking.Reason] = [
      .shutdown, .retry(at: at, error: "it failed"), .dead(error: "it failed"),
      .exhausted(error: "it crashed"), .blocked(error: "it is new"),
    ]
    for (number, reason) in reasons.enumerated() {
      let flow = "flow \(number)"
      let first = try await startAndClaim(flow)
      try await park(first, .retry(at: time.date, error: "before"))
      let run = try await claimOne(flow).record
      expect(run.error, equals: "before", .parking, "the error of the attempt before")
      move(by: 1)
      try await park(run, reason)
      var wanted = run
      wanted.worker = nil
      wanted.changedAt = time.date
      switch reason {
      case .shutdown:
        wanted.state = .ready
        wanted.attempts = 1
      case .retry:
        wanted.state = .ready
        wanted.dueAt = at
        wanted.error = "it failed"
      case .dead:
        wanted.state = .dead
        wanted.error = "it failed"
      case .exhausted:
        wanted.state = .dead
        wanted.attempts = 1
        wanted.error = "it crashed"
      case .blocked:
        wanted.state = .blocked
        wanted.attempts = 1
        wanted.error = "it is new"
      }
      expect(try await self.run(run.id), equals: wanted, .parking, "the run after \(reason)")
      expect(try await steps(of: run.id), equals: [], .parking, "the steps after \(reason)")
      let count = if case .shutdown = reason { 1 } else { 0 }
      expect(
        try await claim(flow).runs.count, equals: count, .parking, "claimed at once after \(reason)"
      )
      if wanted.state == .ready { continue }
      time = JournalTime(date: time.date + 86_400, uptime: time.uptime, boot: "boot \(number)")
      expect(try await claim(flow).runs, equals: [], .parking, "claimed later after \(reason)")
    }
  }

  func triesAgainAtItsTime() async throws {
    let run = try await startAndClaim()
    let at = time.date + 60
    try await park(run, .retry(at: at, error: "no"))
    time.date = at - 0.125
    expect(try await claim().runs, equals: [], .parking, "what is claimed before its next attempt")
    time.date = at
    let again = try await claimOne().record
    expect(again.dueAt, equals: nil, .parking, "the time of an attempt that has begun")
    try await checkpoint(again, .stage(json(1)))
    let step = try await steps(of: run.id).first
    expect(step?.attempts, equals: 2, .parking, "the attempts in the step")
    expect(step?.error, equals: "no", .parking, "the error in the step")
    expect(try await self.run(run.id).error, equals: nil, .parking, "the error of the next stage")
  }
}
