import FieldstoneCore
import Foundation

/// The state of a runner's work on the schedules of its journal.
struct Ticks {
  /// The schedules that failed, as they were then.
  fileprivate var failed: [String: ScheduleRecord] = [:]
  /// The schedules that others have changed before this worker could, as they were then.
  fileprivate var lost: [String: ScheduleRecord] = [:]
  /// When the next one is due; nil if unknown.
  ///
  /// By uptime, so that setting the wall clock back delays no schedule for long.
  fileprivate(set) var nextAt: Duration?
  /// When the journal was last asked, by uptime.
  fileprivate(set) var askedAt: Duration
  /// The seconds by which the journal's clock was ahead of the uptime then; nil before.
  fileprivate var offset: TimeInterval?
  /// The uptime at which all schedules may be read again.
  fileprivate var readsAllAt = Duration.zero

  /// - Parameter uptime: the current uptime.
  init(at uptime: Duration) { askedAt = uptime }
}

extension RunnerSession {
  /// Starts the runs of the due schedules, unless another worker has started them.
  ///
  /// The calendar is computed outside any transaction. Then the next tick is written in the
  /// transaction that starts the runs, if the schedule is unchanged since it was read.
  ///
  /// - Parameter uptime: when the journal was asked; the time since then shortens the wait.
  /// - Returns: true if any schedule has changed, so that there may be runs to claim.
  func tick(
    _ schedules: DueSchedules?, _ ticks: inout Ticks, askedAt uptime: Duration
  ) async throws -> Bool {
    (ticks.nextAt, ticks.askedAt) = (nil, uptime)
    guard let schedules else { return false }
    if let next = schedules.nextAt {
      // Asked again after at most 60 s: the distance is by the journal's clock, which may be set
      // meanwhile.
      let distance = min(max(0, next.timeIntervalSince(schedules.now)), 60)
      ticks.nextAt = uptime + .seconds(distance) + .milliseconds(1)
    }
    let offset = schedules.now.timeIntervalSinceReferenceDate - uptime / .seconds(1)
    var isAnyChanged = false
    if let last = ticks.offset, offset < last - ScheduleStatus.clockTolerance {
      isAnyChanged = try await correctTicks(at: schedules.now)
    }
    ticks.offset = offset
    if try await tick(schedules.due, at: schedules.now, &ticks) { isAnyChanged = true }
    if try await tickOthers(than: schedules, &ticks) { isAnyChanged = true }
    // The next due tick is unknown: the journal is asked again, even without room for runs.
    if isAnyChanged { ticks.nextAt = time.uptime }
    return isAnyChanged
  }

  /// Starts the runs of due schedules, and remembers those that fail.
  private func tick(
    _ due: [ScheduleRecord], at now: Date, _ ticks: inout Ticks
  ) async throws -> Bool {
    var isAnyChanged = false
    for record in due {
      if isStopping { break }
      do {
        if try await tick(record, at: now) {
          ticks.lost[record.name] = nil
        } else if ticks.lost.updateValue(record, forKey: record.name) == record {
          // It has not changed at all: to ask again at once would never end.
          throw ScheduleError.contended(record.name)
        }
        isAnyChanged = true
        ticks.failed[record.name] = nil
      } catch let error as JournalError where error.endsTicks {
        throw error
      } catch {
        // Reported once: the schedule is due again at each claim.
        if ticks.failed.updateValue(record, forKey: record.name) != record {
          emit(.scheduleFailed(schedule: record.name, error: Self.text(of: error)))
        }
      }
    }
    return isAnyChanged
  }

  /// Starts the due schedules for which failing ones, which stay due, have left no room in a
  /// journal's answer.
  ///
  /// All schedules are read for it, at most once a second.
  private func tickOthers(
    than answer: DueSchedules, _ ticks: inout Ticks
  ) async throws -> Bool {
    guard answer.due.count >= DueSchedules.most,
      answer.due.allSatisfy({ ticks.failed[$0.name] == $0 })
    else { return false }
    var isAnyChanged = false
    if ticks.readsAllAt <= ticks.askedAt {
      // After the question, not after now: its answer says nothing of schedules due since.
      ticks.readsAllAt = ticks.askedAt + .seconds(1)
      let known = Set(answer.due)
      let others = try await journal.schedules().filter { record in
        record.dueAt.map { $0 <= answer.now } == true && !known.contains(record)
      }
      isAnyChanged = try await tick(others, at: answer.now, &ticks)
    }
    ticks.nextAt = min(ticks.nextAt ?? ticks.readsAllAt, ticks.readsAllAt)
    return isAnyChanged
  }

