import FieldstoneFields
import FieldstoneForms
import Foundation
import Testing

@Suite("Dates as they are typed")
@MainActor
struct DateFormatTests {
  nonisolated static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  @Test(
    "A text is read and written as a day, a time, or both",
    arguments: [
      (FieldTextFormat<Date>.day(in: zone), "2026-02-03", 1_770_073_200.0),
      (.dayAndTime(in: zone), "2026-02-03T10:15", 1_770_110_100),
      (.time(in: zone), "10:15", 946_718_100),
    ])
  func texts(format: FieldTextFormat<Date>, text: String, seconds: Double) throws {
    let date = try #require(try format.parse(text))
    #expect(date == Date(timeIntervalSince1970: seconds))
    #expect(format.print(date) == text)
    #expect(try format.parse(" \(text) ") == date)
    #expect(try format.parse("") == nil)
  }

  @Test(
    "A day and a time are typed in the time zone of their transformer",
    arguments: ["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati"], [true, false])
  func transformed(zone: String, isFirst: Bool) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let (day, time) = (Field<Date>("day"), Field<Date>("time"))
    if !isFirst {
      day.presented(as: .day)
      time.presented(as: .time)
    }
    day.transform(with: .date(format: "yyyy-MM-dd", timeZone: zone))
    time.transform(with: .date(format: "HH:mm", timeZone: zone))
    if isFirst {
      day.presented(as: .day)
      time.presented(as: .time)
    }
    let form = FormModel {
      day; time
    }
    try form.fill(values: ["day": "1985-12-10", "time": "08:30"])
    #expect(form.at("day").text == "1985-12-10" && form.at("time").text == "08:30")
    form.at("day").text = "2026-07-24"
    form.at("time").text = "23:15"
    #expect(try form.values() == ["day": "2026-07-24", "time": "23:15"])
  }

  @Test("A moment with a zone in its text is typed in the user's time zone")
  func moments() throws {
    let moment = Field<Date>("at").presented(as: .day)
      .transform(with: .date(format: "yyyy-MM-dd HH:mm Z", timeZone: Self.zone))
    let form = FormModel { moment }
    form.at("at").text = "2026-02-03"
    let own = try FieldTextFormat<Date>.day().parse("2026-02-03")
    #expect(moment.value == own)
  }

  @Test("The bound of a date is written as the date is typed")
  func bounds() async throws {
    let first = try #require(try FieldTextFormat.day(in: Self.zone).parse("2026-01-01"))
    let day = Field<Date>("Day").text(as: .day(in: Self.zone)).require(.atLeast(first))
    let form = FormModel { day }
    form.at("Day").text = "2025-12-31"
    await form.submit {}
    #expect(form.at("Day").messages == ["must be at least 2026-01-01"])
    // Without a form it is the moment.
    #expect(day.issues.map(\.text) == ["must be at least 2025-12-31T23:00:00Z"])
  }

  /// The day, the time and both of a quarter past ten in the zone, on a day, and half a minute.
  nonisolated static let picked = Date(timeIntervalSince1970: 1_770_110_130)

  @Test(
    "A day and a time that are picked are what their text is read as, and rules judge these",
    arguments: [(FieldKind.day, "2026-02-03", false), (.time, "10:15", false), (.date, "", true)],
    [true, false])
  func picks(pick: (kind: FieldKind, text: String, isKept: Bool), isOwnFormat: Bool) throws {
    let format: FieldTextFormat<Date> =
      switch pick.kind {
      case .day: .day(in: Self.zone)
      case .time: .time(in: Self.zone)
      default: .dayAndTime(in: Self.zone)
      }
    let read = pick.isKept ? Self.picked : try #require(try format.parse(pick.text))
    let date = Field<Date>("When").require(.range(read...read)).presented(as: pick.kind)
    if isOwnFormat {
      date.text(as: format)
    } else {
      date.transform(with: .date(format: "yyyy-MM-dd", timeZone: Self.zone))
    }
    let form = FormModel(timing: .onChange) { date }
    form.at("When").pick(Self.picked)
    #expect(date.value == read && form.at("When").state == .valid && form.isModified)
  }

  @Test("A date is set as it was picked if no text is read as it, and nothing if it is no date")
  func unreadablePick() {
    let day = Field<Date>("Day").presented(as: .day).text(as: .shown { _ in "some day" })
    let name = Field<String>("Name").presented(as: .day)
    let form = FormModel {
      day; name
    }
    form.at("Day").pick(Self.picked)
    form.at("Name").pick(Self.picked)
    #expect(day.value == Self.picked && name.value == nil)
  }

  @Test("Browsers may send seconds")
  func seconds() throws {
    #expect(
      try FieldTextFormat.time(in: Self.zone).parse("10:15:30")
        == Date(timeIntervalSince1970: 946_718_130))
  }

  @Test(
    "What is no such text is an issue that shows one",
    arguments: ["2026-02-30", "2026-13-01", "26-02-03", "3.2.2026", "tomorrow", "2026-02-03T10:15"])
  func refused(text: String) throws {
    let format = FieldTextFormat<Date>.day(in: Self.zone)
    let issue = #expect(throws: FieldIssue.self) { try format.parse(text) }
    #expect(issue?.code == "notADate")
  }

  @Test("A day without a midnight begins later")
  func noMidnight() throws {
    let cairo = try #require(TimeZone(identifier: "Africa/Cairo"))
    let format = FieldTextFormat<Date>.day(in: cairo)
    let day = try #require(try format.parse("2026-04-24"))
    #expect(format.print(day) == "2026-04-24")
  }

  @Test(
    "A day with two midnights begins at the first one, as its transformer says, too",
    arguments: [
      ("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"),
      ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
      ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
      ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z"),
    ])
  func twoMidnights(zone: String, text: String, moment: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let day = try #require(try FieldTextFormat.day(in: zone).parse(text))
    #expect(day.formatted(.iso8601) == moment)
    let field = Field<Date>("day").presented(as: .day)
      .transform(with: .date(format: "yyyy-MM-dd", timeZone: zone))
    let form = FormModel { field }
    try form.fill(values: ["day": .string(text)])
    #expect(field.value == day)
    form.at("day").text = ""
    form.at("day").text = text
    #expect(!form.at("day").isModified)
  }

  @Test("A field that is presented as a day is typed as one, and its own format wins")
  func presented() throws {
    let day = Field<Date>("Born").presented(as: .day)
    let own = Field<Date>("Left").text(as: .day(in: .gmt)).presented(as: .day)
    let moment = Field<Date>("Sent").transform(with: .iso8601).presented(as: .date)
    let form = FormModel {
      day
      own
      moment
    }
    #expect(form[day]?.kind == .day && form[own]?.kind == .day && form[moment]?.kind == .date)
    form[day]?.text = "2026-02-03"
    #expect(day.value != nil && form[day]?.text == "2026-02-03")
    form[own]?.text = "1970-01-02"
    #expect(own.value == Date(timeIntervalSince1970: 86_400))
    form[moment]?.text = "1970-01-01T00:00:01Z"
    #expect(moment.value == Date(timeIntervalSince1970: 1))
    form[day]?.text = "soon"
    #expect(form[day]?.messages == ["must be a date, such as 2026-02-03"])
  }
}
