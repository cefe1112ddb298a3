import Foundation

/// A flow that is started again and again, by a timing.
public struct FlowSchedule: Sendable, Equatable, Codable {
  /// Names the schedule: no two on a journal have the same, compared byte by byte.
  public var name: String
  /// The name of the flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The first stage of each run, as JSON.
  public var stage: String
  /// When it runs.
  public var timing: ScheduleTiming
  /// What becomes of ticks that are missed or overlap, and how runs are started.
  public var options: ScheduleOptions

  /// Makes a schedule.
  public init(
    name: String, flow: String, version: Int, stage: String, timing: ScheduleTiming,
    options: ScheduleOptions = ScheduleOptions()
  ) {
    self.name = name
    self.flow = flow
    self.version = version
    self.stage = stage
    self.timing = timing
    self.options = options
  }
}

/// What becomes of the ticks of a schedule, and how its runs are started.
///
/// ```swift
/// // Every night's export, also in the morning when no worker ran at night; never two at once.
/// ScheduleOptions(missed: .once, overlap: .skip)
/// ```
public struct ScheduleOptions: Sendable, Hashable, Codable {
  /// What becomes of ticks that came while no worker ran.
  public var missed: MissedTicks
  /// What becomes of a tick while an earlier run is not over.
  public var overlap: TickOverlap
  /// How late a tick may be started and still counts as not missed; less than a second counts as one.
  public var tolerance: Duration
  /// Of the runs that are due the higher number goes first; see ``RunOptions/priority``.
  public var priority: Int
  /// What the runs have in common with others of the flow; see ``RunOptions/concurrencyKey``.
  public var concurrencyKey: String?
  /// How long after its tick a run is cancelled unless it is over; nil for never.
  public var deadline: Duration?
  /// What the runs can be found by, beside ``scheduleAttribute`` and ``tickAttribute``; at most 14.
  public var attributes: [String: RunAttribute]

  /// Makes options; what is not named stays as it is by default.
  public init(
    missed: MissedTicks = .once, overlap: TickOverlap = .skip,
    tolerance: Duration = .seconds(60), priority: Int = 0, concurrencyKey: String? = nil,
    deadline: Duration? = nil, attributes: [String: RunAttribute] = [:]
  ) {
    self.missed = missed
    self.overlap = overlap
    self.tolerance = tolerance
    self.priority = priority
    self.concurrencyKey = concurrencyKey
    self.deadline = deadline
    self.attributes = attributes
  }

  /// The attribute of a run that names the schedule that has started it.
  public static let scheduleAttribute = "fieldstone.schedule"
  /// The attribute of a run that says for which tick it was started.
  public static let tickAttribute = "fieldstone.tick"
}