  /// Starts due schedules while no run is claimed: other workers may have room.
  func tickWithoutRoom(_ ticks: inout Ticks) async {
    do {
      // A journal carries out several hundred cancellations per claim, and says if there are more.
      var mayHaveMore = true
      while mayHaveMore, !isStopping {
        let asked = journalTime
        let claim = try await journal.claim(
          ClaimRequest(worker: options.worker, flows: [], lease: lease, limit: 0), at: asked)
        _ = try await tick(claim.schedules, &ticks, askedAt: asked.uptime)
        mayHaveMore = rooms.isEmpty && claim.nextDueAt.map { $0 <= asked.date } ?? false
      }
    } catch {
      // The next claim with room reports the journal's error.
      ticks.askedAt = time.uptime
      ticks.nextAt = time.uptime + max(.seconds(1), options.pollInterval)
    }
  }

  /// Computes next ticks anew that were computed while a clock was ahead: they would silence their
  /// schedules until then.
  ///
  /// Only after a clock was set back while the session works. At the beginning of a session, a clock
  /// that was ahead before can't be told from one that is behind now, and ticks would come twice.
  private func correctTicks(at now: Date) async throws -> Bool {
    var isAnyChanged = false
    for record in try await journal.schedules() {
      do {
        if try await correctTick(record, at: now) { isAnyChanged = true }
      } catch let error as JournalError where error.endsTicks {
        throw error
      } catch {
        // A schedule that can't be read or written is reported when it is due.
      }
    }
    return isAnyChanged
  }

  private func correctTick(_ record: ScheduleRecord, at now: Date) async throws -> Bool {
    let old = try ScheduleStatus(record)
    guard let status = old.corrected(at: now) else { return false }
    let new = try status.record(over: record, dueAt: status.dueAt)
    guard
      try await journal.setSchedule(
        record.name, from: record, to: new, starting: [], at: journalTime)
    else { return false }
    let ticks = [old, status].map { $0.progress.nextTick.map { "\($0)" } ?? "never" }
    emit(
      .scheduleFailed(
        schedule: record.name,
        error: "A clock was ahead when the next tick was computed; it was \(ticks[0]), and is "
          + "\(ticks[1]) now."),
      flow: status.schedule.flow)
    return true
  }

  /// - Returns: false if another worker was faster.
  private func tick(_ record: ScheduleRecord, at now: Date) async throws -> Bool {
    var status = try ScheduleStatus(record)
    let schedule = status.schedule
    let turn = ScheduleTurn(
      status, at: now, hasOpenRun: try await hasOpenRun(of: schedule, status.progress))
    let starts = turn.starts.map { requests.start(by: schedule, tick: $0, at: now) }
    status.progress = turn.progress
    status.progress.lastRun = starts.last?.id ?? status.progress.lastRun
    let new = try status.record(over: record, dueAt: turn.dueAt)
    guard
      try await journal.setSchedule(
        record.name, from: record, to: new, starting: starts, at: journalTime)
    else { return false }
    if let missed = turn.missed {
      emit(
        .ticksMissed(
          schedule: schedule.name, first: missed.lowerBound, last: missed.upperBound),
        flow: schedule.flow)
    }
    if !turn.overlapping.isEmpty {
      emit(
        .ticksOverlapped(schedule: schedule.name, ticks: turn.overlapping), flow: schedule.flow)
    }
    for (start, tick) in zip(starts, turn.starts) {
      emit(.scheduled(by: schedule.name, tick: tick), flow: schedule.flow, run: start.id)
    }
    return true
  }

  private func hasOpenRun(
    of schedule: FlowSchedule, _ progress: ScheduleProgress
  ) async throws -> Bool {
    if schedule.options.overlap == .allow { return false }
    var query = RunQuery(flow: schedule.flow, states: [.ready, .running, .blocked], limit: 1)
    query.attributes = [ScheduleOptions.scheduleAttribute: .string(schedule.name)]
    query.slot = journal.slot(of: schedule.flow, key: schedule.slotKey)
    return try await !journal.runs(query).runs.isEmpty
  }
}

extension JournalError {
  /// True for an error of the journal, false for an error of one schedule.
  fileprivate var endsTicks: Bool {
    switch self {
    case .unavailable, .closed, .replaced, .corrupt, .newerSchema, .noJournal, .notPermitted: true
    default: false
    }
  }
}
