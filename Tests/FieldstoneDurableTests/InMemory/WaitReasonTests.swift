import FieldstoneDurable
import Foundation
import Testing

@Suite("Why a run does not go on")
struct WaitReasonTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func standing(
    _ state: RunState = .ready, _ change: (inout RunStanding) -> Void = { _ in }
  ) throws -> RunStanding {
    let id = try #require(RunID("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    let record = RunRecord(
      id: id, flow: "orders", version: 2, state: state, payload: Data("{}".utf8),
      startedAt: Self.now - 100, changedAt: Self.now - 10)
    var standing = RunStanding(record: record)
    change(&standing)
    return standing
  }

  @Test("A ready run names what it waits for, and what its retry or signal would change")
  func ready() throws {
    let soon = Self.now + 60
    let cases: [(RunWaitReason, (inout RunStanding) -> Void)] = [
      (.due, { _ in }),
      (.due, { $0.record.dueAt = Self.now }),
      (.time(soon), { $0.record.dueAt = soon }),
      (
        .retry(at: soon, error: "no"),
        { ($0.record.dueAt, $0.record.attempts, $0.record.error) = (soon, 1, "no") }
      ),
      (
        .due,
        {
          ($0.record.dueAt, $0.record.attempts) = (soon, 1)
          $0.record.changedAt = Self.now + 10
        }
      ),
      (
        .signals(["go"], until: nil),
        { ($0.record.awaitedSignals, $0.record.dueAt) = (["go"], .distantFuture) }
      ),
      (
        .signals(["go"], until: soon),
        { ($0.record.awaitedSignals, $0.record.dueAt) = (["go"], soon) }
      ),
      (
        .due,
        {
          ($0.record.awaitedSignals, $0.record.dueAt, $0.hasSignal) = (["go"], .distantFuture, true)
        }
      ),
      (.quarantine(crashes: 2), { ($0.isQuarantined, $0.record.crashes) = (true, 2) }),
    ]
    for (reason, change) in cases {
      #expect(try standing(.ready, change).waitReason(at: Self.now) == reason)
    }
  }

  @Test("Runs in other states say so")
  func others() throws {
    let blocked = try standing(.blocked) { $0.record.error = "no case" }
    #expect(blocked.waitReason(at: Self.now) == .blocked(error: "no case"))
    let running = try standing(.running) { $0.record.worker = "a" }
    #expect(running.waitReason(at: Self.now) == .running(worker: "a"))
    for state in [RunState.completed, .dead, .cancelled] {
      #expect(try standing(state).waitReason(at: Self.now) == .over(state, error: nil))
    }
  }

  @Test("Where the workers are known, a flow or a version that none has is the reason")
  func workers() throws {
    let run = try standing { $0.record.dueAt = Self.now + 60 }
    #expect(run.waitReason(at: Self.now, flows: [:]) == .noWorker(flow: "orders"))
    let older = run.waitReason(at: Self.now, flows: ["orders": 1])
    #expect(older == .newerVersion(found: 2, known: 1))
    let fitting = run.waitReason(at: Self.now, flows: ["orders": 3])
    #expect(fitting == .time(Self.now + 60))
  }

  @Test("Each reason says what makes the run go on")
  func messages() throws {
    let reasons: [(RunWaitReason, String)] = [
      (.due, "start one"), (.running(worker: "a"), "Worker a"),
      (.time(Self.now), "2027-01-15T08:00:00Z"), (.retry(at: Self.now, error: "no"), "(no)"),
      (.signals(["go"], until: nil), "“go”; send that"),
      (.signals(["go", "stop"], until: nil), "one of the signals “go”, “stop”; send one of them"),
      (.quarantine(crashes: 2), "2 times"),
      (.noWorker(flow: "orders"), "“orders”"), (.newerVersion(found: 2, known: 1), "newer"),
      (.flowLimit(2, counting: .executing, heldBy: [RunID]()), "limited to 2 at a time"),
      (.flowLimit(2, counting: .wholeRun, heldBy: [RunID]()), "limited to 2 runs that have begun"),
      (.keyLimit("ada", 1, heldBy: []), "“ada” is limited to 1"), (.rate(next: Self.now), "2027"),
      (.blocked(error: "no case"), "(no case)"), (.over(.dead, error: "no"), "mend the cause"),
      (.over(.completed, error: nil), "nothing follows"),
    ]
    for (reason, words) in reasons { #expect(reason.message.contains(words)) }
  }

  @Test("A pause is the reason until its time has come, whatever it is a pause of")
  func paused() async throws {
    let journal = InMemoryJournal()
    let time = JournalTime(date: Self.now, uptime: .zero, boot: "boot")
    let id = try #require(RunID("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    var start = RunStart(id: id, flow: "orders", version: 1, payload: Data("{}".utf8))
    start.concurrencyKey = "ada"
    _ = try await journal.start(start, at: time)
    let targets: [PauseTarget] = [
      .flow("orders"), .concurrencyKey("ada", flow: "orders"), .run(id),
    ]
    for target in targets {
      try await journal.pause(target, until: Self.now + 60, at: time)
      let reason = try await journal.waitReason(of: id, at: Self.now)
      #expect(reason == .paused(JournalPause(target, until: Self.now + 60)))
      #expect(reason.message.contains("is paused until 2027-01-15T08:01:00Z"))
      #expect(try await journal.waitReason(of: id, at: Self.now + 60) == .due)
      try await journal.resume(target, at: time)
    }
    try await journal.pause(.concurrencyKey("bob", flow: "orders"), until: nil, at: time)
    #expect(try await journal.waitReason(of: id, at: Self.now) == .due)
  }

  @Test("A run that is not there is an error")
  func missing() async throws {
    let id = try #require(RunID("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    await #expect(throws: JournalError.noRun(id)) {
      try await InMemoryJournal().waitReason(of: id, at: Self.now)
    }
  }
}
