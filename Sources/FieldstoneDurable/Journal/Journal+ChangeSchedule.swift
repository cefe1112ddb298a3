import Foundation

/// An operator's changes of schedules: each is a compare-and-set that is retried when it loses.
extension Journal {
  /// Sets a schedule; its ticks begin after a time, or continue if the timing is unchanged.
  package func set(
    _ schedule: FlowSchedule, by actor: String?, at time: JournalTime
  ) async throws -> ScheduleStatus {
    var schedule = schedule
    schedule.timing = schedule.timing.fixed
    for _ in 0..<scheduleTries {
      let old = try await scheduleRecord(schedule.name)
      // A record that this code can't read is replaced.
      let kept = old.flatMap { try? ScheduleStatus($0) }
      // An app with a schedule per customer sets all of them at each launch, with their old timing.
      let isKept = kept?.schedule.timing == schedule.timing
      let now = isKept ? time.date : try await currentDate(byCaller: time.date)
      let status = try ScheduleStatus(setting: schedule, over: kept, at: now)
      let new =
        if let old, kept?.schedule == schedule {
          try status.record(over: old, dueAt: status.dueAt)
        } else {
          try status.record(dueAt: status.dueAt)
        }
      // An unchanged schedule is not written, as at each launch.
      if let old, old.isUnchanged(from: new) { return status }
      if try await setSchedule(
        schedule.name, from: old, to: new, starting: [], by: actor, at: time)
      {
        return status
      }
    }
    throw ScheduleError.contended(schedule.name)
  }

  /// Pauses a schedule.
  package func pauseSchedule(
    _ name: String, by actor: String?, at time: JournalTime
  ) async throws {
    for _ in 0..<scheduleTries {
      let old = try await knownRecord(name)
      var status = try ScheduleStatus(old)
      if status.progress.isPaused { return }
      status.progress.isPaused = true
      let new = try status.record(over: old, dueAt: nil)
      if try await setSchedule(
        name, from: old, to: new, starting: [], by: actor, at: time)
      {
        return
      }
    }
    throw ScheduleError.contended(name)
  }

  /// Resumes a paused schedule after a time.
  package func resumeSchedule(
    _ name: String, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    for _ in 0..<scheduleTries {
      let old = try await knownRecord(name)
      var status = try ScheduleStatus(old)
      guard status.progress.isPaused else { return false }
      status.progress.isPaused = false
      let now = try await currentDate(byCaller: time.date)
      status.progress.nextTick = status.schedule.timing.next(after: now)
      let new = try status.record(over: old, dueAt: status.dueAt)
      if try await setSchedule(
        name, from: old, to: new, starting: [], by: actor, at: time)
      {
        return true
      }
    }
    throw ScheduleError.contended(name)
  }

  /// Removes a schedule, even if this code can't read it.
  package func removeSchedule(
    _ name: String, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    for _ in 0..<scheduleTries {
      guard let old = try await scheduleRecord(name) else { return false }
      if try await setSchedule(
        name, from: old, to: nil, starting: [], by: actor, at: time)
      {
        return true
      }
    }
    throw ScheduleError.contended(name)
  }

  /// Starts a run of a schedule.
  ///
  /// - Parameters:
  ///   - name: names the schedule.
  ///   - actor: the name of the person or the program that starts it.
  ///   - time: the time of the call.
  ///   - makeID: makes the identifier of a run that has a slot. If the schedule's last run has that
  ///     identifier, nothing is started.
  package func runNow(
    _ name: String, by actor: String?, at time: JournalTime, makeID: (UInt16?) throws -> RunID
  ) async throws -> RunStart {
    // The same identifier at each try: the answer of a successful try may have been lost.
    let id = try makeID(try await slotOfRuns(ofSchedule: name))
    let now = try await currentDate(byCaller: time.date)
    for _ in 0..<scheduleTries {
      let old = try await knownRecord(name)
      var status = try ScheduleStatus(old)
      let start = status.schedule.start(id, tick: now, at: now)
      guard status.progress.lastRun != id else { return start }
      status.progress.lastRun = id
      let new = try status.record(over: old, dueAt: old.dueAt)
      if try await setSchedule(
        name, from: old, to: new, starting: [start], by: actor, at: time)
      {
        return start
      }
    }
    throw ScheduleError.contended(name)
  }

  /// The slot of the runs of a schedule; nil if it has none.
  package func slotOfRuns(ofSchedule name: String) async throws -> UInt16? {
    let schedule = try ScheduleStatus(try await knownRecord(name)).schedule
    // A shard that is opened alone knows from its record which flows have one slot.
    let isOnOne = try await slots()?.flowsOnOneShard.contains(schedule.flow) ?? false
    return slot(of: schedule.flow, key: isOnOne ? "" : schedule.slotKey)
  }

  private func knownRecord(_ name: String) async throws -> ScheduleRecord {
    guard let record = try await scheduleRecord(name) else {
      throw ScheduleError.noSchedule(name)
    }
    return record
  }

  /// The schedule of a name; nil if there is none.
  package func scheduleRecord(_ name: String) async throws -> ScheduleRecord? {
    if let index = self as? any ScheduleIndex { return try await index.schedule(named: name) }
    return try await schedules().first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

/// A journal that finds a schedule by its name without reading the others.
///
/// An app with a schedule per customer sets all of them at each launch.
package protocol ScheduleIndex: Journal {
  /// The schedule of a name; nil if there is none.
  func schedule(named name: String) async throws -> ScheduleRecord?
}

extension JournalDecorator {
  package func schedule(named name: String) async throws -> ScheduleRecord? {
    try await relay(.schedules) { try await decorated.scheduleRecord(name) }
  }
}

/// The number of tries against concurrent changes: workers change a schedule once per tick.
private let scheduleTries = 20

extension ScheduleStatus {
  /// A schedule that replaces another one, or is new.
  fileprivate init(
    setting schedule: FlowSchedule, over kept: ScheduleStatus?, at date: Date
  ) throws(ScheduleError) {
    var progress = kept?.progress ?? ScheduleProgress()
    if kept?.schedule.timing != schedule.timing {
      guard let next = schedule.timing.next(after: date) else { throw .noTicks(schedule.name) }
      progress.nextTick = next
    }
    self.init(schedule: schedule, progress: progress)
  }

  /// When a worker must examine it: at its next tick, at once if ticks wait, never while it is
  /// paused.
  var dueAt: Date? {
    if progress.isPaused { return nil }
    return progress.queuedTicks.first ?? progress.nextTick
  }
}
