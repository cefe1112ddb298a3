import FieldstoneDurable
import Foundation

/// A purged run leaves nothing that another run with its identifier would get.
extension JournalTrial {
  static var remains: [Self] {
    [
      Self(.purgeOfRun) { trial in
        try await trial.leavesNothing(.purgeOfRun) { id in
          try await trial.journal.purge(id, by: nil, at: trial.time)
        }
      },
      Self(.purge) { trial in
        try await trial.leavesNothing(.purge) { _ in
          try await trial.journal.purge(JournalRetention(runs: .seconds(10)), at: trial.time)
        }
      },
    ]
  }
}

extension JournalExamination {
  func leavesNothing(
    _ promise: Promise, purging: (RunID) async throws -> Void
  ) async throws {
    var start = RunStart(id: newID(), flow: "flow", version: 1, payload: json(0))
    start.attributes = ["left": true]
    _ = try await journal.start(start, at: time)
    let run = try await claimOne().record
    let line = RunLogLine(
      place: .init(fence: run.fence, number: 1), text: "line", sequence: 0, loggedAt: time.date)
    try await journal.write(
      [RunReportWrite(run: run.id, fence: run.fence, lines: [line])], at: time)
    for id in ["first", "second"] { try await signal(run.id, id) }
    try await checkpoint(run, .receiving(json(1), signals: ["go"], until: nil))
    let next = try await claimOne().record
    try await checkpoint(next, .completion(json(2)), consuming: ["first"])
    move(by: 100)
    try await purging(run.id)
    expect(try await journal.run(run.id), equals: nil, promise, "a purged run")
    expect(
      try await journal.report(of: run.id, after: nil), equals: RunReport(), promise,
      "the report of a purged run")
    start.attributes = [:]
    _ = try await journal.start(start, at: time)
    expect(try await steps(of: run.id), equals: [], promise, "the steps of a new run")
    expect(
      try await journal.report(of: run.id, after: nil), equals: RunReport(), promise,
      "the report of a new run with the identifier of a purged one")
    var query = RunQuery()
    query.attributes = ["left": true]
    expect(
      try await journal.runs(query).runs, equals: [], promise,
      "the runs with the attributes of a purged one")
    let again = try await claimOne().record
    try await checkpoint(again, .receiving(json(1), signals: ["go"], until: nil))
    expect(
      try await claim().runs, equals: [], promise, "what gets the signals of a purged run")
    for id in ["first", "second"] {
      expect(
        try await signal(run.id, id), equals: .sent, promise,
        "the answer to a signal with the identifier of a purged one")
    }
  }
}
