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
