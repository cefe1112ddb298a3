import Fieldstone
import FieldstoneDurable
import Foundation
import Synchronization

/// A journal whose process dies, as far as those can tell who work with it: from one checkpoint on
/// nothing is written any more and nothing answered.
///
/// Another process may come in between, too.
final class BreakingJournal: Journal {
  /// When it dies.
  enum Moment: CaseIterable, Sendable {
    case beforeCommit, afterCommit
  }

  private let base: any Journal
  private let moment: Moment
  private let left: Mutex<Int>
  private let visit: Mutex<(@Sendable () async -> Void)?>
  private let givesNothing: Bool

  init(_ base: any Journal, at checkpoint: Int, _ moment: Moment) {
    self.base = base
    self.moment = moment
    left = Mutex(checkpoint)
    visit = Mutex(nil)
    givesNothing = false
  }

  /// Makes one that does not die; `visit` runs once, after a run was looked at.
  init(_ base: any Journal, visit: @escaping @Sendable () async -> Void) {
    self.base = base
    moment = .afterCommit
    left = Mutex(.max)
    self.visit = Mutex(visit)
    givesNothing = false
  }

  /// Makes one that gives its process nothing to do, as if others were always faster.
  init(givingNothingOf base: any Journal) {
    self.base = base
    moment = .afterCommit
    left = Mutex(.max)
    visit = Mutex(nil)
    givesNothing = true
  }

  /// Whether it has died.
  var isBroken: Bool { left.withLock { $0 < 0 } }

  private func open() throws -> any Journal {
    guard !isBroken else { throw JournalError.corrupt("the process is gone") }
    return base
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    let base = try open()
    let isLast = left.withLock {
      $0 -= 1
      return $0 < 0
    }
    var receipt = CheckpointReceipt.made
    if !isLast || moment == .afterCommit {
      receipt = try await base.checkpoint(checkpoint, at: time)
    }
    if isLast { throw JournalError.corrupt("the process is gone") }
    return receipt
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await open().start(start, at: time)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await givesNothing ? Claim(runs: []) : open().claim(request, at: time)
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await open().renew(claims, lease: lease, at: time)
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await open().park(parking, at: time)
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await open().signal(id, signal, at: time)
  }

  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try await open().change(id, change, by: actor, at: time)
  }

  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    try await open().pause(target, until: date, by: actor, at: time)
  }

  func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await open().resume(target, by: actor, at: time)
  }

  func pauses() async throws -> [JournalPause] {
    try await open().pauses()
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    try await open().setLimits(limits, of: flow, replacing: replacing, by: actor, at: time)
  }

  func flowLimits() async throws -> [String: FlowLimits] {
    try await open().flowLimits()
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    try await open().standing(of: id)
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    let record = try await open().run(id)
    let visit = visit.withLock { visit in
      defer { visit = nil }
      return visit
    }
    await visit?()
    // What was read while it died, nobody is told.
    _ = try open()
    return record
  }

  func runs(_ query: RunQuery) async throws -> RunPage { try await open().runs(query) }

  func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    try await open().count(query, atMost: limit)
  }

  func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    try await open().errorGroups(atMost: limit)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await open().steps(of: id, after: sequence, limit: limit)
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await open().children(of: id, at: sequence, after: place, limit: limit)
  }

  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await open().purge(id, by: actor, at: time)
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await open().purge(retention, at: time)
  }
}
