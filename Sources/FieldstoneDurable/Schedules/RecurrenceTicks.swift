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

  init(_ rule: Calendar.RecurrenceRule, from start: Date) {
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
    switch rule.frequency {
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
  /// A rule that ends after a number of ticks counts them from its own start, which is kept.
  private func rebasedStart(before date: Date) -> Date {
    if countsTicks { return start }
    let calendar = rule.calendar
    // Two cycles before: an answer is in the cycle of its time, or in the next one.
    let whole = (date.timeIntervalSince(start) / cycle).rounded(.down) - 2
    guard whole >= 1, whole < 1_000_000_000 else { return start }
    let wanted: Set<Calendar.Component> = [.day, .hour, .minute, .second]
    let parts = calendar.dateComponents(wanted, from: start)
    let keepsDay = rule.frequency == .monthly || rule.frequency == .yearly
    var cycles = Int(whole)
    // Not every month has a 31st, and not every year a 29th of February.
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
}
