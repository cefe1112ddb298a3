public import Foundation

/// When a schedule's flow runs.
///
/// Local times are those that clocks show in a time zone. One that clocks skip, as daylight saving
/// time begins, runs at the end of the gap; one that they show twice runs once, the first time. So a
/// crontab's line for every quarter of an hour leaves out the hour that comes again: an
/// interval does not.
///
/// It is not `Hashable`, as Foundation's rules are so from macOS 15.2 and iOS 18.2 on only.
public enum ScheduleTiming: Sendable, Equatable, Codable {
  /// So long after each other, counted from a moment; from a second to a thousand years.
  ///
  /// Milliseconds count; what is finer is left out.
  case every(Duration, from: Date)
  /// As a line of a crontab says, in a time zone.
  case cron(CronLine, in: TimeZone)
  /// As a rule says, from a moment on, in the time zone of the rule's calendar.
  ///
  /// What the rule leaves open is as at its start: the time of the day, the day of the month. It finds
  /// days by its calendar and its matching policy, and ``ScheduleTiming`` says what becomes of times that are
  /// skipped or come twice.
  case rule(Calendar.RecurrenceRule, from: Date)
}

extension ScheduleTiming {
  /// As a line of a crontab says, in a time zone.
  ///
  /// - Throws: ``ScheduleError/unreadableCron(_:problem:)`` and ``ScheduleError/neverHappens(_:)``.
  public static func cron(_ line: String, in zone: TimeZone) throws(ScheduleError) -> Self {
    .cron(try CronLine(line), in: zone)
  }

  /// The first tick after a moment; nil when there is none.
  ///
  /// A line of a crontab is looked through day by day, O(n) in the days until its tick; a rule costs as
  /// much as Foundation takes for it.
  public func next(after date: Date) -> Date? {
    switch self {
    case .every(let interval, from: let anchor):
      Self.next(after: date, every: interval, from: anchor)
    case .cron(let line, in: let zone): Self.next(after: date, line, in: zone)
    case .rule(let rule, from: let start): RecurrenceTicks(rule, from: start).next(after: date)
    }
  }

  /// Refuses what has no ticks.
  func check() throws(ScheduleError) {
    guard case .every(let interval, from: _) = self else { return }
    if interval < .seconds(1) || interval > .seconds(31_556_952_000) {
      throw .intervalOutOfBounds(interval)
    }
  }

  /// Whole milliseconds, so that the millionth tick is as exact as the first.
  private static func next(after date: Date, every interval: Duration, from anchor: Date) -> Date? {
    let (seconds, attoseconds) = interval.components
    let step = Double(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    guard step >= 1 else { return nil }
    let first = (anchor.timeIntervalSinceReferenceDate * 1_000).rounded()
    let now = date.timeIntervalSinceReferenceDate * 1_000
    func tick(_ count: Double) -> Date {
      Date(timeIntervalSinceReferenceDate: (first + count * step) / 1_000)
    }
    let count = max(0, ((now - first) / step).rounded(.down))
    // The division may be off by one; beyond the exact numbers there is no next one.
    return [count, count + 1, count + 2].map(tick).first { $0 > date }
  }

  private static func next(after date: Date, _ line: CronLine, in zone: TimeZone) -> Date? {
    // Clocks are asked for no later time, and nothing comes after a date that is no number.
    guard date.timeIntervalSinceReferenceDate < LocalClock.bound else { return nil }
    let clock = LocalClock(zone: zone)
    var time = clock.time(at: date)
    while let next = line.next(after: time) {
      let tick = clock.date(of: next)
      // What comes twice has been, where clocks show it again.
      if tick > date { return tick }
      time = next
    }
    return nil
  }
}

extension ScheduleTiming {
  /// The last ticks in a stretch of time, the oldest first: at most so many.
  ///
  /// It looks at the end of the stretch, and further back only while there are too few: what was missed
  /// for a year is not counted.
  ///
  /// - Parameter first: the first tick of the stretch, which is one whatever this code makes of the
  ///   time zone.
  func lastTicks(from first: Date, through end: Date, atMost count: Int) -> [Date] {
    guard first <= end else { return [] }
    var reach: TimeInterval = 3_600
    while true {
      let begin = end.addingTimeInterval(-reach)
      let isWhole = begin <= first
      var ticks = isWhole ? [first] : []
      var last = isWhole ? first : begin
      while let tick = next(after: last), tick <= end {
        ticks.append(tick)
        last = tick
      }
      if isWhole || ticks.count >= count { return Array(ticks.suffix(max(1, count))) }
      reach *= 8
    }
  }
}
