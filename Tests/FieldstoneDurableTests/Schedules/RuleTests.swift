import FieldstoneDurable
import Foundation
import Testing

@Suite("Rules of Foundation's as the timing of a schedule", .timeLimit(.minutes(20)))
struct RuleTests {
  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  private func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private func ticks(
    _ rule: Calendar.RecurrenceRule, from start: String, after begin: String, _ count: Int
  ) throws -> [String] {
    let timing = ScheduleTiming.rule(rule, from: try date(start))
    var ticks: [String] = []
    var last = try date(begin)
    while ticks.count < count, let next = timing.next(after: last) {
      ticks.append(next.ISO8601Format())
      last = next
    }
    return ticks
  }

  @Test("A daily rule goes by the clocks: the end of a gap, and once in an hour that comes twice")
  func clocks() throws {
    let rule = Calendar.RecurrenceRule(calendar: try calendar("Europe/Berlin"), frequency: .daily)
    // Half past two in winter, eleven years before.
    #expect(
      try ticks(rule, from: "2015-01-01T01:30:00Z", after: "2026-03-27T12:00:00Z", 3)
        == ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
    #expect(
      try ticks(rule, from: "2015-01-01T01:30:00Z", after: "2026-10-24T12:00:00Z", 2)
        == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
  }

