import FieldstoneDurable

/// A journal that another is behind, with the test in between.
struct JournalProxy: Journal {
  enum Call: String, Sendable, CaseIterable {
    case start, claim, checkpoint, renew, park, signal, change, run, runs, steps, changes, purge
  }

  let journal: any Journal
  /// Called before it is done; what it throws is thrown, and then it is not done.
  var before: @Sendable (Call) async throws -> Void = { _ in }
  /// Called after it is done; what it throws is thrown all the same.
  var after: @Sendable (Call) async throws -> Void = { _ in }

  var limits: PayloadLimits { journal.limits }

  private func pass<Value>(_ call: Call, _ body: () async throws -> Value) async throws -> Value {
    try await before(call)
    let value = try await body()
    try await after(call)
    return value
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await pass(.start) { try await journal.start(start, at: time) }
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await pass(.claim) { try await journal.claim(request, at: time) }
  }

  func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) async throws {
    try await pass(.checkpoint) { try await journal.checkpoint(checkpoint, at: time) }
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await pass(.renew) { try await journal.renew(claims, lease: lease, at: time) }
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await pass(.park) { try await journal.park(parking, at: time) }
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await pass(.signal) { try await journal.signal(id, signal, at: time) }
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await pass(.change) { try await journal.change(id, change, at: time) }
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await pass(.run) { try await journal.run(id) }
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    try await pass(.runs) { try await journal.runs(query) }
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await pass(.steps) { try await journal.steps(of: id, after: sequence, limit: limit) }
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await pass(.changes) { try await journal.changes(since: mark) }
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await pass(.purge) { try await journal.purge(retention, at: time) }
  }
}
