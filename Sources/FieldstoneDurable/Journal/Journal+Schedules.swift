package import Foundation

extension Journal {
  /// None: a journal without this requirement stores no schedules.
  public func schedules() async throws -> [ScheduleRecord] { [] }

  /// Throws, because a journal without this requirement stores no schedules.
  ///
  /// - Throws: `JournalError.noSchedules`.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    throw JournalError.noSchedules
  }
}

extension PayloadLimits {
  /// Throws for a schedule whose names or payloads are too long, or whose names contain a NUL.
  package func check(
    _ name: String, _ new: ScheduleRecord?, _ starts: [RunStart]
  ) throws(JournalError) {
    try checkName(ofSchedule: name)
    if let new {
      try check(new.definition)
      try check(new.progress)
    }
    for start in starts {
      try checkNames(of: start)
      try check(start.payload)
    }
  }
}

extension FlowSchedule {
  /// Makes the start of a run.
  ///
  /// - Parameters:
  ///   - id: names the run.
  ///   - tick: the tick to start the run for.
  ///   - now: the time of the start, by the journal's clock.
  package func start(_ id: RunID, tick: Date, at now: Date) -> RunStart {
    var start = RunStart(
      id: id, flow: flow, version: version, payload: Data(stage.utf8), priority: options.priority,
      concurrencyKey: options.concurrencyKey)
    // From the start, if the tick was missed or queued: the run would be cancelled unbegun.
    let isLate = now.timeIntervalSince(tick) > max(options.tolerance, .seconds(1)) / .seconds(1)
    start.deadline = options.deadline.map {
      (isLate ? now : tick).addingTimeInterval($0 / .seconds(1))
    }
    start.attributes = options.attributes
    start.attributes[ScheduleOptions.scheduleAttribute] = .string(name)
    start.attributes[ScheduleOptions.tickAttribute] = .date(tick)
    return start
  }

  /// The key that determines the slot of the schedule and its runs.
  ///
  /// They share a slot, because a tick is one transaction with the start of its run.
  package var slotKey: String { options.concurrencyKey ?? name }
}
