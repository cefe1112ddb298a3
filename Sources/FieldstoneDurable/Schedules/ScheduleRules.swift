/// What becomes of the ticks that came while no worker ran.
///
/// Of several ticks that are due at once, all but the last have been missed; the last one has if it is
/// older than ``ScheduleOptions/tolerance``.
public enum MissedTicks: Sendable, Hashable, Codable {
  /// None of them is started.
  case skip
  /// One run is started for all of them, as of the last.
  case once
  /// Each is started, the last ones up to a number from 1 to 100; other numbers count as the nearest.
  case each(atMost: Int)
}

/// What becomes of a tick while an earlier run of the schedule is not over.
///
/// A run is over when it is completed, dead or cancelled; one that is blocked or paused is not.
public enum TickOverlap: Sendable, Hashable, Codable {
  /// It is started beside the others.
  case allow
  /// It is skipped.
  case skip
  /// It waits, with so many others at most, until those before it are over; further ones are skipped.
  ///
  /// The number is from 1 to 1,000; others count as the nearest. The next one is started about a second
  /// after the end of the one before.
  case queue(atMost: Int)
}
