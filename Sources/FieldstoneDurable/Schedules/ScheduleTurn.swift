package import Foundation

/// The actions that a schedule needs at a point in time, as a pure decision.
package struct ScheduleTurn: Equatable {
  /// The ticks for which runs are started, in their order.
  package var starts: [Date] = []
  /// The ticks that are not started because an earlier run is unfinished.
  package var overlapping: [Date] = []
  /// The missed ticks, which are not started: from the first up to the last.
  ///
  /// If a later tick is started for them, the range ends with that tick, which was not missed.
  package var missed: ClosedRange<Date>?
  /// The schedule's progress afterwards, except the last run.
  package var progress: ScheduleProgress
  /// When to examine it again; nil for never.
  package var dueAt: Date?

  /// The time between two checks of a queue.
  static let recheck: TimeInterval = 1

  /// Decides.
  ///
  /// - Parameters:
  ///   - now: the current time by the journal's clock.
  ///   - hasOpenRun: whether a run of the schedule is unfinished; ignored if runs may overlap.
  package init(_ status: ScheduleStatus, at now: Date, hasOpenRun: Bool) {
    let options = status.schedule.options
    progress = status.progress
    guard !progress.isPaused else { return }
    // A journal may store times less exactly than a tick.
    let end = now.addingTimeInterval(0.001)
    var new: [Date] = []
    if let next = progress.nextTick, next <= end {
      let due = status.schedule.timing.lastTicks(
        from: next, through: end, atMost: options.missed.most)
      guard let last = due.last else { return }
      new = due
      let oldest = now.addingTimeInterval(-max(1, options.tolerance / .seconds(1)))
      if options.missed == .skip, last < oldest { new = [] }
      // The ticks before the first started one; their number is unknown.
      if new.isEmpty { missed = next...last } else if next < due[0] { missed = next...due[0] }
      progress.nextTick = status.schedule.timing.next(after: max(end, last))
    }
    line(up: new, options.overlap, hasOpenRun: hasOpenRun)
    let again = progress.queuedTicks.isEmpty ? nil : now.addingTimeInterval(Self.recheck)
    dueAt = [progress.nextTick, again].compactMap(\.self).min()
    progress.lastTick = starts.last ?? progress.lastTick
  }

  private mutating func line(up new: [Date], _ overlap: TickOverlap, hasOpenRun: Bool) {
    var waiting = progress.queuedTicks + new
    progress.queuedTicks = []
    switch overlap {
    case .allow: starts = waiting
    case .skip:
      if !hasOpenRun, !waiting.isEmpty { starts = [waiting.removeFirst()] }
      overlapping = waiting
    case .queue(let most):
      if !hasOpenRun, !waiting.isEmpty { starts = [waiting.removeFirst()] }
      let places = min(max(most, 1), 1_000)
      progress.queuedTicks = Array(waiting.prefix(places))
      overlapping = Array(waiting.dropFirst(places))
    }
  }
}

extension ScheduleStatus {
  /// The seconds by which a clock may be set without an effect on next ticks; what is set back by
  /// less silences a schedule for less than a day, and no tick comes twice.
  static let clockTolerance: TimeInterval = 86_400

  /// The status with its next tick computed anew, if a clock was ahead when it was computed; nil
  /// otherwise.
  func corrected(at now: Date) -> ScheduleStatus? {
    let timing = schedule.timing
    guard !progress.isPaused, let next = progress.nextTick,
      let latest = timing.next(after: now + Self.clockTolerance), next > latest + 1
    else { return nil }
    var status = self
    status.progress.nextTick = timing.next(after: now)
    return status
  }
}

extension MissedTicks {
  /// The largest number of ticks that are started at once.
  fileprivate var most: Int {
    switch self {
    case .skip, .once: 1
    case .each(let count): min(max(count, 1), 100)
    }
  }
}
