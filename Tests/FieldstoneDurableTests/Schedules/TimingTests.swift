import FieldstoneDurable
import Foundation
import Testing

@Suite("When a schedule runs", .timeLimit(.minutes(20)))
struct TimingTests {
  private func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func zone(_ name: String) throws -> TimeZone {
    try #require(TimeZone(identifier: name))
  }

  /// The ticks after a moment, as text.
  private func ticks(
    _ timing: ScheduleTiming, after begin: String, _ count: Int
  ) throws -> [String] {
    var ticks: [String] = []
    var last = try date(begin)
    while ticks.count < count, let next = timing.next(after: last) {
      ticks.append(next.ISO8601Format())
      last = next
    }
    return ticks
  }

  /// A line of a crontab in a zone, and its ticks by UTC.
  struct Example: Sendable, CustomTestStringConvertible {
    var line: String
    var zone: String
    var begin: String
    var ticks: [String]

    var testDescription: String { "\(line) in \(zone) from \(begin)" }
  }

  static let examples = [
    // Clocks skip from 2:00 to 3:00: the tick comes at the end of the gap, which is 3:00.
    Example(
      line: "30 2 * * *", zone: "Europe/Berlin", begin: "2026-03-27T12:00:00Z",
      ticks: ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
    Example(
      line: "30 2 * * *", zone: "America/New_York", begin: "2026-03-06T12:00:00Z",
      ticks: ["2026-03-07T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]),
    // They go back from 3:00 to 2:00: the first half past two counts.
    Example(
      line: "30 2 * * *", zone: "Europe/Berlin", begin: "2026-10-23T12:00:00Z",
      ticks: ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
    Example(
      line: "30 1 * * *", zone: "America/New_York", begin: "2026-10-30T12:00:00Z",
      ticks: ["2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]),
    // Asked in the hour that comes again, it has been.
    Example(
      line: "30 2 * * *", zone: "Europe/Berlin", begin: "2026-10-25T01:10:00Z",
      ticks: ["2026-10-26T01:30:00Z"]),
    // A day without midnight begins at one.
    Example(
      line: "0 0 * * *", zone: "Africa/Cairo", begin: "2026-04-22T12:00:00Z",
      ticks: ["2026-04-22T22:00:00Z", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"]),
    // Half an hour is skipped, or comes twice.
    Example(
      line: "15 2 * * *", zone: "Australia/Lord_Howe", begin: "2026-10-02T12:00:00Z",
      ticks: ["2026-10-02T15:45:00Z", "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]),
    Example(
      line: "*/15 * * * *", zone: "Australia/Lord_Howe", begin: "2026-04-04T14:20:00Z",
      ticks: ["2026-04-04T14:30:00Z", "2026-04-04T14:45:00Z", "2026-04-04T15:30:00Z"]),
    // A whole day was skipped.
    Example(
      line: "0 12 * * *", zone: "Pacific/Apia", begin: "2011-12-29T12:00:00Z",
      ticks: ["2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"]),
    // What falls into a gap together runs once.
    Example(
      line: "*/30 * * * *", zone: "Europe/Berlin", begin: "2026-03-29T00:10:00Z",
      ticks: ["2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"]),
    Example(
      line: "*/30 * * * *", zone: "Europe/Berlin", begin: "2026-10-25T00:10:00Z",
      ticks: ["2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z", "2026-10-25T02:30:00Z"]),
    // Either day counts, unless one field is for all.
    Example(
      line: "0 0 13 * FRI", zone: "GMT", begin: "2026-11-07T00:00:00Z",
      ticks: ["2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-27T00:00:00Z"]),
    Example(
      line: "0 0 */2 * 1-5/2", zone: "GMT", begin: "2026-11-01T00:00:00Z",
      ticks: ["2026-11-09T00:00:00Z", "2026-11-11T00:00:00Z", "2026-11-13T00:00:00Z"]),
    Example(
      line: "0 0 * * sun,7", zone: "GMT", begin: "2026-11-01T00:00:00Z",
      ticks: ["2026-11-08T00:00:00Z", "2026-11-15T00:00:00Z"]),
    Example(
      line: "5-59/20 8,20 1 jan,jul *", zone: "GMT", begin: "2026-07-01T08:30:00Z",
      ticks: ["2026-07-01T08:45:00Z", "2026-07-01T20:05:00Z", "2026-07-01T20:25:00Z"]),
    Example(
      line: "50/5 23 31 12 *", zone: "GMT", begin: "2026-11-01T00:00:00Z",
      ticks: ["2026-12-31T23:50:00Z", "2026-12-31T23:55:00Z", "2027-12-31T23:50:00Z"]),
    // There is no leap day in 2100.
    Example(
      line: "0 0 29 2 *", zone: "GMT", begin: "2096-03-01T00:00:00Z",
      ticks: ["2104-02-29T00:00:00Z"]),
    Example(
      line: "@weekly", zone: "GMT", begin: "2026-11-04T00:00:00Z",
      ticks: ["2026-11-08T00:00:00Z"]),
    Example(
      line: "0 0 1 1 *", zone: "GMT", begin: "1899-06-01T00:00:00Z",
      ticks: ["1900-01-01T00:00:00Z", "1901-01-01T00:00:00Z"]),
  ]

  @Test("A line of a crontab goes by the clocks of its zone", arguments: examples)
  func crontab(_ example: Example) throws {
    let timing = try ScheduleTiming.cron(example.line, in: zone(example.zone))
    #expect(
      try ticks(timing, after: example.begin, example.ticks.count) == example.ticks)
  }

  @Test("Whatever a zone does, ticks go on, and clocks show what the line says but after a gap")
  func zones() throws {
    for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"] {
      let zone = try zone(name)
      let timing = try ScheduleTiming.cron("*/15 1-3 * * *", in: zone)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      var last = try date("2026-01-01T00:00:00Z")
      var gaps = 0
      for _ in 0..<(365 * 12) {
        let next = try #require(timing.next(after: last))
        #expect(next > last)
        let parts = calendar.dateComponents([.hour, .minute, .second], from: next)
        let (hour, minute) = (try #require(parts.hour), try #require(parts.minute))
        if !(1...3).contains(hour) || !minute.isMultiple(of: 15) { gaps += 1 }
        last = next
      }
      #expect(gaps <= 2, "\(name)")
    }
  }

  @Test(
    "A line that can't be read says which part, and what to write",
    arguments: [
      ("", "0 fields"), ("* * * *", "4 fields"), ("0 0 0 * * *", "leave out the seconds"),
      ("60 * * * *", "minute “60” is not within 0 to 59"),
      ("* 24 * * *", "hour “24” is not within 0 to 23"),
      ("* * 0 * *", "day of the month “0” is not within 1 to 31"),
      ("* * * 13 *", "month “13” is not within 1 to 12"),
      ("* * * * 8", "day of the week “8” is not within 0 to 7"),
      ("* * * FOO *", "no name from JAN to DEC"), ("* * ? * *", "is no number"),
      ("22-2 * * * *", "runs backwards"), ("*/0 * * * *", "no step"), ("*/x * * * *", "no step"),
      ("1,,2 * * * *", "can't be read"), ("1/2/3 * * * *", "can't be read"),
      ("5-6-7 * * * *", "is no range"), ("-1 * * * *", "is no number"),
      ("+1 * * * *", "is no number"), ("@reboot", "@hourly, @daily"),
      ("99999999999999999999 * * * *", "is no number"), ("* * * * L", "is no number"),
    ])
  func unreadable(line: String, part: String) throws {
    let error = #expect(throws: ScheduleError.self) { try CronLine(line) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("Write it as in") == true)
  }

  @Test(
    "A line that names no day that there is, is refused",
    arguments: ["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 30,31 FEB */2"])
  func never(line: String) {
    #expect(throws: ScheduleError.neverHappens(line)) { try CronLine(line) }
  }

  @Test("A line that either day makes happen is none of these")
  func eitherDay() throws {
    let timing = try ScheduleTiming.cron("0 0 30 2 MON", in: .gmt)
    #expect(try ticks(timing, after: "2026-11-01T00:00:00Z", 1) == ["2027-02-01T00:00:00Z"])
  }

  @Test("An interval counts from its anchor, to the millisecond")
  func interval() throws {
    let anchor = try date("2026-01-01T00:00:00Z")
    let timing = ScheduleTiming.every(.milliseconds(1_001), from: anchor)
    #expect(timing.next(after: anchor.addingTimeInterval(-5)) == anchor)
    #expect(timing.next(after: anchor) == anchor.addingTimeInterval(1.001))
    // The millionth, and each after the other.
    let far = try #require(timing.next(after: anchor.addingTimeInterval(1_000_999.9995)))
    #expect(abs(far.timeIntervalSince(anchor) - 1_001_000) < 1e-6)
    var last = far
    for _ in 0..<1_000 {
      let next = try #require(timing.next(after: last))
      #expect(abs(next.timeIntervalSince(last) - 1.001) < 1e-6)
      last = next
    }
    let days = ScheduleTiming.every(.seconds(86_400), from: try date("2026-03-28T01:30:00Z"))
    #expect(
      try ticks(days, after: "2026-03-28T12:00:00Z", 2)
        == ["2026-03-29T01:30:00Z", "2026-03-30T01:30:00Z"])
  }

  @Test(
    "Dates that no calendar has, end nothing", arguments: [Double.nan, .infinity, 1e300, -1e300])
  func extremes(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    _ = ScheduleTiming.every(.seconds(60), from: .now).next(after: date)
    _ = ScheduleTiming.every(.seconds(60), from: date).next(after: .distantPast)
    _ = try ScheduleTiming.cron("* * * * *", in: .gmt).next(after: date)
  }

  @Test(
    "Nor do intervals that no schedule may have",
    arguments: [
      Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(10_000_000_000_000_000), .zero,
    ])
  func endless(interval: Duration) {
    let anchor = Date(timeIntervalSince1970: 1_800_000_000)
    let next = ScheduleTiming.every(interval, from: anchor).next(after: anchor)
    #expect(next.map { $0 > anchor } ?? (interval <= .zero))
  }

  @Test("What was written is read again as it was")
  func codable() throws {
    let rule = Calendar.RecurrenceRule(calendar: .init(identifier: .iso8601), frequency: .weekly)
    let timings: [ScheduleTiming] = [
      .every(.milliseconds(1_500), from: Date(timeIntervalSinceReferenceDate: 0.1)),
      try .cron("30 2 * * MON-FRI", in: zone("Europe/Berlin")),
      .rule(rule, from: try date("2026-01-01T00:00:00Z")),
    ]
    for timing in timings {
      let data = try JSONEncoder().encode(timing)
      #expect(try JSONDecoder().decode(ScheduleTiming.self, from: data) == timing)
    }
    let bad = Data(#"{"cron":{"_0":"61 * * * *","in":{"identifier":"GMT"}}}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ScheduleTiming.self, from: bad)
    }
  }

  @Test("A current time zone or calendar is read as that of the writer")
  func current() throws {
    let begin = try date("2026-01-01T00:00:00Z")
    let rule = Calendar.RecurrenceRule(calendar: .autoupdatingCurrent, frequency: .daily)
    let timings: [ScheduleTiming] = [
      try .cron("0 2 * * *", in: .autoupdatingCurrent), .rule(rule, from: begin),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    for timing in timings {
      let data = try JSONEncoder().encode(timing)
      let read = try JSONDecoder().decode(ScheduleTiming.self, from: data)
      let text = String(decoding: try encoder.encode(read), as: UTF8.self)
      #expect(!text.contains("autoupdating") && !text.contains(#""current":2"#), "\(text)")
      #expect(text.contains(TimeZone.current.identifier), "\(text)")
      #expect(read.next(after: begin) == timing.next(after: begin))
    }
  }

  @Test("Marks of a current time zone or calendar in a journal are not read", arguments: [1, 2])
  func marked(mark: Int) throws {
    let rule = #"""
      {"rule":{"_0":{"calendar":{"current":\#(mark),"firstWeekday":2,"identifier":"gregorian",\#
      "locale":{"current":1,"identifier":"en_001","preferences":{"locale":"en_001"}},\#
      "minimumDaysInFirstWeek":1,"timeZone":{"identifier":"Asia/Tokyo"}},"daysOfTheMonth":[],\#
      "daysOfTheYear":[],"end":{},"frequency":3,"hours":[2],"interval":1,"matchingPolicy":1,\#
      "minutes":[],"months":[],"repeatedTimePolicy":0,"seconds":[],"setPositions":[],\#
      "weekdays":[],"weeks":[]},"from":0}}
      """#
    let line = #"""
      {"cron":{"_0":"0 2 * * *","in":{"autoupdating":true,"identifier":"Asia/Tokyo"}}}
      """#
    for text in [rule, line] {
      let timing = try JSONDecoder().decode(ScheduleTiming.self, from: Data(text.utf8))
      #expect(try ticks(timing, after: "2026-01-01T00:00:00Z", 1) == ["2026-01-01T17:00:00Z"])
    }
    let unknown = #"{"cron":{"_0":"0 2 * * *","in":{"identifier":"Asia/Atlantis"}}}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ScheduleTiming.self, from: Data(unknown.utf8))
    }
  }
}
