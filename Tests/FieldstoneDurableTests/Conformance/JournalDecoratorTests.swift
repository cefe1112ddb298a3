import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

@Suite("Decorators of journals")
struct JournalDecoratorTests {
  private struct Plain: JournalDecorator {
    let decorated: any Journal
  }

  private let now = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 0), uptime: .zero, boot: "b")
  private let id = RunID(at: Date(timeIntervalSinceReferenceDate: 0))

  @Test("A plain one keeps every promise of the journal behind it")
  func conforms() async throws {
    try await JournalConformance { Plain(decorated: InMemoryJournal()) }.check()
  }

  @Test("Each requirement reaches the journal behind it, once and with the same arguments")
  func forwards() async throws {
    let calls = Recorder<String>()
    let journal = Plain(decorated: ToldJournal(calls: calls))
    try await makeAllCalls(of: journal)
    try await makeAllCalls(of: ToldJournal(calls: calls))
    let told = calls.elements
    let half = told.count / 2
    #expect(half == JournalCall.allCases.count)
    #expect(Array(told.prefix(half)) == Array(told.suffix(half)))
    #expect(journal.limits == PayloadLimits(warning: 7) && journal.clock == .server)
  }

  @Test("It names every requirement of the protocol, in its order")
  func namesAll() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/FieldstoneDurable/Journal")
    let journal = try String(contentsOf: folder.appending(path: "Journal.swift"), encoding: .utf8)
    let decorator = try String(
      contentsOf: folder.appending(path: "JournalDecorator.swift"), encoding: .utf8)
    let part = try #require(decorator.firstRange(of: "// The order is that of `Journal`"))
    let end = try #require(decorator.firstRange(of: "// The protocols that callers query by `as?`"))
    let required = Self.signatures(in: journal)
    #expect(required.count > 20)
    #expect(required == Self.signatures(in: String(decorator[part.lowerBound..<end.lowerBound])))
  }

  /// The names of functions with their arguments, and of properties, without white space.
  private static func signatures(in source: String) -> [String] {
    let lines = source.split(separator: "\n").filter { !$0.contains("///") }
    return lines.joined(separator: "\n").matches(of: /func (\w+)\(([^)]*)\)|var (\w+):/).map {
      let (_, function, arguments, property) = $0.output
      return "\(function ?? property ?? "")(\(arguments ?? ""))".replacing(/\s+/, with: "")
    }
  }

  @Test("What is asked for beside the requirements is passed on, through two of them")
  func sideProtocols() async throws {
    let calls = Recorder<String>()
    let journal = Plain(decorated: Plain(decorated: ToldJournal(calls: calls)))
    let hears = Recorder<String>()
    _ = journal.observeOwnWrites { _ in hears.record("own") }
    _ = journal.onWakeUp { hears.record("wake") }
    #expect(try await journal.findingsInTables().map(\.detail) == ["told"])
    #expect(calls.elements == ["observeOwnWrites", "onWakeUp", "findingsInTables"])
    #expect(hears.elements == ["own", "wake"])
  }

  @Test("Of a journal that has nothing beside the requirements it says nothing")
  func nothingBeside() async throws {
    let journal = Plain(decorated: Plain(decorated: InMemoryJournal()))
    journal.observeOwnWrites { _ in Issue.record("heard") }.cancel()
    journal.onWakeUp { Issue.record("heard") }.cancel()
    #expect(try await journal.findingsInTables().isEmpty)
  }

  private func makeAllCalls(of journal: any Journal) async throws {
    let start = RunStart(id: id, flow: "f", version: 3, payload: Data("1".utf8))
    let claim = RunClaim(id: id, sequence: 4, fence: 5)
    let slots = JournalSlots(group: "g", ranges: [1...2])
    let schedule = ScheduleRecord(name: "s", definition: Data("2".utf8), progress: Data("3".utf8))
    _ = try await journal.start(start, at: now)
    _ = await journal.start([start], at: now)
    _ = try await journal.claim(
      ClaimRequest(worker: "w", flows: [], lease: .seconds(1), limit: 6), at: now)
    _ = try await journal.checkpoint(
      Checkpoint(
        claim: claim, version: 1, next: .completion(Data("4".utf8)), beganAt: now.date,
        lease: .seconds(7)), at: now)
    _ = try await journal.renew([claim], lease: .seconds(8), at: now)
    try await journal.park(Parking(claim: claim, reason: .dead(error: "e")), at: now)
    _ = try await journal.signal(
      id,
      SignalRecord(id: "i", name: "n", payload: Data("5".utf8), sentAt: now.date, actor: "g"),
      at: now)
    _ = try await journal.change(id, .retry, by: "a", at: now)
    try await journal.pause(.flow("p"), until: now.date, by: "b", at: now)
    _ = try await journal.resume(.flow("r"), by: "c", at: now)
    _ = try await journal.pauses()
    _ = try await journal.setLimits(nil, of: "l", replacing: true, by: "d", at: now)
    _ = try await journal.flowLimits()
    _ = try await journal.schedules()
    _ = try await journal.setSchedule(
      "s", from: nil, to: schedule, starting: [start], by: "e", at: now)
    _ = try await journal.audit(AuditQuery(limit: 16))
    _ = try await journal.slots()
    _ = try await journal.setSlots(from: nil, to: slots)
    _ = try await journal.run(id)
    _ = try await journal.standing(of: id)
    _ = try await journal.runs(RunQuery(flow: "q"))
    _ = try await journal.count(RunQuery(flow: "c"), atMost: 17)
    _ = try await journal.errorGroups(atMost: 18)
    _ = try await journal.steps(of: id, after: 9, limit: 10)
    _ = try await journal.children(
      of: id, at: 11, after: ChildPlace(sequence: 12, ordinal: 13), limit: 14)
    _ = try await journal.changes(since: JournalMark(positions: [15]))
    try await journal.write([RunReportWrite(run: id, fence: 19)], at: now)
    _ = try await journal.report(of: id, after: RunLogLine.Place(fence: 20, number: 21))
    try await journal.setWorker("w", to: nil, at: now)
    _ = try await journal.workers()
    _ = try await journal.purge(JournalRetention(), at: now)
    try await journal.purge(id, by: "f", at: now)
  }
}

