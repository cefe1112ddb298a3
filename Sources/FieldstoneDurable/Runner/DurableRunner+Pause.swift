import FieldstoneCore
public import Foundation

extension DurableRunner {
  /// Pauses a flow, a concurrency key or a run, for all workers on the journal.
  ///
  /// Stages in progress continue to their checkpoint; then their runs are given back. Until the
  /// pause ends, no worker claims the paused runs. The pause survives restarts. Pausing again sets
  /// another end. For a key, O(n) in its unfinished runs; for a flow, O(n) in the runs that workers
  /// hold.
  ///
  /// - Parameters:
  ///   - target: the flow, key or run to pause.
  ///   - date: when the pause ends by itself, by the wall clock; nil to wait for ``resume(_:by:)``.
  ///   - actor: the person who asks for the pause, for the audit; nil for this runner's name.
  /// - Throws: ``JournalError``: `.noRun`, `.notAllowed` when the run is over.
  public func pause(
    _ target: PauseTarget, until date: Date? = nil, by actor: String? = nil
  ) async throws {
    try await journal.pause(
      target, until: date, by: actor ?? options.worker,
      at: JournalTime(time, boot: options.boot))
    wake(target)
  }

  /// Ends a pause; runs that another pause covers stay paused.
  ///
  /// The runs continue where they were: due runs at once, the others at their time.
  ///
  /// - Parameters:
  ///   - target: the paused flow, key or run.
  ///   - actor: the person who resumes it, for the audit; nil for this runner's name.
  /// - Returns: true if there was such a pause.
  /// - Throws: ``JournalError``.
  @discardableResult
  public func resume(_ target: PauseTarget, by actor: String? = nil) async throws -> Bool {
    let wasPaused = try await journal.resume(
      target, by: actor ?? options.worker, at: JournalTime(time, boot: options.boot))
    wake(target)
    return wasPaused
  }

  /// The pauses in the journal; O(n) in their number.
  ///
  /// - Throws: ``JournalError``.
  public func pauses() async throws -> [JournalPause] {
    try await journal.pauses()
  }
}
