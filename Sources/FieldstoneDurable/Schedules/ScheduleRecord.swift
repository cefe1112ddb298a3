public import Foundation

/// The record of a schedule in a journal.
///
/// Only workers read its two JSON values. The journal compares them byte by byte, so that only one
/// of two workers with the same record can change it.
public struct ScheduleRecord: Sendable, Hashable {
  /// Names the schedule.
  public var name: String
  /// The definition, as the JSON of a ``FlowSchedule``.
  public var definition: Data
  /// The progress, as JSON.
  public var progress: Data
  /// When a worker must examine it, by the journal's clock; nil for never.
  public var dueAt: Date?

  /// Makes a record.
  public init(name: String, definition: Data, progress: Data, dueAt: Date? = nil) {
    self.name = name
    self.definition = definition
    self.progress = progress
    self.dueAt = dueAt
  }

  /// Whether another record is unchanged from this one; `dueAt` follows from the progress.
  package func isUnchanged(from other: Self) -> Bool {
    name.utf8.elementsEqual(other.name.utf8) && definition == other.definition
      && progress == other.progress
  }
}

/// The schedules that a worker must examine.
public struct DueSchedules: Sendable, Hashable {
  /// The current time by the journal's clock.
  public var now: Date
  /// The due schedules, the longest due first: at most a hundred.
  public var due: [ScheduleRecord]
  /// When the next schedule becomes due, by the journal's clock; nil if none will.
  public var nextAt: Date?

  /// The largest number in one answer.
  package static let most = 100

  /// Makes an answer.
  public init(now: Date, due: [ScheduleRecord], nextAt: Date? = nil) {
    self.now = now
    self.due = due
    self.nextAt = nextAt
  }
}

/// A schedule and its progress.
public struct ScheduleStatus: Sendable, Equatable {
  /// The schedule's definition.
  public var schedule: FlowSchedule
  /// The schedule's progress.
  public var progress: ScheduleProgress

  /// Makes a status.
  public init(schedule: FlowSchedule, progress: ScheduleProgress) {
    self.schedule = schedule
    self.progress = progress
  }
}

/// The progress of a schedule.
public struct ScheduleProgress: Sendable, Hashable, Codable {
  /// The next tick; nil if there is none.
  public var nextTick: Date?
  /// Whether it is paused; ticks that pass meanwhile are not started later.
  public var isPaused = false
  /// The ticks that wait for earlier runs, oldest first.
  public var queuedTicks: [Date] = []
  /// The last tick for which a run was started.
  public var lastTick: Date?
  /// The last run that was started, including manual starts.
  public var lastRun: RunID?

  /// Makes a progress.
  public init(nextTick: Date? = nil) { self.nextTick = nextTick }
}

extension ScheduleStatus {
  /// Reads a journal's record.
  ///
  /// - Throws: ``ScheduleError/unreadable(_:error:)``.
  package init(_ record: ScheduleRecord) throws(ScheduleError) {
    do {
      try PayloadEnvelope.check(record.definition)
      schedule = try ScheduleJSON.decoder.decode(FlowSchedule.self, from: record.definition)
      progress = try ScheduleJSON.decoder.decode(ScheduleProgress.self, from: record.progress)
    } catch let error as PayloadError {
      throw .unreadable(record.name, error: error.message)
    } catch {
      throw .unreadable(record.name, error: String("\(error)".prefix(500)))
    }
    // Other code may have written it without this check.
    if let problem = schedule.timing.problem { throw .unreadable(record.name, error: problem) }
  }

  /// The record to store in a journal.
  ///
  /// - Parameter dueAt: when a worker must examine it.
  package func record(dueAt: Date?) throws -> ScheduleRecord {
    ScheduleRecord(
      name: schedule.name, definition: try ScheduleJSON.encoder.encode(schedule),
      progress: try ScheduleJSON.encoder.encode(progress), dueAt: dueAt)
  }

  /// The record with another progress of the same schedule.
  ///
  /// The definition keeps its bytes: newer code may have put more into it than this code reads.
  ///
  /// - Parameters:
  ///   - record: the record from which the schedule was read.
  ///   - dueAt: when a worker must examine it.
  package func record(over record: ScheduleRecord, dueAt: Date?) throws -> ScheduleRecord {
    ScheduleRecord(
      name: record.name, definition: record.definition,
      progress: try ScheduleJSON.encoder.encode(progress), dueAt: dueAt)
  }
}

private enum ScheduleJSON {
  // Both are classes, which no code changes after their setup.
  static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  static let decoder = JSONDecoder()
}
