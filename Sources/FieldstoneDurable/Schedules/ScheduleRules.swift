/// How ticks are handled that came while no worker ran.
///
/// If several ticks are due at once, all but the last were missed. The last was missed if it is
/// older than ``ScheduleOptions/tolerance``.
public enum MissedTicks: Sendable, Hashable, Codable {
  /// None of them is started.
  case skip
  /// One run is started for all of them, with the last tick.
  case once
  /// Each is started, up to a number of the last ones from 1 to 100; other numbers are clamped.
  case each(atMost: Int)
}

/// How a tick is handled while an earlier run of the schedule is unfinished.
///
/// A completed, dead or cancelled run is over; a blocked or paused run is not.
public enum TickOverlap: Sendable, Hashable, Codable {
  /// It is started beside the other runs.
  case allow
  /// It is skipped.
  case skip
  /// It waits until the runs before it are over; ticks beyond this number are skipped.
  ///
  /// The number is from 1 to 1,000; others are clamped. The next one is started about a second
  /// after the end of the run before.
  case queue(atMost: Int)
}
