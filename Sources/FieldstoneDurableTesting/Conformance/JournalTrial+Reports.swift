import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var reports: [Self] {
    [
      Self(.reports) { try await $0.keepsReports() },
      Self(.reports) { try await $0.dropsReportsOfLostClaims() },
      Self(.reports) { try await $0.keepsReportsOfRunsGivenBack() },
      Self(.reports) { try await $0.keepsLinesOfParkings() },
      Self(.reports) { try await $0.tellsReportsAsChanges() },
      Self(.reports) { try await $0.purgesReports() },
      Self(.logLines) { try await $0.keepsTheNewestLines() },
      Self(.workers) { try await $0.keepsWorkers() },
      Self(.workers) { try await $0.dropsSilentWorkers() },
    ]
  }
}

extension JournalExamination {
  private func progress(
    _ fraction: Double, _ text: String? = nil, sequence: Int = 0
  ) -> RunProgress {
    RunProgress(fraction, text: text, sequence: sequence, reportedAt: time.date - 1)
  }

  private func line(_ number: Int, fence: Int = 1, _ text: String? = nil) -> RunLogLine {
    RunLogLine(
      place: .init(fence: fence, number: number), text: text ?? "line \(number)", sequence: 3,
      loggedAt: time.date - 0.5)
  }

  private func write(
    _ progress: RunProgress? = nil, _ lines: [RunLogLine] = [], of record: RunRecord
  ) async throws {
    try await journal.write(
      [RunReportWrite(run: record.id, fence: record.fence, progress: progress, lines: lines)],
      at: time)
  }

  func keepsReports() async throws {
    let run = try await startAndClaim()
    let quiet = try await startAndClaim()
    let nobody = newID()
    for id in [run.id, nobody] {
      expect(
        try await journal.report(of: id, after: nil), equals: RunReport(), .reports,
        "what a run has reported at first")
    }
    let whole = try await self.run(run.id)
    let half = progress(0.25, "a quarter: \u{e9}, “\u{1F9ED}”", sequence: 2)
    let first = [line(1), line(3, "")]
    try await journal.write(
      [
        RunReportWrite(run: run.id, fence: run.fence, progress: half, lines: first),
        RunReportWrite(run: nobody, fence: 1, progress: half, lines: first),
      ], at: time)
    for journal in [journal, other ?? journal] {
      expect(
        try await journal.report(of: run.id, after: nil),
        equals: RunReport(progress: half, lines: first), .reports, "what a run has reported")
    }
    expect(try await self.run(run.id), equals: whole, .reports, "the run after a report")
    expect(
      try await journal.report(of: nobody, after: nil), equals: RunReport(), .reports,
      "the report of no run")
    expect(
      try await journal.report(of: quiet.id, after: nil), equals: RunReport(), .reports,
      "the report of another run")
    // An answer was lost: the writer repeats, with later lines.
    try await write(nil, first + [line(4)], of: run)
    expect(
      try await journal.report(of: run.id, after: nil),
      equals: RunReport(progress: half, lines: first + [line(4)]), .reports,
      "what was written again, with a line more and no progress")
    let bare = progress(1)
    try await write(bare, of: run)
    let report = try await journal.report(of: run.id, after: nil)
    expect(report.progress, equals: bare, .reports, "a later progress without a text")
    expect(report.lines, equals: first + [line(4)], .reports, "the lines after a progress alone")
    if let long = payloadAboveLimit {
      let text = String(decoding: long, as: UTF8.self)
      try await expectRefusal(.reports, .tooLarge, of: run.id, "a text above the limit") {
        try await self.write(nil, [self.line(5, text)], of: run)
      }
    }
    try await journal.write([], at: time)
  }

