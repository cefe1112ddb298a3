import FieldstoneCore

extension DurableRunner {
  /// Starts a new run from a stage of another run, which stays unchanged.
  ///
  /// ```swift
  /// let id = try await runner.fork(failed, from: 3, by: "ada")
  /// ```
  ///
  /// This runner's code decodes the stage and migrates it to its version of the flow before
  /// anything is written. The new run keeps the flow, attributes, priority, concurrency key and
  /// trace of the old run, but not its key or deadline. Its identifier and its idempotency keys are
  /// new: **its stages repeat their effects**. It gets none of the old run's signals and children.
  /// See <doc:ChangingManyRuns>.
  ///
  /// - Parameters:
  ///   - id: names the run to fork, in any state.
  ///   - sequence: the number of the stage to begin at; nil for the run's current stage.
  ///   - key: the key of the new run; nil for none.
  ///   - actor: the person who asks for the fork, for the audit; nil for this runner's name.
  /// - Returns: the new run.
  /// - Throws: ``DurableRunError/noStage(_:sequence:)`` when the stage was purged or is a completion,
  ///   `.unreadable`, `.unknownFlow`, `.newerVersion`, `.keyTaken`; ``JournalError``, such as `.noRun`.
  @discardableResult
  public func fork(
    _ id: RunID, from sequence: Int? = nil, key: String? = nil, by actor: String? = nil
  ) async throws -> RunID {
    let requests = requests
    let record = try await journal.fork(
      RunFork(id, from: sequence, key: key, by: actor ?? options.worker),
      checkedBy: .flows(flows), at: JournalTime(time, boot: options.boot)
    ) { requests.newID(slot: $0) }
    emit(.started, flow: record.flow, run: record.id)
    nudge(record.id)
    return record.id
  }
}
