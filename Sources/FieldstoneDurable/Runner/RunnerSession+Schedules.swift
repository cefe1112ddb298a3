import FieldstoneCore
import Foundation

/// What a runner knows of the schedules of its journal.
struct Ticks {
  /// The schedules that it could do nothing about, as they were then.
  fileprivate var failed: [String: ScheduleRecord] = [:]
  /// When the next one is due, by uptime, so that a wall clock that is set back holds up none for long; nil when
  /// none is known.
  fileprivate(set) var nextAt: Duration?
  /// When the journal was asked last, by uptime.
  fileprivate(set) var askedAt: Duration

  /// - Parameter uptime: the time now.
  init(at uptime: Duration) { askedAt = uptime }
}

extension RunnerSession {
  /// Starts the runs of the schedules that are due, each unless another worker was faster.
  ///
  /// The calendar is asked outside any transaction. Then the next tick is written in the transaction that
  /// starts the runs, if the schedule is still as it was read.
  ///
  /// - Parameter uptime: when the journal was asked; what has passed since is not waited for again.
  /// - Returns: whether any has changed, so that there may be something to claim.
  func tick(
    _ schedules: DueSchedules?, _ ticks: inout Ticks, askedAt uptime: Duration
  ) async throws -> Bool {
    (ticks.nextAt, ticks.askedAt) = (nil, uptime)
    guard let schedules else { return false }
    if let next = schedules.nextAt {
      // Asked again in time: the distance is of the journal's clock, which may be set meanwhile.
      let distance = min(max(0, next.timeIntervalSince(schedules.now)), 60)
      ticks.nextAt = uptime + .seconds(distance) + .milliseconds(1)
    }
    var isAnyChanged = false
    for record in schedules.due {
      if isStopping { break }
      do {
        if try await tick(record, at: schedules.now) { isAnyChanged = true }
        ticks.failed[record.name] = nil
      } catch let error as JournalError where error.endsTicks {
        throw error
      } catch {
        // Told once: it is due again at each claim.
        if ticks.failed.updateValue(record, forKey: record.name) != record {
          emit(.scheduleFailed(schedule: record.name, error: Self.text(of: error)))
        }
      }
    }
    // What is due next is not known: it is asked again, also where there is no room for runs.
    if isAnyChanged { ticks.nextAt = time.uptime }
    return isAnyChanged
  }

  /// Starts what is due while no run is claimed: other workers may have room.
  func tickWithoutRoom(_ ticks: inout Ticks) async {
    do {
      let asked = time.uptime
      let claim = try await journal.claim(
        ClaimRequest(worker: options.worker, flows: [], lease: lease, limit: 0), at: journalTime)
      _ = try await tick(claim.schedules, &ticks, askedAt: asked)
    } catch {
      // What is wrong with the journal is told by the next claim that has room.
      ticks.askedAt = time.uptime
      ticks.nextAt = time.uptime + max(.seconds(1), options.pollInterval)
    }
  }

  private func tick(_ record: ScheduleRecord, at now: Date) async throws -> Bool {
    var status = try ScheduleStatus(record)
    let schedule = status.schedule
    let turn = ScheduleTurn(
      status, at: now, hasOpenRun: try await hasOpenRun(of: schedule, status.progress))
    let starts = turn.starts.map { requests.start(by: schedule, tick: $0) }
    status.progress = turn.progress
    status.progress.lastRun = starts.last?.id ?? status.progress.lastRun
    let new = try status.record(dueAt: turn.dueAt)
    guard
      try await journal.setSchedule(
        record.name, from: record, to: new, starting: starts, at: journalTime)
    else { return true }
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
    return try await !journal.runs(query).runs.isEmpty
  }
}

extension JournalError {
  /// Whether it is of the journal, and not of one schedule.
  fileprivate var endsTicks: Bool {
    switch self {
    case .unavailable, .closed, .replaced, .corrupt, .newerSchema, .noJournal: true
    default: false
    }
  }
}
