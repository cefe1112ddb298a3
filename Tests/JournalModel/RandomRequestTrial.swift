package import FieldstoneDurable
package import Foundation

/// Random requests to journals, each answer of which is compared with a model's.
package struct RandomRequestTrial {
  /// How many requests a journal gets.
  private static let requests = 49

  /// How often each kind of request and answer has come.
  private var answers: [String: Int] = [:]

  private let isInDatabase: Bool

  /// - Parameter isInDatabase: whether the journals are in a database: these may answer some requests
  ///   in more than one way.
  package init(isInDatabase: Bool = false) {
    self.isInDatabase = isInDatabase
  }

  /// Makes the requests of a seed to an empty journal, and compares all that it holds at the end.
  ///
  /// - Parameter setClock: sets the clock of a journal that keeps a server's.
  /// - Returns: what is not as promised, in words; nil if all is.
  package mutating func failure(
    of journal: some Journal, seed: UInt64, setClock: (Date) -> Void = { _ in }
  ) async throws -> String? {
    var model = model(of: journal)
    var requests = RandomRequests(seed: seed)
    for number in 0..<Self.requests {
      requests.moveClocks()
      setClock(requests.time.date)
      let request = requests.next()
      let (answer, wanted) = try await answers(
        to: request, of: journal, &model, at: requests.time, by: requests.time(by: journal.clock))
      guard answer == wanted else {
        return "seed \(seed), request \(number), \(request): \(answer) where \(wanted) is promised"
      }
      requests.learn(answer, to: request)
      for kind in Self.kinds(of: request, answer) { answers[kind, default: 0] += 1 }
    }
    return try await difference(of: journal, from: model).map { "seed \(seed), at the end: \($0)" }
  }

  func model(of journal: some Journal) -> ModelJournal {
    var model = ModelJournal()
    model.clock = journal.clock
    model.isInDatabase = isInDatabase
    return model
  }

  /// What a journal answers to a request, and what its model does.
  func answers(
    to request: JournalRequest, of journal: some Journal, _ model: inout ModelJournal,
    at time: JournalTime, by kept: JournalTime
  ) async throws -> (JournalAnswer, JournalAnswer) {
    let answer = try await request.answer(of: journal, at: time)
    if case .claim(let runs, let nextDueAt, _, _) = answer, isInDatabase {
      model.answered = .init(runs: runs.map(\.record.id), nextDueAt: nextDueAt)
    }
    return (answer, request.answer(of: &model, at: kept))
  }

  /// What a journal holds that its model does not, and the other way round.
  mutating func difference(
    of journal: some Journal, from model: ModelJournal
  ) async throws -> String? {
    for run in model.runs {
      let record = try await journal.run(run.id)
      let steps = try await journal.steps(of: run.id, after: nil, limit: 1_000).steps
      guard record == model.record(run), steps == run.steps else {
        return "\(record as Any) and \(steps) for \(run)"
      }
    }
    let rows = try await journal.audit(AuditQuery(limit: 1_000)).records.reversed()
      .map { ModelChange(action: $0.action, subject: $0.subject) }
    guard rows == model.audit else { return "\(rows) where \(model.audit) is promised" }
    for row in rows {
      // The request has this name, too.
      answers[row.action == .signal ? "signal row" : row.action.rawValue, default: 0] += 1
    }
    var findings: [JournalFinding] = []
    try await journal.verify { findings.append($0) }
    guard findings.isEmpty else { return "\(findings)" }
    let all = RunQuery(limit: 1_000)
    return try await journal.runs(all) == model.page(all) ? nil : "other runs"
  }

  /// The kinds of requests and answers that chance has not reached often enough: a test says nothing
  /// of these.
  ///
  /// - Parameters:
  ///   - usual: how often a kind must have come.
  ///   - seldom: how often one that several claims and crashes must precede; nil for no matter.
  package func missing(usual: Int, seldom: Int?) -> [String] {
    Self.usual.filter { answers[$0, default: 0] <= usual }
      + (seldom.map { count in Self.seldom.filter { answers[$0, default: 0] <= count } } ?? [])
  }

  private static let usual = [
    "start", "starts", "claim", "checkpoint", "renew", "park", "signal", "change", "purge",
    "runs", "steps", "counts",
    "claimLost", "notAllowed", "pause", "resume", "newerProtocol", "limits", "taken",
    "signalled", "alone", "left", "fork", "edit", "hasGoneOn", "signal row",
  ]

  private static let seldom = [
    "group", "lone crash", "gave back", "joined", "time out", "child", "children", "childTaken",
    "stopped", "waits", "groups", "set", "unset", "due", "runNow", "remove", "purge run",
  ]

  /// What became of a request, in a word, and of a claim in several.
  private static func kinds(of request: JournalRequest, _ answer: JournalAnswer) -> [String] {
    guard case .claim(let runs, _, let quarantined, let schedules) = answer else {
      return [kind(of: request, answer)]
    }
    let holds: [(String, Bool)] = [
      ("left", quarantined != .none), ("alone", runs.contains(where: \.isAlone)),
      ("group", runs.count { $0.isCrashSuspected } > 1),
      ("lone crash", runs.contains { $0.record.loneCrashes > 0 }),
      ("signalled", runs.contains { $0.signal != nil }),
      ("taken", runs.contains { $0.record.crashes > 0 }),
      ("child", runs.contains { $0.record.parent != nil }),
      ("joined", runs.contains { $0.record.join?.open == 0 && $0.record.sequence > 1 }),
      ("due", schedules?.due.isEmpty == false),
      ("time out", runs.contains { ($0.record.join?.open ?? 0) > 0 }),
    ]
    let words = holds.filter(\.1).map(\.0)
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
