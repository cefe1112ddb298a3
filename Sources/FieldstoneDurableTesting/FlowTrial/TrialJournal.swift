import FieldstoneDurable
import Foundation

/// The journal as one process of a trial sees it: after the kill it never answers.
struct TrialJournal: JournalDecorator {
  let memory: InMemoryJournal
  let process: TrialProcess
  let log: TrialLog
  /// The place at which the process is killed; nil for none.
  let kill: TrialKillPoint?
  /// The transaction for stages' writes.
  let transaction: (@Sendable (@escaping @Sendable (Any) throws -> Void) async throws -> Void)?

  var decorated: any Journal { memory }

  func relay<Value: Sendable>(
    _ call: JournalCall, _ body: () async throws -> Value
  ) async throws -> Value {
    try await checkAlive()
    return try await body()
  }

  private func checkAlive() async throws {
    guard await process.goesOn() else { throw JournalError.closed }
  }

  /// Kills the process if this is the place of its kill.
  private func die(at place: FlowTrialStage.Place, _ moment: FlowTrialMoment) async throws {
    guard let kill, kill.moment == moment, kill.stage.place == place else { return }
    log.reachKill()
    process.kill()
    try await checkAlive()
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await checkAlive()
    guard let record = try await memory.run(checkpoint.claim.id) else {
      throw JournalError.noRun(checkpoint.claim.id)
    }
    let place = log.place(of: record.id, checkpoint.claim.sequence)
    try await die(at: place, .beforeCheckpoint)
    var checkpoint = checkpoint
    let writes = checkpoint.writes
    if !writes.isEmpty {
      guard let transaction else {
        log.fail(with: .noTransaction(at: log.stage(of: record)))
        process.kill()
        throw JournalError.noTransactions
      }
      let work = log.beginWriting(at: place, in: process)
      defer { log.endWork(work) }
      try await transaction { database in
        for write in writes { try write.perform(in: database) }
      }
      checkpoint.writes = []
    }
    // Even if the process was killed meanwhile: the writes and the checkpoint are one transaction.
    let receipt = try await memory.checkpoint(checkpoint, at: time)
    log.add(checkpoint, of: record)
    try await die(at: place, .afterCheckpoint)
    try await checkAlive()
    return receipt
  }
}
