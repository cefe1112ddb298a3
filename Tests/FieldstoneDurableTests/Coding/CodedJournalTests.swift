import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

@Suite("A journal with a codec", .timeLimit(.minutes(20)))
struct CodedJournalTests {
  private let memory = InMemoryJournal()
  private let now = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(1), boot: "boot")
  private var journal: CodedJournal<InMemoryJournal> { CodedJournal(xor: memory) }

  private func json(_ text: String) -> Data { Data("\"\(text)\"".utf8) }

  private func start(
    _ text: String, key: String? = nil, ifTaken: TakenKeyPolicy = .existing
  ) -> RunStart {
    RunStart(
      id: RunID(at: now.date), flow: "flow", version: 1, key: key, payload: json(text),
      ifTaken: ifTaken)
  }

  private func claimOne() async throws -> ClaimedRun {
    let request = ClaimRequest(
      worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
    return try #require(try await journal.claim(request, at: now).runs.first)
  }

  @Test("It keeps what every journal promises", arguments: [false, true])
  func conforms(acceptsPlain: Bool) async throws {
    var suite = JournalConformance {
      CodedJournal(xor: InMemoryJournal(), acceptsPlain: acceptsPlain)
    }
    suite.payloadLimit = journal.limits.error
    try await suite.check()
  }

  @Test("Limits as large as can be leave room for payloads")
  func largeLimits() async throws {
    for key in [0, 1_024, 600_000, .max] {
      var limits = PayloadLimits()
      limits.key = key
      let journal = CodedJournal(xor: InMemoryJournal(limits: limits))
      #expect(journal.limits.error >= 0 && journal.limits.error < limits.error)
    }
  }

  @Test("The journal behind it has no plain payload, and gives back what was written")
  func hidden() async throws {
    let run = try await journal.start(start("secret", key: "key"), at: now)
    #expect(run.payload == json("secret"))
    try await journal.signal(
      run.id, SignalRecord(id: "1", name: "go", payload: json("secret"), sentAt: now.date), at: now)
    var claimed = try await claimOne().record
    try await journal.park(
      Parking(claim: claim(claimed), reason: .retry(at: now.date, error: "secret")), at: now)
    #expect(try await journal.run(run.id)?.error == "secret")
    try expectHidden(try #require(try await memory.run(run.id)))
    claimed = try await claimOne().record
    var checkpoint = Checkpoint(
      claim: claim(claimed), version: 1,
      next: .joining(json("secret 1"), .init([ChildStart(start("secret 2"))])),
      beganAt: now.date, lease: .seconds(60), starts: [start("secret 3")])
    checkpoint.signals = [
      .init(
        to: run.id, SignalRecord(id: "2", name: "go", payload: json("secret"), sentAt: now.date))
    ]
    try await journal.checkpoint(checkpoint, at: now)
    let edited = try await journal.change(
      run.id, .edit(json("secret 4"), version: nil), at: now)
    #expect(edited.payload == json("secret 4") && edited.sequence == 2)
    let page = try await journal.runs(RunQuery())
    #expect(page.runs.map(\.payload).contains(json("secret 3")) && page.runs.count == 3)
    for record in try await memory.runs(RunQuery()).runs { try expectHidden(record) }
    let steps = try await journal.steps(of: run.id, after: nil, limit: 9).steps
    #expect(steps.map(\.payload) == [json("secret"), json("secret 1")])
    #expect(steps.map(\.error) == ["secret", nil])
    for step in try await memory.steps(of: run.id, after: nil, limit: 9).steps {
      #expect(!"\(step)".contains("secret") && PayloadEnvelope.isCoded(step.payload))
    }
  }

  private func claim(_ record: RunRecord) -> RunClaim {
    RunClaim(id: record.id, sequence: record.sequence, fence: record.fence)
  }

  private func expectHidden(_ record: RunRecord) throws {
    #expect(PayloadEnvelope.isCoded(record.payload))
    #expect(!String(decoding: record.payload, as: UTF8.self).contains("secret"))
    #expect(record.error?.contains("secret") != true)
  }

  @Test("A start that takes another run's place is encoded for that run, alone and among many")
  func replaces() async throws {
    let first = try await journal.start(start("a", key: "k"), at: now)
    let second = start("b", key: "k", ifTaken: .replaceUnlessBegun)
    for _ in 0..<2 {
      let record = try await journal.start(second, at: now)
      #expect(record.id == first.id && record.payload == json("b"))
    }
    let answers = await journal.start(
      [
        start("c"), start("d", key: "k", ifTaken: .replaceUnlessBegun),
        start("e", key: "l", ifTaken: .replaceUnlessBegun), start("f"),
      ], at: now)
    #expect(try answers.map { try $0.get().payload } == ["c", "d", "e", "f"].map { json($0) })
    #expect(try await journal.run(first.id)?.payload == json("d"))
    let request = ClaimRequest(
      worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 9)], lease: .seconds(60))
    let claimed = try await journal.claim(request, at: now).runs.map(\.record)
    #expect(claimed.first { $0.id == first.id }?.payload == json("d"))
    #expect(Set(claimed.map(\.payload)) == Set(["c", "d", "e", "f"].map { json($0) }))
    let late = try await journal.start(start("g", key: "k", ifTaken: .replaceUnlessBegun), at: now)
    #expect(late.id == first.id && late.payload == json("d"))
  }

  @Test("A key that goes to another run between two calls gets the stage all the same")
  func replacesInARace() async throws {
    let first = try await journal.start(start("a", key: "k"), at: now)
    let other = start("b", key: "k", ifTaken: .restartIfOver)
    let starts = Locked(0)
    let raced = CodedJournal(
      xor: Interrupted(decorated: memory) { [journal, now] call in
        // Before the second of the two starts.
        guard call == .start, starts.count() == 2 else { return }
        try await journal.change(first.id, .cancel, at: now)
        _ = try await journal.start(other, at: now)
      })
    let record = try await raced.start(
      start("c", key: "k", ifTaken: .replaceUnlessBegun), at: now)
    #expect(record.id == other.id && record.payload == json("c"))
    #expect(try await journal.run(other.id)?.payload == json("c"))
  }

  @Test("An edit of a run that goes on between two calls decodes where it stands")
  func editsInARace() async throws {
    let id = try await journal.start(start("a"), at: now).id
    let edits = Locked(0)
    let raced = CodedJournal(
      xor: Interrupted(decorated: memory) { [journal, now, json] call in
        guard call == .change, edits.count() == 1 else { return }
        try await journal.change(id, .edit(json("other"), version: nil), at: now)
      })
    let record = try await raced.change(id, .edit(json("mine"), version: nil), at: now)
    #expect(record.payload == json("mine"))
    #expect(try await claimOne().record.payload == json("mine"))
  }

  @Test("A start that may take another run's place is refused in a transaction, with the reason")
  func refusesReplacing() async throws {
    let refused = start("b", key: "k", ifTaken: .replaceUnlessBegun)
    _ = try await journal.start(start("a"), at: now)
    let run = try await claimOne().record
    let checkpoint = Checkpoint(
      claim: claim(run), version: 1, next: .completion(json("c")), beganAt: now.date,
      lease: .seconds(60), starts: [refused])
    let error = PayloadError.replacesInTransaction(refused.id)
    await #expect(throws: error) { try await journal.checkpoint(checkpoint, at: now) }
    await #expect(throws: error) {
      try await journal.setSchedule(
        "s", from: nil, to: ScheduleRecord(name: "s", definition: json("d"), progress: json("p")),
        starting: [refused], at: now)
    }
    #expect(try await memory.run(run.id)?.state == .running)
    #expect(try await memory.schedules().isEmpty)
    #expect(!StageRetryPolicy.isWorthRetrying(error))
  }

  @Test("What the codec does not encode is not written; among many it fails alone")
  func unencodable() async throws {
    let ids = (start("a"), start("b"), start("c"))
    let codec = XorCodec(refused: { $0.run == ids.1.id && $0.kind == .stage })
    let journal = CodedJournal(memory, codec: codec)
    let answers = await journal.start([ids.0, ids.1, ids.2], at: now)
    #expect(answers.count == 3)
    #expect(try answers[0].get().id == ids.0.id && answers[2].get().id == ids.2.id)
    let error = #expect(throws: PayloadError.self) { try answers[1].get() }
    #expect(
      error
        == .unencodable(
          PayloadContext(.stage, run: ids.1.id, sequence: 0), reason: "the codec is out of order"))
    #expect(try await memory.runs(RunQuery()).runs.count == 2)
  }

  @Test("When the journal can't be used any more, the rest of many starts is not tried")
  func endsWithTheJournal() async throws {
    let tried = Recorder<JournalCall>()
    let journal = CodedJournal(
      xor: Interrupted(decorated: memory) { call in
        tried.record(call)
        throw JournalError.unavailable("full")
      })
    let starts = [
      start("a"), start("b", key: "k", ifTaken: .replaceUnlessBegun), start("c"),
      start("d", key: "l", ifTaken: .replaceUnlessBegun),
    ]
    let answers = await journal.start(starts, at: now)
    #expect(answers.count == 4 && tried.elements == [.starts])
    for answer in answers {
      #expect(throws: JournalError.unavailable("full")) { try answer.get() }
    }
  }

  @Test("An error text that can't be encoded is left out, and the run is given back")
  func unencodableError() async throws {
    let journal = CodedJournal(memory, codec: XorCodec(refused: { $0.kind == .error }))
    _ = try await journal.start(start("a"), at: now)
    let run = try await claimOne().record
    try await journal.park(Parking(claim: claim(run), reason: .dead(error: "secret")), at: now)
    let kept = try #require(try await memory.run(run.id))
    #expect(kept.state == .dead && kept.error?.contains("mend the codec") == true)
    #expect(kept.error?.contains("secret") == false)
  }

  @Test("An error text of another run does not decode, and is no reason to refuse the run")
  func movedError() async throws {
    for text in ["a", "b"] { _ = try await journal.start(start(text), at: now) }
    let first = try await claimOne().record
    try await journal.park(Parking(claim: claim(first), reason: .dead(error: "secret")), at: now)
    let moved = try #require(try await memory.run(first.id)?.error)
    let second = try await claimOne().record
    try await memory.park(Parking(claim: claim(second), reason: .dead(error: moved)), at: now)
    let record = try #require(try await journal.run(second.id))
    #expect(record.state == .dead && record.payload == second.payload)
    #expect(record.error?.contains("moved") == true && record.error?.contains("secret") == false)
  }

  @Test("A schedule is encoded with its stage, and is changed once like any other")
  func schedules() async throws {
    let first = ScheduleRecord(name: "s", definition: json("secret"), progress: json("1"))
    #expect(try await journal.setSchedule("s", from: nil, to: first, starting: [], at: now))
    #expect(try await journal.schedules() == [first])
    let kept = try #require(try await memory.schedules().first)
    #expect(PayloadEnvelope.isCoded(kept.definition) && kept.progress == json("1"))
    let other = CodedJournal(xor: memory, key: 3)
    let unread = try #require(try await other.schedules().first)
    #expect(throws: ScheduleError.self) { try ScheduleStatus(unread) }
    // One that can't be read is removed all the same.
    #expect(try await other.setSchedule("s", from: unread, to: nil, starting: [], at: now))
  }

  @Test("Payloads count plain against a limit that leaves room for what encoding adds")
  func limits() async throws {
    let base = InMemoryJournal(limits: PayloadLimits(warning: 10, error: 3_000, key: 100))
    let journal = CodedJournal(xor: base)
    #expect(journal.limits.error == 3_000 - 4 - 328 - 1 && journal.limits.warning == 10)
    var largest = start("")
    largest.payload = Data(repeating: UInt8(ascii: "1"), count: journal.limits.error)
    _ = try await journal.start(largest, at: now)
    #expect(try #require(try await base.run(largest.id)?.payload.count) <= 3_000)
    let tiny = CodedJournal(xor: InMemoryJournal(limits: PayloadLimits(error: 5)))
    #expect(tiny.limits.error == 0)
  }
}

/// Calls a closure before each call.
private struct Interrupted: JournalDecorator {
  let decorated: any Journal
  let before: @Sendable (JournalCall) async throws -> Void

  func relay<Value: Sendable>(
    _ call: JournalCall, _ body: () async throws -> Value
  ) async throws -> Value {
    try await before(call)
    return try await body()
  }
}

extension Locked<Int> {
  /// How many calls there were, this one included.
  fileprivate func count() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
