import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The journal in memory against a model of what is promised", .timeLimit(.minutes(30)))
struct JournalPropertyTests {
  @Test("Random requests with stale claims and clocks that are set")
  func sequences() async throws {
    var answers: [String: Int] = [:]
    for seed in 0..<UInt64(Rounds.of(20_000)) {
      let journal = InMemoryJournal()
      var model = ModelJournal()
      var requests = RandomRequests(seed: seed)
      for number in 0..<49 {
        requests.moveClocks()
        let request = requests.next()
        let answer = try await request.answer(of: journal, at: requests.time)
        let wanted = request.answer(of: &model, at: requests.time)
        guard answer == wanted else {
          Issue.record(
            "seed \(seed), request \(number), \(request): \(answer) where \(wanted) is promised")
          return
        }
        requests.learn(answer, to: request)
        for kind in Self.kinds(of: request, answer) { answers[kind, default: 0] += 1 }
      }
      for run in model.runs {
        let record = try await journal.run(run.id)
        let steps = try await journal.steps(of: run.id, after: nil, limit: 1_000).steps
        guard record == model.record(run), steps == run.steps else {
          Issue.record("seed \(seed), at the end: \(record as Any) and \(steps) for \(run)")
          return
        }
      }
      let rows = try await journal.audit(AuditQuery(limit: 1_000)).records.reversed()
        .map { ModelChange(action: $0.action, subject: $0.subject) }
      guard rows == model.audit else {
        Issue.record("seed \(seed), at the end: \(rows) where \(model.audit) is promised")
        return
      }
      for row in rows { answers[row.action.rawValue, default: 0] += 1 }
      var findings: [JournalFinding] = []
      try await journal.verify { findings.append($0) }
      guard findings.isEmpty else {
        Issue.record("seed \(seed), at the end: \(findings)")
        return
      }
      guard try await journal.runs(RunQuery(limit: 1_000)) == model.page(RunQuery(limit: 1_000))
      else {
        Issue.record("seed \(seed), at the end: other runs")
        return
      }
    }
    // Chance must reach everything, or the test says nothing.
    for kind in [
      "start", "starts", "claim", "checkpoint", "renew", "park", "signal", "change", "purge",
      "runs", "steps", "counts",
      "claimLost", "notAllowed", "pause", "resume", "newerProtocol", "limits", "taken",
      "signalled", "alone", "left", "fork", "edit", "hasGoneOn",
    ] {
      #expect(answers[kind, default: 0] > Rounds.of(400), "\(kind)")
    }
    // Several claims and crashes must come one after another for these.
    for kind in [
      "group", "lone crash", "gave back", "joined", "time out", "child", "children", "childTaken",
      "stopped", "waits", "groups", "set", "unset", "due", "runNow", "remove", "purge run",
    ] {
      #expect(answers[kind, default: 0] > Rounds.of(50), "\(kind)")
    }
  }

  /// What became of a request, in a word, and of a claim in several.
  private static func kinds(of request: JournalRequest, _ answer: JournalAnswer) -> [String] {
    guard case .claim(let runs, _, let quarantined, let schedules) = answer else {
      return [kind(of: request, answer)]
    }
    let words = [
      ("left", quarantined != .none), ("alone", runs.contains(where: \.isAlone)),
      ("group", runs.count { $0.isCrashSuspected } > 1),
      ("lone crash", runs.contains { $0.record.loneCrashes > 0 }),
      ("signalled", runs.contains { $0.signal != nil }),
      ("taken", runs.contains { $0.record.crashes > 0 }),
      ("child", runs.contains { $0.record.parent != nil }),
      ("joined", runs.contains { $0.record.join?.open == 0 && $0.record.sequence > 1 }),
      ("due", schedules?.due.isEmpty == false),
      ("time out", runs.contains { ($0.record.join?.open ?? 0) > 0 }),
    ].filter(\.1).map(\.0)
    return words.isEmpty ? [kind(of: request, answer)] : words
  }

  private static func kind(of request: JournalRequest, _ answer: JournalAnswer) -> String {
    switch (request, answer) {
    case (_, .refused(.claimLost)): "claimLost"
    case (_, .refused(.notAllowed)): "notAllowed"
    case (_, .refused(.newerProtocol)): "newerProtocol"
    case (_, .refused(.childTaken)): "childTaken"
    case (_, .refused(.hasGoneOn)): "hasGoneOn"
    case (.children, _): "children"
    case (_, .refused(let error)): "\(error)"
    case (.start, _): "start"
    case (.starts, _): "starts"
    case (.claim, _): "claim"
    case (.checkpoint, .checkpoint(.paused)): "gave back"
    case (.checkpoint, _): "checkpoint"
    case (.pause, _): "pause"
    case (.limits, _), (.flowLimits, _): "limits"
    case (.resume, _), (.pauses, _): "resume"
    case (.renew, _): "renew"
    case (.park, _): "park"
    case (.signal, _): "signal"
    case (.change, _): "change"
    case (.runs, .runs(let page)) where page.nextPlace?.stoppedAt != nil: "stopped"
    case (.runs(let query), .runs(let page)) where query.waiting != nil && page.runs != []: "waits"
    case (.runs, _): "runs"
    case (.count, _): "counts"
    case (.errorGroups, .errorGroups(let groups)) where !groups.isEmpty: "groups"
    case (.errorGroups, _): "errors"
    case (.steps, _): "steps"
    case (.purge, _): "purge"
    case (.purgeRun, _): "purge run"
    case (.setSchedule, .isSet(true)): "set"
    case (.setSchedule, _): "unset"
    case (.schedules, _): "schedules"
    }
  }
}
