package import Foundation

/// The origin, key and actor of a fork.
package struct RunFork: Sendable {
  /// The run to fork.
  package var run: RunID
  /// The number of the stage to begin at; nil for the run's current stage.
  package var sequence: Int?
  /// The key of the new run; nil for none.
  package var key: String?
  /// The name of the person or the program that makes the fork.
  package var actor: String?

  package init(_ run: RunID, from sequence: Int? = nil, key: String? = nil, by actor: String?) {
    self.run = run
    self.sequence = sequence
    self.key = key
    self.actor = actor
  }
}

extension Journal {
  /// Starts a new run from a stage of another run, which stays unchanged.
  ///
  /// The new run keeps the flow, attributes, priority, concurrency key and trace of the old run,
  /// but not its key or deadline, and not the attributes of its schedule. Its identifier and its
  /// idempotency keys are new: its stages repeat their effects.
  ///
  /// - Parameters:
  ///   - fork: the run and the stage.
  ///   - check: how the stage is checked; nothing is written if it can't be read.
  ///   - time: the time of the call.
  ///   - makeID: makes the identifier of a run in a slot.
  /// - Returns: the new run.
  /// - Throws: `JournalError.noRun`, ``DurableRunError/noStage(_:sequence:)`` for a purged stage
  ///   and for a completion, `.keyTaken`, the errors of the check, ``JournalError``.
  package func fork(
    _ fork: RunFork, checkedBy check: StageCheck, at time: JournalTime,
    makeID: (UInt16) -> RunID
  ) async throws -> RunRecord {
    guard let old = try await run(fork.run) else { throw JournalError.noRun(fork.run) }
    let sequence = fork.sequence ?? old.sequence
    let stage = try await forkedStage(sequence, of: old, checkedBy: check)
    var start = RunStart(
      id: makeID(try await slotOfForks(of: old, key: fork.key)), flow: old.flow,
      version: stage.version, key: fork.key, payload: stage.payload, priority: old.priority,
      concurrencyKey: old.concurrencyKey)
    start.attributes = old.attributes
    // It is no run of the old run's schedule: it would keep the schedule's next runs waiting.
    start.attributes[ScheduleOptions.scheduleAttribute] = nil
    start.attributes[ScheduleOptions.tickAttribute] = nil
    start.trace = old.trace
    start.origin = RunOrigin(run: old.id, sequence: sequence)
    start.actor = fork.actor
    let new = try await self.start(start, at: time)
    if let key = fork.key, new.id != start.id { throw DurableRunError.keyTaken(key, by: new.id) }
    return new
  }

  /// The stage that a fork begins at, in the newest version of its flow.
  ///
  /// - Throws: ``DurableRunError/noStage(_:sequence:)`` for a purged stage and for a completion, the
  ///   errors of the check, ``JournalError``.
  package func forkedStage(
    _ sequence: Int, of run: RunRecord, checkedBy check: StageCheck
  ) async throws -> (payload: Data, version: Int) {
    let (payload, version) = try await stage(sequence, of: run)
    return try check.newest(
      payload, version: version, of: run.flow, run: run.id, sequence: sequence)
  }

  /// The slot that the identifiers of a run's forks have.
  ///
  /// - Parameter key: the key of the fork; nil for none.
  package func slotOfForks(of run: RunRecord, key: String? = nil) async throws -> UInt16 {
    // A shard that is opened alone knows from its record which flows have one slot.
    let isOnOne = try await slots()?.flowsOnOneShard.contains(run.flow) ?? false
    // With a key it has the key's slot, as every run with a key.
    return slot(of: run.flow, key: isOnOne ? "" : run.concurrencyKey ?? key) ?? run.id.slot
  }

  /// The run's stage of this number, current or past.
  private func stage(
    _ sequence: Int, of run: RunRecord
  ) async throws -> (payload: Data, version: Int) {
    guard sequence >= 0 else { throw DurableRunError.noStage(run.id, sequence: sequence) }
    if sequence == run.sequence, run.state != .completed { return (run.payload, run.version) }
    // The run may have left the stage since it was read: then it is among the steps.
    let page = try await steps(of: run.id, after: sequence - 1, limit: 1)
    guard let step = page.steps.first, step.sequence == sequence else {
      throw DurableRunError.noStage(run.id, sequence: sequence)
    }
    return (step.payload, step.version)
  }
}
