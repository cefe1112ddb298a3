import FieldstoneCore
public import FieldstoneStages

extension DurableRunner {
  /// Sets a schedule in the journal; a runner starts a run of the flow at each tick.
  ///
  /// ```swift
  /// try await runner.setSchedule(
  ///   "nightly-export", of: Export.begin, .cron("30 2 * * *", in: berlin))
  /// ```
  ///
  /// Ticks begin after now, or after the last tick of an existing schedule. Setting the same
  /// schedule again changes nothing, so it can be done at each launch. Another timing, stage or
  /// option replaces the old one. A paused schedule stays paused. Any runner on the journal starts
  /// the runs, even a runner without the flow.
  ///
  /// - Parameters:
  ///   - name: names the schedule, uniquely on a journal.
  ///   - stage: where each run begins.
  ///   - timing: when it runs.
  ///   - options: how missed and overlapping ticks are handled, and how runs are started.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the resulting schedule.
  /// - Throws: ``ScheduleError``, ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``,
  ///   `EncodingError`.
  @discardableResult
  public func setSchedule<Work: ContextualStage & Codable>(
    _ name: String, of stage: Work, _ timing: ScheduleTiming,
    options: ScheduleOptions = ScheduleOptions(), flow: String? = nil
  ) async throws -> ScheduleStatus where Work.Completion: Codable {
    try await set(requests.schedule(name, of: stage, timing, options, flow: flow))
  }

  /// Sets a schedule in the journal; a runner starts a run of the flow at each tick.
  ///
  /// Ticks begin after now, or after the last tick of an existing schedule. Setting the same
  /// schedule again changes nothing, so it can be done at each launch. Another timing, stage or
  /// option replaces the old one. A paused schedule stays paused. Any runner on the journal starts
  /// the runs, even a runner without the flow.
  ///
  /// - Parameters:
  ///   - name: names the schedule, uniquely on a journal.
  ///   - stage: where each run begins.
  ///   - timing: when it runs.
  ///   - options: how missed and overlapping ticks are handled, and how runs are started.
  ///   - flow: names the flow; needed only where several have this type of stage.
  /// - Returns: the resulting schedule.
  /// - Throws: ``ScheduleError``, ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``,
  ///   `EncodingError`.
  @discardableResult
  public func setSchedule<Work: DurableStage>(
    _ name: String, of stage: Work, _ timing: ScheduleTiming,
    options: ScheduleOptions = ScheduleOptions(), flow: String? = nil
  ) async throws -> ScheduleStatus {
    try await set(requests.schedule(name, of: stage, timing, options, flow: flow))
  }

  /// The schedules in the journal, sorted by name; O(n) in their number.
  ///
  /// Schedules that this code can't read are left out.
  ///
  /// - Throws: ``JournalError``.
  public func schedules() async throws -> [ScheduleStatus] {
    try await journal.schedules().compactMap { try? ScheduleStatus($0) }
  }

  /// Pauses a schedule; ticks that pass meanwhile are not started later.
  ///
  /// Started runs continue, and queued ticks wait.
  ///
  /// - Throws: ``ScheduleError``, ``JournalError``.
  public func pauseSchedule(_ name: String) async throws {
    try await journal.pauseSchedule(name, by: options.worker, at: journalTime)
  }

  /// Resumes a paused schedule from the first tick after now.
  ///
  /// - Returns: true if it was paused.
  /// - Throws: ``ScheduleError``, ``JournalError``.
  @discardableResult
  public func resumeSchedule(_ name: String) async throws -> Bool {
    let wasPaused = try await journal.resumeSchedule(
      name, by: options.worker, at: journalTime)
    wakeForSchedules()
    return wasPaused
  }

  /// Removes a schedule; the runs that it has started continue.
  ///
  /// - Returns: true if the schedule existed.
  /// - Throws: ``ScheduleError/contended(_:)``, ``JournalError``.
  @discardableResult
  public func removeSchedule(_ name: String) async throws -> Bool {
    try await journal.removeSchedule(name, by: options.worker, at: journalTime)
  }

  /// Starts a run of a schedule now, in addition to its ticks.
  ///
  /// It also starts while the schedule is paused or its last run is unfinished.
  ///
  /// - Returns: the run; ticks treat it as an unfinished run of the schedule.
  /// - Throws: ``ScheduleError``, ``JournalError``.
  @discardableResult
  public func runNow(schedule name: String) async throws -> RunID {
    let requests = requests
    let start = try await journal.runNow(name, by: options.worker, at: journalTime) {
      requests.newID(slot: $0)
    }
    emit(.started, flow: start.flow, run: start.id)
    nudge(start.id)
    return start.id
  }

  private var journalTime: JournalTime { JournalTime(time, boot: options.boot) }

  private func set(_ schedule: FlowSchedule) async throws -> ScheduleStatus {
    let status = try await journal.set(schedule, by: options.worker, at: journalTime)
    wakeForSchedules()
    return status
  }
}