  @Test("A rule begins at its start and ends at its end")
  func bounds() throws {
    var rule = Calendar.RecurrenceRule(calendar: try calendar("Europe/Berlin"), frequency: .daily)
    rule.end = .afterDate(try date("2026-06-04T00:00:00Z"))
    #expect(
      try ticks(rule, from: "2026-06-01T10:00:00Z", after: "2020-01-01T00:00:00Z", 9)
        == ["2026-06-01T10:00:00Z", "2026-06-02T10:00:00Z", "2026-06-03T10:00:00Z"])
    // Also where it is asked in the middle: Foundation counts from where it is asked.
    rule.end = .afterOccurrences(2)
    #expect(
      try ticks(rule, from: "2026-06-01T10:00:00Z", after: "2026-06-01T10:00:00Z", 9)
        == ["2026-06-02T10:00:00Z"])
  }

  /// A rule by what makes it, as rules have no short text.
  struct Shape: Sendable, CustomTestStringConvertible {
    var frequency: Calendar.RecurrenceRule.Frequency
    var interval = 1
    var weekdays: [Calendar.RecurrenceRule.Weekday] = []
    var days: [Int] = []
    var daysOfTheYear: [Int] = []
    var weeks: [Int] = []
    var months: [Calendar.RecurrenceRule.Month] = []
    var hours: [Int] = []
    var isStrict = false

    var testDescription: String {
      "\(frequency) \(interval) \(weekdays) \(days) \(daysOfTheYear) \(weeks) \(months) "
        + "\(hours) \(isStrict)"
    }

    func rule(_ calendar: Calendar) -> Calendar.RecurrenceRule {
      var rule = Calendar.RecurrenceRule(
        calendar: calendar, frequency: frequency, interval: interval)
      rule.weekdays = weekdays
      rule.daysOfTheMonth = days
      rule.daysOfTheYear = daysOfTheYear
      rule.weeks = weeks
      rule.months = months
      rule.hours = hours
      if isStrict { rule.matchingPolicy = .strict }
      return rule
    }
  }

  static let shapes = [
    Shape(frequency: .hourly, interval: 5), Shape(frequency: .daily),
    Shape(frequency: .daily, interval: 3, hours: [3, 9]),
    Shape(frequency: .weekly, interval: 2, weekdays: [.every(.monday), .every(.friday)]),
    Shape(frequency: .monthly), Shape(frequency: .monthly, isStrict: true),
    Shape(frequency: .monthly, interval: 2, days: [15, -1]),
    Shape(frequency: .monthly, interval: 3, weekdays: [.nth(2, .tuesday)], hours: [4]),
    Shape(frequency: .yearly), Shape(frequency: .yearly, isStrict: true),
    Shape(frequency: .yearly, interval: 2, days: [5], months: [3, 10]),
    Shape(frequency: .monthly, interval: 2),
    Shape(frequency: .monthly, interval: 2, isStrict: true),
    Shape(frequency: .yearly, interval: 2), Shape(frequency: .yearly, interval: 2, isStrict: true),
    Shape(frequency: .yearly, weeks: [10]), Shape(frequency: .yearly, daysOfTheYear: [60, -1]),
    Shape(frequency: .yearly, interval: 2, weekdays: [.nth(2, .tuesday)]),
  ]

  @Test("Asked from a later start, a rule gives what it gives from its own", arguments: shapes)
  func rebased(shape: Shape) throws {
    let rule = shape.rule(try calendar("GMT"))
    let starts = [
      "2024-01-31T11:30:00Z", "2024-02-29T03:00:00Z", "2024-03-05T03:00:00Z",
      "2023-05-17T09:15:00Z",
    ]
    for start in starts {
      for begin in ["2024-05-01T00:00:00Z", "2026-01-10T10:00:00Z", "2027-12-30T00:00:00Z"] {
        let range = try date(begin).addingTimeInterval(0.001)..<date("2071-01-01T00:00:00Z")
        let whole = rule.recurrences(of: try date(start), in: range).prefix(4)
        let found = try ticks(rule, from: start, after: begin, 4)
        #expect(found == whole.map { $0.ISO8601Format() }, "\(start) \(begin)")
      }
    }
  }

  @Test(
    "A rule with a number that its part can't have has no tick, and a record with it can't be read",
    arguments: outOfBounds)
  func checked(part: String, change: @Sendable (inout Calendar.RecurrenceRule) -> Void) throws {
    var rule = Calendar.RecurrenceRule(calendar: try calendar("GMT"), frequency: .daily)
    change(&rule)
    let begin = try date("2026-01-10T10:00:00Z")
    let timing = ScheduleTiming.rule(rule, from: begin)
    #expect(timing.next(after: begin) == nil)
    let schedule = FlowSchedule(name: "a", flow: "flow", version: 1, stage: "1", timing: timing)
    let record = try ScheduleStatus(schedule: schedule, progress: ScheduleProgress())
      .record(dueAt: nil)
    let error = #expect(throws: ScheduleError.self) { try ScheduleStatus(record) }
    #expect(error?.message.contains(" as its \(part), only a number ") == true)
  }

  /// Parts of rules, each with a number that is too low or too high.
  static let outOfBounds: [(String, @Sendable (inout Calendar.RecurrenceRule) -> Void)] = [
    ("interval", { $0.interval = 0 }), ("interval", { $0.interval = -1 }),
    ("interval", { $0.interval = .max }), ("interval", { $0.interval = 365_243 }),
    ("interval", { ($0.frequency, $0.interval) = (.minutely, 1_000_001) }),
    ("month", { ($0.frequency, $0.months) = (.yearly, [13]) }), ("month", { $0.months = [0] }),
    ("week", { ($0.frequency, $0.weeks) = (.yearly, [54]) }), ("week", { $0.weeks = [.min] }),
    ("day of the year", { ($0.frequency, $0.daysOfTheYear) = (.yearly, [-367]) }),
    ("day of the month", { $0.daysOfTheMonth = [31, 32] }),
    ("day of the month", { $0.daysOfTheMonth = [0] }),
    ("place of a weekday", { $0.weekdays = [.nth(.max, .monday)] }),
    ("place of a weekday", { $0.weekdays = [.every(.friday), .nth(0, .monday)] }),
    ("hour", { $0.hours = [25] }), ("hour", { $0.hours = [-1] }), ("minute", { $0.minutes = [60] }),
    ("second", { $0.seconds = [0, 60] }),
  ]

  @Test("A rule that is old still has ticks where Foundation gives up")
  func old() throws {
    var rule = Calendar.RecurrenceRule(calendar: try calendar("GMT"), frequency: .monthly)
    rule.matchingPolicy = .strict
    #expect(
      try ticks(rule, from: "1950-01-31T11:30:00Z", after: "2026-01-31T11:30:00Z", 2)
        == ["2026-03-31T11:30:00Z", "2026-05-31T11:30:00Z"])
  }
}
