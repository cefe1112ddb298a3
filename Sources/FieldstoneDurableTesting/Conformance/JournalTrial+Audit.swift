import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var audits: [Self] {
    [
      Self(.audit) { try await $0.auditsChanges() },
      Self(.audit) { try await $0.auditsPausesAndLimits() },
      Self(.audit) { try await $0.auditsSchedules() },
      Self(.audit) { try await $0.auditsSignals() },
      Self(.audit) { try await $0.auditsNoRefusals() },
      Self(.audit) { try await $0.cutsLongStages() },
      Self(.audit) { try await $0.purgesAudit() },
      Self(.auditPages) { try await $0.pagesAudit() },
      Self(.fork) { try await $0.keepsOrigins() },
      Self(.fork) { try await $0.auditsForks() },
      Self(.purgeOfRun) { try await $0.purgesRuns() },
    ]
  }
}

extension JournalExamination {
  private func audit(_ query: AuditQuery = AuditQuery()) async throws -> [AuditRecord] {
    try await journal.audit(query).records
  }

  /// The part of a run's audit row that is the same in all journals.
  private struct RunState: Decodable {
    var state: String
    var sequence: Int
  }

  private func state(_ json: Data?) -> String? {
    json.flatMap { try? JSONDecoder().decode(RunState.self, from: $0) }
      .map { "\($0.state) at \($0.sequence)" }
  }

  /// Expects one new row at the front, with these members.
  private func expectRow(
    _ action: AuditAction, _ subject: AuditSubject, by actor: String?, after count: Int,
    _ promise: JournalConformanceError.Promise, _ what: String
  ) async throws -> AuditRecord? {
    guard keepsAudit else { return nil }
    let rows = try await audit(AuditQuery(limit: 1_000))
    expect(rows.count, equals: count + 1, promise, "the count of rows after \(what)")
    guard let row = rows.first else { return nil }
    expect(row.action, equals: action, promise, "the action of \(what)")
    expect(row.subject, equals: subject, promise, "the subject of \(what)")
    expect(row.actor, equals: actor, promise, "the actor of \(what)")
    expect(row.date, equals: time.date, promise, "the date of \(what)")
    return row
  }

  func auditsChanges() async throws {
    expect(try await audit(), equals: [], .audit, "the rows of a new journal")
    let run = try await startAndClaim()
    try await park(run, .dead(error: "no"))
    expect(try await audit(), equals: [], .audit, "the rows of a run that nobody has changed")
    let changes: [(RunChange, AuditAction, String?, String, String)] = [
      (.retry, .retry, "ada", "dead at 0", "ready at 0"),
      (.edit(json(5), version: nil), .edit, "grâce", "ready at 0", "ready at 1"),
      (.cancel, .cancel, nil, "ready at 1", "cancelled at 1"),
    ]
    for (count, (change, action, actor, before, after)) in changes.enumerated() {
      move(by: 1)
      try await journal.change(run.id, change, by: actor, at: time)
      let row = try await expectRow(
        action, .run(run.id), by: actor, after: count, .audit, "a \(action.rawValue)")
      expect(state(row?.before), equals: before, .audit, "the state before a \(action.rawValue)")
      expect(state(row?.after), equals: after, .audit, "the state after a \(action.rawValue)")
    }
    let stage = String(decoding: json(5), as: UTF8.self)
    let edit = try await audit().first { $0.action == .edit }
    expect(
      edit?.after.map { String(decoding: $0, as: UTF8.self).contains(stage) }, equals: true,
      .audit, "whether the row of an edit holds the stage")
    if let other {
      let rows = try await journal.audit(AuditQuery())
      expect(
        try await other.audit(AuditQuery()), equals: rows, .audit, "the rows of the other one")
    }
  }

