import FieldstoneCore
public import FieldstoneStages

extension DurableRunner {
  /// Sets a schedule in the journal: from then on some runner starts a run of the flow at each tick.
  ///
  /// ```swift
  /// try await runner.setSchedule(
  ///   "nightly-export", of: Export.begin, .cron("30 2 * * *", in: berlin))
  /// ```
  ///
  /// The ticks are those after now, or after the last one of a schedule that is there. Setting the same
  /// again changes nothing, so it may be done at each launch; another timing, stage or option takes the
  /// place of what was set. A paused schedule stays paused. Any runner on the journal starts the runs,
  /// also one without the flow.
  ///
  /// - Parameters:
  ///   - name: names the schedule; no two on a journal have the same.
  ///   - stage: where each run begins.
  ///   - timing: when it runs.
  ///   - options: what becomes of ticks that are missed or overlap, and how runs are started.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the schedule as it is then.
  /// - Throws: ``ScheduleError``, ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``,
  ///   `EncodingError`.
  @discardableResult
  public func setSchedule<Work: ContextualStage & Codable>(
    _ name: String, of stage: Work, _ timing: ScheduleTiming,
    options: ScheduleOptions = ScheduleOptions(), flow: String? = nil
  ) async throws -> ScheduleStatus where Work.Completion: Codable {
    try await set(requests.schedule(name, of: stage, timing, options, flow: flow))
  }

  /// Sets a schedule in the journal: from then on some runner starts a run of the flow at each tick.
  ///
  /// The ticks are those after now, or after the last one of a schedule that is there. Setting the same
  /// again changes nothing, so it may be done at each launch; another timing, stage or option takes the
  /// place of what was set. A paused schedule stays paused. Any runner on the journal starts the runs,
  /// also one without the flow.
  ///
  /// - Parameters:
  ///   - name: names the schedule; no two on a journal have the same.
  ///   - stage: where each run begins.
  ///   - timing: when it runs.
  ///   - options: what becomes of ticks that are missed or overlap, and how runs are started.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the schedule as it is then.
  /// - Throws: ``ScheduleError``, ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``,
  ///   `EncodingError`.
  @discardableResult
  public func setSchedule<Work: DurableStage>(
    _ name: String, of stage: Work, _ timing: ScheduleTiming,
    options: ScheduleOptions = ScheduleOptions(), flow: String? = nil
  ) async throws -> ScheduleStatus {
    try await set(requests.schedule(name, of: stage, timing, options, flow: flow))
  }

  /// The schedules that the journal keeps, by their names; O(n) in their number.
  ///
  /// One that this code can't read is left out.
  ///
  /// - Throws: ``JournalError``.
  public func schedules() async throws -> [ScheduleStatus] {
    try await journal.schedules().compactMap { try? ScheduleStatus($0) }
  }

  /// Pauses a schedule: its ticks pass by, and are not started later.
  ///
  /// What was started goes on, and what is queued waits.
  ///
  /// - Throws: ``ScheduleError``, ``JournalError``.
  public func pauseSchedule(_ name: String) async throws {
    try await journal.pauseSchedule(name, at: journalTime)
  }

  /// Lets a paused schedule go on, from the first tick after now.
  ///
  /// - Returns: whether it was paused.
  /// - Throws: ``ScheduleError``, ``JournalError``.
  @discardableResult
  public func resumeSchedule(_ name: String) async throws -> Bool {
    let wasPaused = try await journal.resumeSchedule(name, at: journalTime)
    wakeForSchedules()
    return wasPaused
  }

  /// Removes a schedule; the runs that it has started go on.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``ScheduleError/contended(_:)``, ``JournalError``.
  @discardableResult
  public func removeSchedule(_ name: String) async throws -> Bool {
    try await journal.removeSchedule(name, at: journalTime)
  }

  /// Starts a run of a schedule now, beside its ticks, also while it is paused or a run of it is not over.
  ///
  /// - Returns: the run; for ticks it counts as one that is not over.
  /// - Throws: ``ScheduleError``, ``JournalError``.
  @discardableResult
  public func runNow(schedule name: String) async throws -> RunID {
    let requests = requests
    let id = try await journal.runNow(name, at: journalTime) { requests.newID(slot: $0) }
    nudge(id)
    return id
  }

  private var journalTime: JournalTime { JournalTime(time, boot: options.boot) }

  private func set(_ schedule: FlowSchedule) async throws -> ScheduleStatus {
    let status = try await journal.set(schedule, at: journalTime)
    wakeForSchedules()
    return status
  }
}
