import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// A journal under test, with the clocks, shorthand calls and findings.
final class JournalExamination {
  typealias Promise = JournalConformanceError.Promise

  /// The rest of a trial needs something that was missing.
  struct Missing: Error {
    let detail: String
  }

  let journal: any Journal
  let other: (any Journal)?
  let payloadLimit: Int
  var transactions:
    (write: @Sendable (String) -> CheckpointWrite, written: @Sendable () async throws -> [String])?

  /// The slot of all identifiers; nil for random slots.
  var slot: UInt16?
  /// Whether late reports of runs that were given back are kept.
  var keepsLateReports = false
  /// Whether the journal has an audit.
  var keepsAudit = true

  private(set) var failures: [JournalConformanceError.Failure] = []
  // Whole eighths of a second, so that a journal may keep milliseconds or binary fractions.
  var time = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 800_000_000.125), uptime: .seconds(10_000),
    boot: "first boot")
  private var generator = SeededGenerator(seed: 8)

  init(journal: any Journal, other: (any Journal)?, payloadLimit: Int) {
    self.journal = journal
    self.other = other
    self.payloadLimit = payloadLimit
  }

  // MARK: Findings

  func expect(_ isSo: Bool, _ promise: Promise, _ detail: @autoclosure () -> String) {
    if !isSo { failures.append(.init(promise: promise, detail: detail())) }
  }

  func expect<Value: Equatable>(
    _ value: Value, equals wanted: Value, _ promise: Promise, _ what: String
  ) {
    expect(value == wanted, promise, "\(what): it was \(value) and not \(wanted).")
  }

  /// Expects a refusal that leaves the run unchanged.
  func expectRefusal(
    _ promise: Promise, _ wanted: Refusal, of id: RunID? = nil, _ what: String,
    _ body: () async throws -> Void
  ) async throws {
    let before = try await wholeOf(id)
    do {
      try await body()
      expect(false, promise, "\(what) was not refused.")
    } catch let error as JournalError where wanted.isMet(by: error) {
    } catch {
      expect(false, promise, "\(what) threw \(error) and not \(wanted).")
    }
    let after = try await wholeOf(id)
    expect(before == after, promise, "\(what) changed the run from \(before) to \(after).")
  }

  private struct Whole: Equatable {
    var record: RunRecord?
    var steps: [StepRecord] = []
  }

  private func wholeOf(_ id: RunID?) async throws -> Whole {
    guard let id else { return Whole() }
    return Whole(record: try await journal.run(id), steps: try await steps(of: id))
  }

  // MARK: Clocks

  /// Advances both clocks.
  func move(by seconds: Double) {
    time.date += seconds
    time.uptime += .seconds(seconds)
  }

  // MARK: Shorthand calls

  func newID() -> RunID { newID(slot: slot) }

  func newID(slot: UInt16?) -> RunID { RunID(at: time.date, slot: slot, using: &generator) }

  func json(_ number: Int) -> Data { Data(#"{"stage":\#(number)}"#.utf8) }

  /// The limits in bytes from which on no test is large enough to be above one.
  static let endlessSize = 1 << 26

  /// JSON above the limit of payloads; nil if that is endless.
  var payloadAboveLimit: Data? { text(above: payloadLimit).map { Data($0.utf8) } }

  /// A name above the limit of keys; nil if that is endless.
  var keyAboveLimit: String? { text(above: journal.limits.key) }

  private func text(above limit: Int) -> String? {
    limit < Self.endlessSize ? String(repeating: "1", count: max(limit, 0) + 1) : nil
  }

  @discardableResult
  func start(
    _ flow: String = "flow", version: Int = 1, key: String? = nil
  ) async throws -> RunRecord {
    try await journal.start(
      RunStart(id: newID(), flow: flow, version: version, key: key, payload: json(0)), at: time)
  }

  func claim(
    _ flow: String = "flow", version: Int = 1, limit: Int = 100, worker: String = "worker",
    lease: Duration = .seconds(60), quarantine: ClaimRequest.Quarantine = .disregarded
  ) async throws -> Claim {
    try await journal.claim(
      ClaimRequest(
        worker: worker, flows: [.init(flow: flow, version: version, limit: limit)], lease: lease,
        quarantine: quarantine),
      at: time)
  }

  /// Claims until nothing due is left; a claim with more work than its bound says so by a time that
  /// has come.
  func claimAll(_ flow: String = "flow", limit: Int = 100) async throws -> [ClaimedRun] {
    var runs: [ClaimedRun] = []
    for _ in 0..<1_000 {
      let claim = try await claim(flow, limit: limit)
      runs += claim.runs
      guard let next = claim.nextDueAt, next <= time.date else { break }
    }
    return runs
  }

  /// Claims the only due run.
  func claimOne(
    _ flow: String = "flow", worker: String = "worker", lease: Duration = .seconds(60)
  ) async throws -> ClaimedRun {
    let runs = try await claim(flow, worker: worker, lease: lease).runs
    guard let run = runs.first, runs.count == 1 else {
      throw Missing(detail: "a claim gave \(runs.count) runs where one was due.")
    }
    return run
  }

  /// Starts a run and claims it.
  func startAndClaim(
    _ flow: String = "flow", key: String? = nil, lease: Duration = .seconds(60)
  ) async throws -> RunRecord {
    let id = try await start(flow, key: key).id
    let run = try await claimOne(flow, lease: lease).record
    guard run.id == id else { throw Missing(detail: "a claim gave another run than was started.") }
    return run
  }

  func checkpoint(
    _ record: RunRecord, _ next: Checkpoint.Next, consuming signals: [String] = [],
    lease: Duration = .seconds(60), writes: [CheckpointWrite] = []
  ) async throws {
    try await journal.checkpoint(
      Checkpoint(
        claim: record.claim, version: record.version, next: next, consumedSignals: signals,
        beganAt: time.date - 1, lease: lease, writes: writes), at: time)
  }

  func park(_ record: RunRecord, _ reason: Parking.Reason) async throws {
    try await journal.park(Parking(claim: record.claim, reason: reason), at: time)
  }

  @discardableResult
  func signal(
    _ id: RunID, _ signal: String, named name: String = "go"
  ) async throws -> SignalReceipt {
    try await journal.signal(
      id, SignalRecord(id: signal, name: name, payload: json(7), sentAt: time.date), at: time)
  }

  /// The run's current record.
  func run(_ id: RunID) async throws -> RunRecord {
    guard let run = try await journal.run(id) else {
      throw Missing(detail: "a run that was started is not there.")
    }
    return run
  }

  /// All steps of a run.
  func steps(of id: RunID) async throws -> [StepRecord] {
    var steps: [StepRecord] = []
    var after: Int?
    repeat {
      let page = try await journal.steps(of: id, after: after, limit: 1_000)
      steps += page.steps
      // A journal that returns the same page again would be read for ever.
      guard page.next != after else { break }
      after = page.next
    } while after != nil
    return steps
  }

  /// A run in each state.
  func runsInEachState(key: String? = nil) async throws -> [(state: RunState, id: RunID)] {
    var runs: [(RunState, RunID)] = []
    for state in RunState.allCases {
      let flow = "flow of \(state)"
      guard state != .ready else {
        runs.append((state, try await start(flow, key: key).id))
        continue
      }
      let run = try await startAndClaim(flow, key: key)
      switch state {
      case .completed: try await checkpoint(run, .completion(json(9)))
      case .dead: try await park(run, .dead(error: "no"))
      case .blocked: try await park(run, .blocked(error: "no"))
      case .cancelled: try await journal.change(run.id, .cancel, at: time)
      case .ready, .running: break
      }
      runs.append((state, run.id))
    }
    return runs
  }
}

extension JournalExamination {
  /// The expected kind of error, with any associated values.
  enum Refusal: String {
    case claimLost, noRun, notAllowed, tooLarge, notJSON, noTransactions, signalTaken, keyTooLong,
      newerProtocol, childTaken, tooManyChildren, tooDeep, tooManyAttributes, traceTooLong,
      placeHeldByParent, hasGoneOn, foreignSlot, stillNeeded, containsNUL

    func isMet(by error: JournalError) -> Bool {
      switch (self, error) {
      case (.claimLost, .claimLost), (.noRun, .noRun), (.notAllowed, .notAllowed),
        (.tooLarge, .tooLarge), (.notJSON, .notJSON), (.noTransactions, .noTransactions),
        (.signalTaken, .signalTaken), (.keyTooLong, .keyTooLong),
        (.newerProtocol, .newerProtocol), (.childTaken, .childTaken),
        (.tooManyChildren, .tooManyChildren), (.tooDeep, .tooDeep),
        (.tooManyAttributes, .tooManyAttributes), (.traceTooLong, .traceTooLong),
        (.placeHeldByParent, .placeHeldByParent), (.hasGoneOn, .hasGoneOn),
        (.foreignSlot, .foreignSlot), (.stillNeeded, .stillNeeded), (.containsNUL, .containsNUL):
        true
      default: false
      }
    }
  }
}

extension RunRecord {
  /// The claim of the worker that holds the run in this record.
  var claim: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
}

/// A test of a journal, with its promise.
struct JournalTrial: Sendable {
  let promise: JournalConformanceError.Promise
  let body: @Sendable (JournalExamination) async throws -> Void

  init(
    _ promise: JournalConformanceError.Promise,
    _ body: @escaping @Sendable (JournalExamination) async throws -> Void
  ) {
    self.promise = promise
    self.body = body
  }

  static var all: [Self] {
    starts + claims + quarantine + leases + checkpoints + returns + signals + coded + children
      + changes + pauses + standings + limits + deadlines + attributes + schedules + audits
      + reports + slots + pages + queries
      + purges + remains + crowds + texts
      + stores
  }
}