  func auditsPausesAndLimits() async throws {
    let id = try await start().id
    let targets: [PauseTarget] = [
      .flow("flow"), .concurrencyKey("Key\u{301}", flow: "flow"), .run(id),
    ]
    var count = 0
    for target in targets {
      move(by: 1)
      try await journal.pause(target, until: time.date + 60, by: "ada", at: time)
      let paused = try await expectRow(
        .pause, AuditSubject(target), by: "ada", after: count, .audit, "a pause of \(target)")
      expect(paused?.before, equals: nil, .audit, "the row of a pause of \(target) before it")
      expect(paused?.after != nil, equals: true, .audit, "whether a pause is in its row")
      try await journal.resume(target, by: nil, at: time)
      let resumed = try await expectRow(
        .resume, AuditSubject(target), by: nil, after: count + 1, .audit,
        "the end of a pause of \(target)")
      expect(resumed?.before, equals: paused?.after, .audit, "the pause that was ended")
      try await journal.resume(target, by: "ada", at: time)
      count += 2
    }
    try await journal.pause(.flow("flow"), until: time.date + 60, at: time)
    move(by: 61)
    _ = try await claim()
    count += 1
    let limits = FlowLimits(runs: 2)
    try await journal.setLimits(limits, of: "flow", replacing: false, at: time)
    expect(
      try await audit().count, equals: count, .audit,
      "the rows after a pause that ended by itself and limits that a runner has declared")
    try await journal.setLimits(nil, of: "flow", replacing: true, by: "ada", at: time)
    let row = try await expectRow(
      .limit, .flow("flow"), by: "ada", after: count, .audit, "limits that are taken away")
    let before = row?.before.flatMap { try? JSONDecoder().decode(FlowLimits.self, from: $0) }
    expect(before, equals: limits, .audit, "the limits before")
    expect(row?.after, equals: nil, .audit, "the limits after they are taken away")
  }

  func auditsSchedules() async throws {
    let first = ScheduleRecord(name: "nightly", definition: json(1), progress: json(0))
    var second = first
    second.progress = json(1)
    let start = RunStart(id: newID(), flow: "flow", version: 1, payload: json(0))
    _ = try await journal.setSchedule("nightly", from: nil, to: first, starting: [], at: time)
    expect(try await audit(), equals: [], .audit, "the rows of a runner's own tick")
    _ = try await journal.setSchedule(
      "nightly", from: first, to: second, starting: [start], by: "ada", at: time)
    let row = try await expectRow(
      .runNow, .schedule("nightly"), by: "ada", after: 0, .audit, "a run of a schedule")
    expect(
      row.map { $0.before != nil && $0.after != nil && $0.before != $0.after }, equals: true,
      .audit, "whether a schedule is in its row before and after")
    _ = try await journal.setSchedule(
      "nightly", from: first, to: nil, starting: [], by: "ada", at: time)
    expect(try await audit().count, equals: 1, .audit, "the rows after a change that came too late")
    _ = try await journal.setSchedule(
      "nightly", from: second, to: nil, starting: [], by: "bob", at: time)
    _ = try await expectRow(.remove, .schedule("nightly"), by: "bob", after: 1, .audit, "a removal")
  }

  func auditsSignals() async throws {
    let run = try await startAndClaim()
    try await signal(run.id, "own", named: "other")
    expect(try await audit(), equals: [], .audit, "the rows of a signal of an app's own code")
    move(by: 1)
    var sent = SignalRecord(
      id: "a \"signal\"", name: "gö", payload: json(987_654_321), sentAt: time.date,
      actor: "grâce")
    try await journal.signal(run.id, sent, at: time)
    let row = try await expectRow(
      .signal, .run(run.id), by: "grâce", after: 0, .audit, "a signal")
    expect(row?.before, equals: nil, .audit, "the row of a signal before it")
    struct Row: Decodable, Equatable {
      var id: String
      var name: String
    }
    expect(
      row?.after.flatMap { try? JSONDecoder().decode(Row.self, from: $0) },
      equals: Row(id: sent.id, name: sent.name), .audit, "the identifier and name in a signal's row"
    )
    let text = row?.after.map { String(decoding: $0, as: UTF8.self) } ?? ""
    expect(
      text.contains("987654321"), equals: false, .audit,
      "whether the row of a signal holds its payload")
    for actor in ["grâce", "bob", nil] {
      sent.actor = actor
      try await journal.signal(run.id, sent, at: time)
    }
    expect(try await audit().count, equals: 1, .audit, "the rows after a repeated signal")
    try await checkpoint(run, .receiving(json(1), signals: ["gö"], until: nil))
    let claimed = try await claimOne()
    sent.actor = nil
    expect(claimed.signal, equals: sent, .audit, "the signal that a run gets, without its actor")
    let next = SignalRecord(
      id: "next", name: "gö", payload: json(8), sentAt: time.date, actor: "eve")
    var last = Checkpoint(
      claim: claimed.record.claim, version: 1, next: .stage(json(2)), consumedSignals: [sent.id],
      beganAt: time.date, lease: .seconds(60), signals: [Checkpoint.Signal(to: run.id, next)])
    last.claim.fence -= 1
    try await expectRefusal(.audit, .claimLost, of: run.id, "a checkpoint without the claim") {
      try await journal.checkpoint(last, at: time)
    }
    expect(
      try await audit().count, equals: 1, .audit, "the rows after a signal that was taken back")
    last.claim.fence += 1
    try await journal.checkpoint(last, at: time)
    _ = try await expectRow(
      .signal, .run(run.id), by: "eve", after: 1, .audit, "a signal of a checkpoint")
  }

