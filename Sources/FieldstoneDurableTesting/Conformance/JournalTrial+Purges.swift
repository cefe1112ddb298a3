import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var purges: [Self] {
    [
      Self(.purge) { try await $0.purgesWhatIsOver() },
      Self(.purge) { try await $0.purgesSteps() },
    ]
  }
}

extension JournalExamination {
  func purgesWhatIsOver() async throws {
    let runs = try await runsInEachState(key: "key")
    let completed = try await startAndClaim("another flow")
    move(by: 10)
    try await checkpoint(completed, .completion(json(1)))
    let waiting = try await startAndClaim()
    try await checkpoint(waiting, .receiving(json(1), signal: "go", until: nil))
    move(by: 90)
    // What was over 100 seconds ago is not older than that.
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(100)), at: time), equals: 0, .purge,
      "how many went on the day itself")
    move(by: 5)
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(100)), at: time), equals: 2, .purge,
      "how many went")
    for (state, id) in runs {
      let isGone = state == .completed || state == .cancelled
      expect(try await journal.run(id) == nil, equals: isGone, .purge, "whether \(state) ones go")
      guard isGone else { continue }
      expect(try await steps(of: id), equals: [], .purge, "the steps of a \(state) run that went")
      let next = try await start("flow of \(state)", key: "key")
      expect(next.id != id && next.state == .ready, .purge, "a key was not free again.")
      try await expectRefusal(.purge, .noRun, of: id, "a signal to a \(state) run that went") {
        try await signal(id, "signal")
      }
    }
    expect(
      try await journal.run(completed.id)?.state, equals: .completed, .purge,
      "one that is over not so long")
    expect(
      try await steps(of: completed.id).map(\.sequence), equals: [0], .purge, "the steps of that")
    // It was started long ago, and was over only now.
    try await journal.change(waiting.id, .cancel, at: time)
    expect(
      try await journal.purge(JournalRetention(runs: .seconds(10)), at: time), equals: 1, .purge,
      "how many went of one that is over long and one that is over now")
    expect(
      try await journal.run(waiting.id)?.state, equals: .cancelled, .purge, "one that is over now")
    move(by: 1_000 * 86_400)
    try await journal.purge(JournalRetention(runs: .zero), at: time)
    for (state, id) in runs where state != .completed && state != .cancelled {
      expect(try await run(id).state, equals: state, .purge, "a \(state) run, however old")
    }
  }

  func purgesSteps() async throws {
    var run = try await startAndClaim()
    for number in 1...10 {
      try await checkpoint(run, .stage(json(number)))
      run.sequence = number
    }
    let before = try await self.run(run.id)
    let all = try await steps(of: run.id)
    guard all.count == 10 else {
      throw Missing(detail: "there were \(all.count) steps of ten before any purge.")
    }
    expect(
      try await journal.purge(JournalRetention(stepsPerRun: 10), at: time), equals: 0, .purge,
      "how many runs went")
    expect(try await steps(of: run.id), equals: all, .purge, "as many steps as may be kept")
    try await journal.purge(JournalRetention(stepsPerRun: 3), at: time)
    expect(try await steps(of: run.id), equals: all.suffix(3), .purge, "the newest three steps")
    expect(
      try await journal.steps(of: run.id, after: 0, limit: 2).steps, equals: Array(all[7...8]),
      .purge, "a page that begins before the steps that are kept")
    expect(try await self.run(run.id), equals: before, .purge, "the run itself")
    try await checkpoint(before, .completion(json(11)))
    expect(
      try await steps(of: run.id).map(\.sequence), equals: [7, 8, 9, 10], .purge,
      "the chain once it goes on")
    for number in [0, -5] {
      try await journal.purge(JournalRetention(stepsPerRun: number), at: time)
      let kept = try await steps(of: run.id).map(\.sequence)
      expect(kept, equals: [], .purge, "the steps where none is kept")
    }
  }
}
