import FieldstoneCore
public import Foundation

extension DurableRunner {
  /// Pauses a flow, a concurrency key or a run, for all workers on the journal.
  ///
  /// Stages that are under way go on to their checkpoint; then their runs are given back. Until the
  /// pause ends, no worker gets a run that it concerns. It outlives restarts. Pausing again sets another
  /// end. O(n) in the number of runs with the key that are not over; O(n) in those that workers have
  /// for a flow.
  ///
  /// - Parameters:
  ///   - target: what is paused.
  ///   - date: when it ends by itself, by the wall clock; nil for ``resume(_:)``.
  /// - Throws: ``JournalError``: `.noRun`, `.notAllowed` when the run is over.
  public func pause(_ target: PauseTarget, until date: Date? = nil) async throws {
    try await journal.pause(target, until: date, at: JournalTime(time, boot: options.boot))
    wake(target)
  }

  /// Ends a pause; what another pause concerns stays paused.
  ///
  /// The runs go on where they were: those that are due at once, the others at their time.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``JournalError``.
  @discardableResult
  public func resume(_ target: PauseTarget) async throws -> Bool {
    let wasPaused = try await journal.resume(
      target, at: JournalTime(time, boot: options.boot))
    wake(target)
    return wasPaused
  }

  /// The pauses that the journal keeps; O(n) in their number.
  ///
  /// - Throws: ``JournalError``.
  public func pauses() async throws -> [JournalPause] {
    try await journal.pauses()
  }
}