  func auditsNoRefusals() async throws {
    let run = try await startAndClaim()
    try await expectRefusal(.audit, .notAllowed, of: run.id, "a retry of what runs") {
      try await journal.change(run.id, .retry, by: "ada", at: time)
    }
    let signal = SignalRecord(
      id: "1", name: "go", payload: json(7), sentAt: time.date, actor: "ada")
    try await expectRefusal(.audit, .noRun, "a signal to no run") {
      try await journal.signal(self.newID(), signal, at: self.time)
    }
    let actors =
      [("x\0y", Refusal.containsNUL, "with a NUL")]
      + (keyAboveLimit.map { [($0, .keyTooLong, "above the limit")] } ?? [])
    for (actor, refusal, what) in actors {
      try await expectRefusal(.audit, refusal, of: run.id, "an actor \(what)") {
        try await journal.change(run.id, .cancel, by: actor, at: time)
      }
      var sent = signal
      sent.actor = actor
      try await expectRefusal(.audit, refusal, of: run.id, "a sender \(what)") {
        try await journal.signal(run.id, sent, at: time)
      }
    }
    try await expectRefusal(.audit, .noRun, "a pause of no run") {
      try await journal.pause(.run(self.newID()), until: nil, by: "ada", at: self.time)
    }
    try await expectRefusal(.audit, .notAllowed, of: run.id, "a purge of what runs") {
      try await journal.purge(run.id, by: "ada", at: time)
    }
    expect(try await audit(), equals: [], .audit, "the rows of refusals")
  }

  func cutsLongStages() async throws {
    let id = try await start().id
    let text = String(repeating: "ä", count: 5_000)
    let stage = Data("{\"text\":\"\(text)\"}".utf8)
    guard stage.count <= payloadLimit else { return }
    try await journal.change(id, .edit(stage, version: nil), by: "ada", at: time)
    let after = try await audit().first?.after ?? Data()
    struct Row: Decodable {
      struct Cut: Decodable { var bytes: Int }
      var stage: Cut
    }
    let cut = try? JSONDecoder().decode(Row.self, from: after).stage.bytes
    // A codec may have made it longer.
    expect(
      cut.map { $0 >= stage.count }, equals: true, .audit, "the size of a long stage in its row")
    expect(after.count < 6_000, equals: true, .audit, "whether the row of a long stage is short")
  }

  func purgesAudit() async throws {
    let id = try await start().id
    for _ in 0..<3 { try await journal.change(id, .retry, by: "old", at: time) }
    move(by: 100)
    try await journal.change(id, .retry, by: "new", at: time)
    let kept = JournalRetention(audit: .seconds(200))
    try await journal.purge(kept, at: time)
    expect(try await audit().count, equals: 4, .audit, "the rows after a purge of older ones")
    try await journal.purge(JournalRetention(audit: .seconds(60)), at: time)
    expect(
      try await audit().map(\.actor), equals: ["new"], .audit,
      "the actors after a purge of old ones")
    try await journal.change(id, .retry, by: "last", at: time)
    let rows = try await audit()
    expect(
      rows.count == 2 && rows[0].number > rows[1].number, equals: true, .audit,
      "whether numbers go on after a purge")
  }

  func pagesAudit() async throws {
    let ids = [try await start().id, try await start().id]
    for number in 0..<11 {
      move(by: 1)
      try await journal.change(ids[number % 2], .retry, by: "\(number)", at: time)
    }
    let all = (0..<11).reversed().map { "\($0)" }
    for (subject, wanted) in [
      (nil, all), (AuditSubject.run(ids[0]), all.filter { (Int($0) ?? 0) % 2 == 0 }),
      (.run(newID()), []), (.flow("flow"), []),
    ] {
      for limit in [1, 4, 11, 50] {
        var found: [AuditRecord] = []
        var before: Int?
        repeat {
          let page = try await journal.audit(
            AuditQuery(subject: subject, before: before, limit: limit))
          expect(
            page.records.count <= limit, equals: true, .auditPages, "whether a page keeps its limit"
          )
          found += page.records
          guard page.next != before, found.count <= 20 else { break }
          before = page.next
        } while before != nil
        let what = "the rows of \(subject.map { "\($0)" } ?? "all") in pages of \(limit)"
        expect(found.compactMap(\.actor), equals: wanted, .auditPages, what)
        let numbers = found.map(\.number)
        expect(
          zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, equals: true, .auditPages,
          "whether the numbers fall in \(what)")
      }
    }
    expect(
      try await journal.audit(AuditQuery(limit: 0)).records.count, equals: 1, .auditPages,
      "the rows of a page of none")
  }

