import Foundation

/// A flow that is started repeatedly, by a timing.
public struct FlowSchedule: Sendable, Equatable, Codable {
  /// Names the schedule, uniquely on a journal; names are compared byte by byte.
  public var name: String
  /// The name of the flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The first stage of each run, as JSON.
  public var stage: String
  /// When it runs.
  public var timing: ScheduleTiming
  /// How missed and overlapping ticks are handled, and how runs are started.
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

/// How missed and overlapping ticks are handled, and how runs are started.
///
/// ```swift
/// // Every night's export, also in the morning when no worker ran at night; never two at once.
/// ScheduleOptions(missed: .once, overlap: .skip)
/// ```
public struct ScheduleOptions: Sendable, Hashable, Codable {
  /// How ticks are handled that came while no worker ran.
  public var missed: MissedTicks
  /// How a tick is handled while an earlier run is unfinished.
  public var overlap: TickOverlap
  /// How late a tick may be started without being missed; values below a second count as one.
  public var tolerance: Duration
  /// The runs' priority; see ``RunOptions/priority``.
  public var priority: Int
  /// The runs' concurrency key; see ``RunOptions/concurrencyKey``.
  public var concurrencyKey: String?
  /// The time after its tick at which an unfinished run is cancelled; nil for never.
  ///
  /// For a tick that is started late, missed or queued, it counts from the start.
  public var deadline: Duration?
  /// The runs' attributes, in addition to ``scheduleAttribute`` and ``tickAttribute``; at most 14.
  public var attributes: [String: RunAttribute]

  /// Makes options; parameters that are omitted have their defaults.
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

  /// The attribute with the name of the schedule that started the run.
  public static let scheduleAttribute = "fieldstone.schedule"
  /// The attribute with the tick that the run was started for.
  public static let tickAttribute = "fieldstone.tick"
}