  func dropsReportsOfLostClaims() async throws {
    let old = try await startAndClaim(lease: .seconds(1))
    try await write(progress(0.25), [line(1)], of: old)
    move(by: 2)
    let new = try await claimOne().record
    try await write(progress(0.75), [line(2)], of: old)
    let kept = try await journal.report(of: old.id, after: nil)
    expect(kept.progress?.fraction, equals: 0.25, .reports, "the progress of a lost claim")
    expect(kept.lines.count, equals: 1, .reports, "the lines of a lost claim")
    try await write(progress(0.5), [line(1, fence: new.fence)], of: new)
    try await write(progress(0.75), [line(2)], of: old)
    var report = try await journal.report(of: old.id, after: nil)
    expect(report.progress?.fraction, equals: 0.5, .reports, "the progress of the claim after it")
    expect(
      report.lines.map(\.place),
      equals: [.init(fence: old.fence, number: 1), .init(fence: new.fence, number: 1)], .reports,
      "the lines of two claims")
    // Lines of the runner say that a worker was refused.
    var refusal = line(3)
    refusal.isOfRunner = true
    try await write(progress(0.75), [line(2), refusal], of: old)
    report = try await journal.report(of: old.id, after: nil)
    expect(report.progress?.fraction, equals: 0.5, .reports, "the progress with a refusal")
    expect(
      report.lines.map(\.place),
      equals: [
        .init(fence: old.fence, number: 1), .init(fence: old.fence, number: 3),
        .init(fence: new.fence, number: 1),
      ], .reports, "the lines with a refusal")
    // The last reports arrive after the last checkpoint.
    try await checkpoint(new, .completion(json(1)))
    try await write(progress(1), [line(2, fence: new.fence)], of: new)
    report = try await journal.report(of: old.id, after: nil)
    expect(report.progress?.fraction, equals: 1, .reports, "a report after the completion")
    expect(report.lines.count, equals: 4, .reports, "the lines after the completion")
    expect(
      try await run(new.id).state, equals: .completed, .reports, "the run after its last report")
  }

  func keepsReportsOfRunsGivenBack() async throws {
    guard keepsLateReports else { return }
    let old = try await startAndClaim()
    try await journal.park(
      Parking(
        claim: RunClaim(id: old.id, sequence: old.sequence, fence: old.fence), reason: .shutdown),
      at: time)
    let new = try await claimOne().record
    var late = RunReportWrite(
      run: old.id, fence: old.fence, progress: progress(0.25), lines: [line(1)])
    late.isGivenBack = true
    try await journal.write([late], at: time)
    var report = try await journal.report(of: old.id, after: nil)
    expect(
      report.progress?.fraction, equals: 0.25, .reports, "the late progress of a run given back")
    expect(report.lines, equals: [line(1)], .reports, "the late lines of a run given back")
    try await write(progress(0.5), [line(1, fence: new.fence)], of: new)
    late.progress = progress(0.75)
    late.lines = [line(1), line(2)]
    try await journal.write([late], at: time)
    report = try await journal.report(of: old.id, after: nil)
    expect(
      report.progress?.fraction, equals: 0.5, .reports, "the progress of the claim after a return")
    expect(
      report.lines, equals: [line(1), line(2), line(1, fence: new.fence)], .reports,
      "the lines before and after a return")
  }

  func keepsLinesOfParkings() async throws {
    for (flow, reason) in [
      ("retried", Parking.Reason.retry(at: time.date + 60, error: "no")),
      ("blocked", .blocked(error: "no")), ("dead", .dead(error: "no")),
    ] {
      let old = try await startAndClaim(flow, lease: .seconds(1))
      move(by: 2)
      let new = try await claimOne(flow).record
      try await write(nil, [line(1, fence: new.fence)], of: new)
      var last = line(2, fence: new.fence, "it failed")
      last.isOfRunner = true
      try await expectRefusal(.reports, .claimLost, of: old.id, "a parking of a lost claim") {
        try await self.journal.park(
          Parking(
            claim: RunClaim(id: old.id, sequence: old.sequence, fence: old.fence), reason: reason,
            line: self.line(1)), at: self.time)
      }
      try await journal.park(
        Parking(
          claim: RunClaim(id: new.id, sequence: new.sequence, fence: new.fence), reason: reason,
          line: last), at: time)
      expect(
        try await journal.report(of: new.id, after: nil).lines,
        equals: [line(1, fence: new.fence), last], .reports, "the lines of a run that is \(flow)")
    }
  }

  func tellsReportsAsChanges() async throws {
    let run = try await startAndClaim()
    let (first, second) = (progress(0.25), [line(1)])
    for (progress, lines) in [(first, []), (nil, second)] {
      guard let mark = try await journal.changes(since: nil).mark else { return }
      try await write(progress, lines, of: run)
      let changes = try await journal.changes(since: mark)
      expect(
        changes.runs?[run.id] == .running || changes.runs == nil, .reports,
        "a report is not among the changes: \(changes).")
    }
  }

