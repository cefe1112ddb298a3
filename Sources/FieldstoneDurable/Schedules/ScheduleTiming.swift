public import Foundation

/// When a schedule's flow runs.
///
/// Local times are those of a time zone. A local time that clocks skip when daylight saving time
/// begins runs at the end of the gap. A repeated one runs once, the first time. So a crontab line
/// for every quarter of an hour omits the repeated hour; an interval does not. A current time zone
/// or calendar counts as it is when the schedule is set, also for workers in other time zones.
///
/// It is not `Hashable`, because Foundation's rules are `Hashable` only from macOS 15.2 and iOS
/// 18.2.
public enum ScheduleTiming: Sendable, Equatable, Codable {
  /// At a fixed interval, counted from a point in time; from a second to a thousand years.
  ///
  /// Fractions of a millisecond are dropped.
  case every(Duration, from: Date)
  /// By a line of a crontab, in a time zone.
  case cron(CronLine, in: TimeZone)
  /// By a rule, from a point in time on, in the time zone of the rule's calendar.
  ///
  /// Parts that the rule does not set, such as the time or the day of the month, are those of its
  /// start. The rule finds days by its calendar and its matching policy. Skipped and repeated local
  /// times are handled as ``ScheduleTiming`` describes. A rule with a number that its part can't
  /// have, such as the hour 25, has no ticks. An interval has 1 to 1,000,000 units, and at most a
  /// thousand years.
  case rule(Calendar.RecurrenceRule, from: Date)
}

extension ScheduleTiming {
  /// By a line of a crontab, in a time zone.
  ///
  /// - Throws: ``ScheduleError/unreadableCron(_:problem:)`` and ``ScheduleError/neverHappens(_:)``.
  public static func cron(_ line: String, in zone: TimeZone) throws(ScheduleError) -> Self {
    .cron(try CronLine(line), in: zone)
  }

  /// The first tick after a point in time; nil if there is none.
  ///
  /// A crontab line takes O(n) in the days until its tick; a rule takes as long as Foundation does.
  public func next(after date: Date) -> Date? {
    switch self {
    case .every(let interval, from: let anchor):
      Self.next(after: date, every: interval, from: anchor)
    case .cron(let line, in: let zone): Self.next(after: date, line, in: zone)
    case .rule(let rule, from: let start): RecurrenceTicks(rule, from: start)?.next(after: date)
    }
  }

  /// Throws for a timing without ticks.
  func check() throws(ScheduleError) {
    guard case .every(let interval, from: _) = self else { return }
    if interval < .seconds(1) || interval > .seconds(Self.longestInterval) {
      throw .intervalOutOfBounds(interval)
    }
  }

  /// A thousand years, in seconds.
  static let longestInterval = 31_556_952_000

  /// The reason in words why it can have no ticks; nil if there is none.
  var problem: String? {
    if case .rule(let rule, from: _) = self { return RecurrenceTicks.problem(with: rule) }
    do { try check() } catch { return error.message }
    return nil
  }

  /// Whole milliseconds, so that the millionth tick is as exact as the first.
  private static func next(after date: Date, every interval: Duration, from anchor: Date) -> Date? {
    let (seconds, attoseconds) = interval.components
    // In Double: nothing keeps a longer interval than `check` allows out of here.
    let step = Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000_000)
    guard step >= 1 else { return nil }
    let first = (anchor.timeIntervalSinceReferenceDate * 1_000).rounded()
    let now = date.timeIntervalSinceReferenceDate * 1_000
    func tick(_ count: Double) -> Date {
      Date(timeIntervalSinceReferenceDate: (first + count * step) / 1_000)
    }
    let count = max(0, ((now - first) / step).rounded(.down))
    // The division may be off by one; beyond exactly representable numbers there is no next tick.
    return [count, count + 1, count + 2].map(tick).first { $0 > date }
  }

  private static func next(after date: Date, _ line: CronLine, in zone: TimeZone) -> Date? {
    // Conversions stop at this bound, and nothing comes after a date that is not a number.
    guard date.timeIntervalSinceReferenceDate < LocalClock.bound else { return nil }
    let clock = LocalClock(zone: zone)
    var time = clock.time(at: date)
    while let next = line.next(after: time) {
      let tick = clock.date(of: next)
      // Clocks show the local time again, but its tick has already passed.
      if tick > date { return tick }
      time = next
    }
    return nil
  }
}

extension ScheduleTiming {
  /// The last ticks in a time range, oldest first: at most `count`.
  ///
  /// It examines the end of the range, and further back only while there are too few ticks. So
  /// ticks that were missed for a year are not counted.
  ///
  /// - Parameter first: the first tick of the range, which counts even if this code reads the time
  ///   zone differently.
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
