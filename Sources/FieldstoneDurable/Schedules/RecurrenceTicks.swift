import Foundation

/// The ticks of a Foundation recurrence rule, in local time.
///
/// The rule is evaluated in UTC, where no hour is missing or repeated; ``LocalClock`` converts its
/// local times. A rule takes 5.5 ms for each year between its start and the answer, and some rules
/// give up after years. So it is evaluated from a later start in the same phase.
struct RecurrenceTicks {
  private let rule: Calendar.RecurrenceRule
  /// Whether the rule ends after a number of ticks, which Foundation counts from the evaluated
  /// start.
  private let countsTicks: Bool
  private let clock: LocalClock
  /// The start as a local time.
  private let start: Date

  /// Nil for a rule with a number that its part can't have.
  init?(_ rule: Calendar.RecurrenceRule, from start: Date) {
    if Self.problem(with: rule) != nil { return nil }
    clock = LocalClock(zone: rule.calendar.timeZone)
    var shown = rule
    shown.calendar.timeZone = .gmt
    if let end = Self.date(of: rule.end) {
      shown.end = .afterDate(Self.shown(at: end, by: clock))
      countsTicks = false
    } else {
      countsTicks = rule.end != .never
    }
    self.rule = shown
    self.start = Self.shown(at: start, by: clock)
  }

  func next(after date: Date) -> Date? {
    guard date.timeIntervalSinceReferenceDate < LocalClock.bound else { return nil }
    let after = Self.shown(at: date, by: clock)
    // A second earlier, because the time of a tick may have a fraction.
    let from = max(start, after.addingTimeInterval(-1))
    // The search for a rule without further ticks would never end.
    let reach = max(12 * Self.year, 3 * cycle)
    let begin = countsTicks ? start : from
    let range = begin..<from.addingTimeInterval(reach)
    for found in rule.recurrences(of: rebasedStart(before: from), in: range) {
      guard found >= start else { continue }
      let time = Int(found.timeIntervalSinceReferenceDate.rounded(.down))
      let tick = clock.date(of: time)
      if tick > date { return tick }
    }
    return nil
  }

  private static let year = 31_556_952.0

  /// The length of the rule's cycle in seconds; approximate for months and years.
  private var cycle: TimeInterval { unit.length * Double(max(1, rule.interval)) }

  private var unit: (component: Calendar.Component, length: TimeInterval) {
    Self.unit(of: rule.frequency)
  }

  private static func unit(
    of frequency: Calendar.RecurrenceRule.Frequency
  ) -> (component: Calendar.Component, length: TimeInterval) {
    switch frequency {
    case .minutely: (.minute, 60)
    case .hourly: (.hour, 3_600)
    case .daily: (.day, 86_400)
    case .weekly: (.weekOfYear, 604_800)
    case .monthly: (.month, Self.year / 12)
    case .yearly: (.year, Self.year)
    @unknown default: (.day, 86_400)
    }
  }

  /// The date of a rule's end.
  ///
  /// Earlier systems don't offer it: there a rule with an end is evaluated from its own start, and
  /// its end counts by UTC.
  private static func date(of end: Calendar.RecurrenceRule.End) -> Date? {
    guard #available(macOS 15.2, iOS 18.2, tvOS 18.2, watchOS 11.2, visionOS 2.2, *) else {
      return nil
    }
    return end.date
  }

  private static func shown(at date: Date, by clock: LocalClock) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(clock.time(at: date)))
  }

  /// A later start with the same ticks from a time on: whole cycles later.
  ///
  /// A rule that ends after a number of ticks counts them from its own start, which is kept, as is
  /// that of a rule whose later starts have other ticks.
  private func rebasedStart(before date: Date) -> Date {
    if countsTicks || !hasFixedPhase { return start }
    let calendar = rule.calendar
    // Two cycles before: an answer is in the cycle of its time, or in the next one.
    let whole = (date.timeIntervalSince(start) / cycle).rounded(.down) - 2
    guard whole >= 1, whole < 1_000_000_000 else { return start }
    let wanted: Set<Calendar.Component> = [.day, .hour, .minute, .second]
    let parts = calendar.dateComponents(wanted, from: start)
    var cycles = Int(whole)
    for _ in 0..<48 where cycles > 0 {
      if let moved = calendar.date(
        byAdding: unit.component, value: cycles * rule.interval, to: start),
        !keepsDay || calendar.dateComponents(wanted, from: moved) == parts
      {
        return moved
      }
      cycles -= 1
    }
    return start
  }

  /// Whether Foundation finds the same ticks from any start that is whole cycles later.
  ///
  /// A strict rule counts only the months and years that have the start's day. A rule with weeks of
  /// the year takes its weekdays from the start's day of the year.
  private var hasFixedPhase: Bool {
    if rule.frequency == .yearly, !rule.weeks.isEmpty { return false }
    return !keepsDay || rule.matchingPolicy != .strict || rule.interval == 1
      || rule.calendar.component(.day, from: start) <= 28
  }

  /// Whether cycles may lack the start's day: not every month has a 31st, and not every year a 29th
  /// of February.
  private var keepsDay: Bool { rule.frequency == .monthly || rule.frequency == .yearly }
}

extension RecurrenceTicks {
  /// A number that a part of the rule can't have, in words; nil if there is none.
  ///
  /// Foundation traps for some of them, and searches for others without end.
  static func problem(with rule: Calendar.RecurrenceRule) -> String? {
    // Foundation counts each step of an interval.
    let length = unit(of: rule.frequency).length
    let longest = min(1_000_000, Int(Double(ScheduleTiming.longestInterval) / length))
    let calendar = rule.calendar
    let weeks = calendar.maximumRange(of: .weekOfYear)
    let places = rule.weekdays.compactMap { day -> Int? in
      if case .nth(let place, _) = day { place } else { nil }
    }
    let parts = [
      Part("interval", [rule.interval], 1..<longest + 1),
      Part("month", rule.months.map(\.index), calendar.maximumRange(of: .month)),
      Part("week", rule.weeks, weeks, countsBack: true),
      Part(
        "day of the year", rule.daysOfTheYear, calendar.maximumRange(of: .dayOfYear),
        countsBack: true),
      Part(
        "day of the month", rule.daysOfTheMonth, calendar.maximumRange(of: .day), countsBack: true),
      Part("place of a weekday", places, weeks, countsBack: true),
      Part("hour", rule.hours, calendar.maximumRange(of: .hour)),
      Part("minute", rule.minutes, calendar.maximumRange(of: .minute)),
      Part("second", rule.seconds, calendar.maximumRange(of: .second)),
    ]
    return parts.lazy.compactMap(\.problem).first
  }

  /// The numbers of a part of a rule.
  private struct Part {
    let name: String
    let numbers: [Int]
    let allowed: Range<Int>?
    /// Whether -1 is the last one.
    let countsBack: Bool

    init(_ name: String, _ numbers: [Int], _ allowed: Range<Int>?, countsBack: Bool = false) {
      (self.name, self.numbers, self.allowed, self.countsBack) = (
        name, numbers, allowed, countsBack
      )
    }

    var problem: String? {
      guard let allowed, let last = allowed.last else { return nil }
      let wrong = numbers.first { number in
        !allowed.contains(countsBack ? Int(clamping: number.magnitude) : number)
      }
      return wrong.map {
        "a rule can't have \($0) as its \(name), only a number from \(allowed.lowerBound) to \(last)"
      }
    }
  }
}