  func purgesReports() async throws {
    let gone = try await startAndClaim()
    let kept = try await startAndClaim("other")
    for run in [gone, kept] { try await write(progress(0.5), [line(1), line(2)], of: run) }
    try await checkpoint(gone, .completion(json(1)))
    move(by: 100)
    let count = try await journal.purge(JournalRetention(runs: .seconds(10)), at: time)
    expect(count, equals: 1, .reports, "the purged runs")
    expect(
      try await journal.report(of: gone.id, after: nil), equals: RunReport(), .reports,
      "the report of a purged run")
    expect(
      try await journal.report(of: kept.id, after: nil).lines.count, equals: 2, .reports,
      "the lines of a run that stays")
  }

  func keepsTheNewestLines() async throws {
    let kept = min(max(journal.limits.logLines, 1), 1_000)
    let run = try await startAndClaim()
    let lines = (1...kept + 3).map { line($0) }
    try await write(nil, Array(lines.prefix(2)), of: run)
    try await write(nil, Array(lines.dropFirst(2)), of: run)
    let newest = Array(lines.suffix(kept))
    expect(
      try await journal.report(of: run.id, after: nil).lines, equals: newest, .logLines,
      "the lines that are kept of three more")
    for index in [0, kept / 2, kept - 1] {
      expect(
        try await journal.report(of: run.id, after: newest[index].place).lines,
        equals: Array(newest.dropFirst(index + 1)), .logLines, "the lines after a place")
    }
    move(by: 100)
    let next = try await claimOne().record
    try await write(nil, [line(1, fence: next.fence)], of: next)
    expect(
      try await journal.report(of: run.id, after: newest[0].place).lines,
      equals: newest.dropFirst() + [line(1, fence: next.fence)], .logLines,
      "the lines after one of the claim after")
  }

  private func worker(_ name: String, runs: [RunID] = []) -> WorkerRecord {
    WorkerRecord(
      name: name, machine: "machine", process: 7, protocolVersion: 2,
      flows: [.init(name: "flow", version: 3)], startedAt: time.date - 60, lastSeenAt: time.date,
      interval: .seconds(30), runCount: runs.count, runs: runs)
  }

  private func announce(_ record: WorkerRecord) async throws {
    var announced = record
    // The worker's own value is ignored.
    announced.lastSeenAt = .distantPast
    try await journal.setWorker(record.name, to: announced, at: time)
  }

  func keepsWorkers() async throws {
    expect(try await journal.workers(), equals: [], .workers, "the workers of a new journal")
    let names = ["b", "B\u{301}", "10"]
    for name in names { try await announce(worker(name)) }
    let all = ["10", "B\u{301}", "b"].map { worker($0) }
    for journal in [journal, other ?? journal] {
      expect(try await journal.workers(), equals: all, .workers, "the workers")
    }
    move(by: 10)
    var again = worker("b", runs: [newID(), newID()])
    again.startedAt = time.date - 5
    try await announce(again)
    expect(
      try await journal.workers(), equals: all.dropLast() + [again], .workers,
      "the workers after a second announcement")
    try await expectRefusal(.workers, .containsNUL, "a worker with a NUL in its name") {
      try await announce(worker("b\0"))
    }
    for name in ["10", "nobody"] { try await journal.setWorker(name, to: nil, at: time) }
    expect(
      try await journal.workers(), equals: [all[1], again], .workers, "the workers after an end")
  }

  func dropsSilentWorkers() async throws {
    try await announce(worker("silent"))
    move(by: 3_600)
    try await announce(worker("alive"))
    move(by: 86_400 - 3_600 - 1)
    try await announce(worker("alive"))
    expect(
      try await journal.workers().map(\.name), equals: ["alive", "silent"], .workers,
      "the workers within a day")
    move(by: 2)
    try await announce(worker("alive"))
    expect(
      try await journal.workers().map(\.name), equals: ["alive"], .workers,
      "the workers after a day")
    move(by: 86_401)
    try await journal.purge(JournalRetention(), at: time)
    expect(
      try await journal.workers().map(\.name), equals: [], .workers,
      "the workers after a purge a day later")
  }
}
