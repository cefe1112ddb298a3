import FieldstoneDurable
import Foundation

/// A journal in memory with some of its requirements done otherwise.
struct JournalMutant: Journal {
  var base = InMemoryJournal()
  /// Changes the clocks for all requirements.
  var clock: @Sendable (JournalTime) -> JournalTime = { $0 }

  var onStart: (@Sendable (InMemoryJournal, RunStart, JournalTime) async throws -> RunRecord)?
  var onClaim: (@Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim)?
  var onCheckpoint: (@Sendable (InMemoryJournal, Checkpoint, JournalTime) async throws -> Void)?
  var onRenew:
    (@Sendable (InMemoryJournal, [RunClaim], Duration, JournalTime) async throws -> [RunClaim])?
  var onPark: (@Sendable (InMemoryJournal, Parking, JournalTime) async throws -> Void)?
  var onSignal:
    (@Sendable (InMemoryJournal, RunID, SignalRecord, JournalTime) async throws -> SignalReceipt)?
  var onChange:
    (@Sendable (InMemoryJournal, RunID, RunChange, JournalTime) async throws -> RunRecord)?
  var onRun: (@Sendable (InMemoryJournal, RunID) async throws -> RunRecord?)?
  var onRuns: (@Sendable (InMemoryJournal, RunQuery) async throws -> RunPage)?
  var onSteps: (@Sendable (InMemoryJournal, RunID, Int?, Int) async throws -> StepPage)?
  var onChanges: (@Sendable (InMemoryJournal, JournalMark?) async throws -> JournalChanges)?
  var onPurge: (@Sendable (InMemoryJournal, JournalRetention, JournalTime) async throws -> Int)?

  var limits: PayloadLimits { base.limits }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    guard let onStart else { return try await base.start(start, at: clock(time)) }
    return try await onStart(base, start, clock(time))
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    guard let onClaim else { return try await base.claim(request, at: clock(time)) }
    return try await onClaim(base, request, clock(time))
  }

  func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) async throws {
    guard let onCheckpoint else { return try await base.checkpoint(checkpoint, at: clock(time)) }
    try await onCheckpoint(base, checkpoint, clock(time))
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    guard let onRenew else { return try await base.renew(claims, lease: lease, at: clock(time)) }
    return try await onRenew(base, claims, lease, clock(time))
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    guard let onPark else { return try await base.park(parking, at: clock(time)) }
    try await onPark(base, parking, clock(time))
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    guard let onSignal else { return try await base.signal(id, signal, at: clock(time)) }
    return try await onSignal(base, id, signal, clock(time))
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    guard let onChange else { return try await base.change(id, change, at: clock(time)) }
    return try await onChange(base, id, change, clock(time))
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    guard let onRun else { return try await base.run(id) }
    return try await onRun(base, id)
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    guard let onRuns else { return try await base.runs(query) }
    return try await onRuns(base, query)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    guard let onSteps else { return try await base.steps(of: id, after: sequence, limit: limit) }
    return try await onSteps(base, id, sequence, limit)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    guard let onChanges else { return try await base.changes(since: mark) }
    return try await onChanges(base, mark)
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    guard let onPurge else { return try await base.purge(retention, at: clock(time)) }
    return try await onPurge(base, retention, clock(time))
  }
}
