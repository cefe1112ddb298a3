public import Foundation

extension Journal {
  /// None: a journal without an audit has no rows.
  public func audit(_ query: AuditQuery) async throws -> AuditPage { AuditPage(records: []) }
}

/// The changes without the name of an actor.
extension Journal {
  /// Applies a change to a run; its audit row names no actor.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, at time: JournalTime
  ) async throws -> RunRecord {
    try await self.change(id, change, by: nil, at: time)
  }

  /// Pauses a flow, a concurrency key or a run; the audit row names no actor.
  public func pause(
    _ target: PauseTarget, until date: Date?, at time: JournalTime
  ) async throws {
    try await pause(target, until: date, by: nil, at: time)
  }

  /// Ends a pause; the audit row names no actor.
  @discardableResult
  public func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await resume(target, by: nil, at: time)
  }

  /// Sets the limits of a flow as a runner declares them, without an audit row.
  @discardableResult
  public func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await setLimits(limits, of: flow, replacing: replacing, by: nil, at: time)
  }

  /// Sets, changes or removes a schedule as a runner's tick does, without an audit row.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try await setSchedule(name, from: old, to: new, starting: starts, by: nil, at: time)
  }
}