/// Notes each call with its arguments.
private struct ToldJournal: OwnWriteJournal, WakeUpSource, SelfVerifyingJournal {
  let calls: Recorder<String>

  var limits: PayloadLimits { PayloadLimits(warning: 7) }
  var clock: JournalClock { .server }

  private func note(_ call: String, _ arguments: Any...) {
    calls.record("\(call) \(arguments)")
  }

  private var record: RunRecord {
    RunRecord(
      id: RunID(at: .distantPast), flow: "f", version: 1, payload: Data(), startedAt: .distantPast,
      changedAt: .distantPast)
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    note("start", start, time)
    return record
  }
  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    note("starts", starts, time)
    return [.success(record)]
  }
  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    note("claim", request, time)
    return Claim(runs: [])
  }
  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    note("checkpoint", checkpoint, time)
    return .made
  }
  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    note("renew", claims, lease, time)
    return claims
  }
  func park(_ parking: Parking, at time: JournalTime) async throws { note("park", parking, time) }
  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    note("signal", id, signal, time)
    return .sent
  }
  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    note("change", id, change, actor as Any, time)
    return record
  }
  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    note("pause", target, date as Any, actor as Any, time)
  }
  func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    note("resume", target, actor as Any, time)
    return true
  }
  func pauses() async throws -> [JournalPause] {
    note("pauses")
    return []
  }
  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    note("setLimits", limits as Any, flow, replacing, actor as Any, time)
    return nil
  }
  func flowLimits() async throws -> [String: FlowLimits] {
    note("flowLimits")
    return [:]
  }
  func schedules() async throws -> [ScheduleRecord] {
    note("schedules")
    return []
  }
  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    note("setSchedule", name, old as Any, new as Any, starts, actor as Any, time)
    return true
  }
  func audit(_ query: AuditQuery) async throws -> AuditPage {
    note("audit", query)
    return AuditPage(records: [])
  }
  func slots() async throws -> JournalSlots? {
    note("slots")
    return nil
  }
  func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    note("setSlots", old as Any, new)
    return true
  }
  func run(_ id: RunID) async throws -> RunRecord? {
    note("run", id)
    return nil
  }
  func standing(of id: RunID) async throws -> RunStanding? {
    note("standing", id)
    return nil
  }
  func runs(_ query: RunQuery) async throws -> RunPage {
    note("runs", query)
    return RunPage(runs: [])
  }
  func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    note("count", query, limit)
    return RunCount(0)
  }
  func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    note("errorGroups", limit)
    return []
  }
  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    note("steps", id, sequence as Any, limit)
    return StepPage(steps: [])
  }
  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    note("children", id, sequence as Any, place as Any, limit)
    return ChildPage(children: [])
  }
  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    note("changes", mark as Any)
    return JournalChanges()
  }
  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    note("write", reports, time)
  }
  func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    note("report", id, place as Any)
    return RunReport()
  }
  func setWorker(_ name: String, to record: WorkerRecord?, at time: JournalTime) async throws {
    note("setWorker", name, record as Any, time)
  }
  func workers() async throws -> [WorkerRecord] {
    note("workers")
    return []
  }
  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    note("purge", retention, time)
    return 0
  }
  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    note("purgeRun", id, actor as Any, time)
  }
  func observeOwnWrites(_ body: @escaping @Sendable ([RunID]) -> Void) -> Registration {
    calls.record("observeOwnWrites")
    body([])
    return Registration {}
  }
  func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration {
    calls.record("onWakeUp")
    body()
    return Registration {}
  }
  func findingsInTables() async throws -> [JournalFinding] {
    calls.record("findingsInTables")
    return [JournalFinding("told")]
  }
}
