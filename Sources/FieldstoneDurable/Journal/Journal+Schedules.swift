package import Foundation

extension Journal {
  /// None: a journal without schedules keeps none.
  public func schedules() async throws -> [ScheduleRecord] { [] }

  /// Refuses, as a journal without schedules keeps none.
  ///
  /// - Throws: `JournalError.noSchedules`.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    throw JournalError.noSchedules
  }
}

extension PayloadLimits {
  /// Refuses a change of a schedule whose names or payloads are too long, or can't be told from others.
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
  ///   - tick: the tick that it is for.
  package func start(_ id: RunID, tick: Date) -> RunStart {
    var start = RunStart(
      id: id, flow: flow, version: version, payload: Data(stage.utf8), priority: options.priority,
      concurrencyKey: options.concurrencyKey)
    start.deadline = options.deadline.map { tick.addingTimeInterval($0 / .seconds(1)) }
    start.attributes = options.attributes
    start.attributes[ScheduleOptions.scheduleAttribute] = .string(name)
    start.attributes[ScheduleOptions.tickAttribute] = .date(tick)
    return start
  }

  /// Where its runs belong when runs are spread over several journals; nil for anywhere.
  package var slot: UInt16? {
    options.concurrencyKey.map { RunID.slot(of: flow, key: $0) }
  }
}
