public import Foundation

/// A schedule as a journal keeps it.
///
/// A journal reads none of the two JSON values: workers do. It compares them byte by byte, so that of two
/// workers that have read the same record one changes it.
public struct ScheduleRecord: Sendable, Hashable {
  /// Names the schedule.
  public var name: String
  /// What was set, as the JSON of a ``FlowSchedule``.
  public var definition: Data
  /// How far it has come, as JSON.
  public var progress: Data
  /// When a worker has to look at it, by the journal's clock; nil for never.
  public var dueAt: Date?

  /// Makes a record.
  public init(name: String, definition: Data, progress: Data, dueAt: Date? = nil) {
    self.name = name
    self.definition = definition
    self.progress = progress
    self.dueAt = dueAt
  }

  /// Whether another is the same record, not changed since; when it is due follows from its progress.
  package func isUnchanged(from other: Self) -> Bool {
    name.utf8.elementsEqual(other.name.utf8) && definition == other.definition
      && progress == other.progress
  }
}

/// The schedules that a worker has to look at.
public struct DueSchedules: Sendable, Hashable {
  /// The time by the journal's clock.
  public var now: Date
  /// Those that are due, the longest due first: a hundred at most.
  public var due: [ScheduleRecord]
  /// When the next one is due that is not yet, by the journal's clock; nil when none will be.
  public var nextAt: Date?

  /// How many are given at once.
  package static let most = 100

  /// Makes an answer.
  public init(now: Date, due: [ScheduleRecord], nextAt: Date? = nil) {
    self.now = now
    self.due = due
    self.nextAt = nextAt
  }
}

/// A schedule with how far it has come.
public struct ScheduleStatus: Sendable, Equatable {
  /// What was set.
  public var schedule: FlowSchedule
  /// How far it has come.
  public var progress: ScheduleProgress

  /// Makes a status.
  public init(schedule: FlowSchedule, progress: ScheduleProgress) {
    self.schedule = schedule
    self.progress = progress
  }
}

/// How far a schedule has come.
public struct ScheduleProgress: Sendable, Hashable, Codable {
  /// The next tick; nil when there will be none.
  public var nextTick: Date?
  /// Whether it is paused: its ticks pass by, and are not started later.
  public var isPaused = false
  /// The ticks that wait for earlier runs, the oldest first.
  public var queuedTicks: [Date] = []
  /// The last tick for which a run was started.
  public var lastTick: Date?
  /// The last run that was started, also by hand.
  public var lastRun: RunID?

  /// Makes a progress.
  public init(nextTick: Date? = nil) { self.nextTick = nextTick }
}

extension ScheduleStatus {
  /// Reads what a journal keeps.
  ///
  /// - Throws: ``ScheduleError/unreadable(_:error:)``.
  package init(_ record: ScheduleRecord) throws(ScheduleError) {
    do {
      schedule = try ScheduleJSON.decoder.decode(FlowSchedule.self, from: record.definition)
      progress = try ScheduleJSON.decoder.decode(ScheduleProgress.self, from: record.progress)
    } catch {
      throw .unreadable(record.name, error: String("\(error)".prefix(500)))
    }
  }

  /// The record as a journal keeps it.
  ///
  /// - Parameter dueAt: when a worker has to look at it.
  package func record(dueAt: Date?) throws -> ScheduleRecord {
    ScheduleRecord(
      name: schedule.name, definition: try ScheduleJSON.encoder.encode(schedule),
      progress: try ScheduleJSON.encoder.encode(progress), dueAt: dueAt)
  }
}

private enum ScheduleJSON {
  // Both are classes that no code changes once they are set up.
  static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  static let decoder = JSONDecoder()
}