  private func fork(of id: RunID, key: String? = nil) -> RunStart {
    var start = RunStart(id: newID(), flow: "flow", version: 1, key: key, payload: json(3))
    start.origin = RunOrigin(run: id, sequence: 2)
    start.actor = "ada"
    return start
  }

  func keepsOrigins() async throws {
    let old = try await start()
    expect(try await run(old.id).origin, equals: nil, .fork, "the origin of what is no fork")
    let start = fork(of: old.id)
    let answer = try await journal.start(start, at: time)
    expect(answer.origin, equals: start.origin, .fork, "the origin in the answer")
    expect(try await run(start.id), equals: answer, .fork, "the fork")
    let many = [fork(of: old.id), fork(of: old.id)]
    _ = await journal.start(many, at: time)
    for start in many {
      expect(
        try await run(start.id).origin, equals: start.origin, .fork, "the origin of one of many")
    }
    try await journal.change(old.id, .cancel, at: time)
    let claimed = try await claim()
    expect(
      claimed.runs.map(\.record.origin), equals: Array(repeating: start.origin, count: 3), .fork,
      "the origins that a claim gives")
    if let run = claimed.runs.first?.record {
      try await checkpoint(run, .waiting(json(4), until: time.date + 60))
      expect(try await self.run(run.id).origin, equals: start.origin, .fork, "the origin later")
    }
  }

  func auditsForks() async throws {
    guard keepsAudit else { return }
    let old = try await start(key: "key")
    let start = fork(of: old.id)
    _ = try await journal.start(start, at: time)
    let row = try await expectRow(.fork, .run(start.id), by: "ada", after: 0, .fork, "a fork")
    let text = row?.before.map { String(decoding: $0, as: UTF8.self) } ?? ""
    expect(text.contains("\(old.id)"), equals: true, .fork, "whether the row names the old run")
    _ = try await journal.start(start, at: time)
    _ = try await journal.start(fork(of: old.id, key: "key"), at: time)
    expect(
      try await audit().count, equals: 1, .fork, "the rows after a repeated fork and a taken key")
    let second = fork(of: old.id)
    _ = await journal.start([second, start], at: time)
    _ = try await expectRow(.fork, .run(second.id), by: "ada", after: 1, .fork, "one of many forks")
  }

  func purgesRuns() async throws {
    for (count, (state, id)) in try await runsInEachState(key: "key").enumerated() {
      guard state.isOver else {
        try await expectRefusal(.purgeOfRun, .notAllowed, of: id, "a purge of a \(state) run") {
          try await journal.purge(id, by: "ada", at: time)
        }
        continue
      }
      let before = try await audit(AuditQuery(limit: 1_000)).count
      move(by: 1)
      try await journal.purge(id, by: "ada", at: time)
      expect(try await journal.run(id), equals: nil, .purgeOfRun, "what was \(state)")
      expect(try await steps(of: id), equals: [], .purgeOfRun, "the steps of what was \(state)")
      _ = try await expectRow(
        .purge, .run(id), by: "ada", after: before, .purgeOfRun, "purge \(count)")
      let again = try await start("flow of \(state)", key: "key")
      expect(again.sequence, equals: 0, .purgeOfRun, "a new run with the key of what was \(state)")
      expect(again.id != id, equals: true, .purgeOfRun, "whether the key of a purged run is free")
      try await expectRefusal(.purgeOfRun, .noRun, of: id, "a second purge") {
        try await journal.purge(id, by: "ada", at: time)
      }
    }
    let verified = try await findings()
    expect(verified, equals: [], .purgeOfRun, "what is wrong after purges")
  }

  private func findings() async throws -> [String] {
    var findings: [String] = []
    try await journal.verify { findings.append($0.description) }
    return findings
  }
}
