import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("Periods of a calendar")
struct CalendarPeriodTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let calendar: Calendar.Identifier
    let zone: String
    /// How many days from one that is looked at to the next.
    let stride: Int

    var testDescription: String { "\(calendar) in \(zone)" }
  }

  /// In São Paulo and Beirut clocks were put forward at midnight; Apia left out a whole day.
  static let places = [
    Place(calendar: .gregorian, zone: "Europe/Vienna", stride: 23),
    Place(calendar: .gregorian, zone: "America/Sao_Paulo", stride: 29),
    Place(calendar: .gregorian, zone: "Pacific/Apia", stride: 31),
    Place(calendar: .gregorian, zone: "Asia/Beirut", stride: 37),
    Place(calendar: .hebrew, zone: "Asia/Jerusalem", stride: 83),
    Place(calendar: .islamicUmmAlQura, zone: "Asia/Riyadh", stride: 83),
    Place(calendar: .buddhist, zone: "Asia/Bangkok", stride: 83),
    Place(calendar: .iso8601, zone: "Pacific/Chatham", stride: 37),
    Place(calendar: .persian, zone: "Asia/Tehran", stride: 83),
    Place(calendar: .chinese, zone: "Asia/Shanghai", stride: 83),
  ]

  private func calendar(_ place: Place) throws -> Calendar {
    var calendar = Calendar(identifier: place.calendar)
    calendar.timeZone = try #require(TimeZone(identifier: place.zone))
    return calendar
  }

  /// Moments from 1970 to 2100.
  private func moments(_ place: Place) -> StrideTo<Double> {
    stride(from: 0, to: 4_133_980_800, by: Double(place.stride) * 86_400 + 1_013)
  }

  @Test(
    "Weeks begin with their first day, hold their dates and follow each other", arguments: places,
    [7, 1, 2])
  func weeks(place: Place, first: Int) throws {
    let calendar = try calendar(place)
    for moment in moments(place) {
      let date = Date(timeIntervalSince1970: moment)
      let start = calendar.startOfWeek(for: date, firstWeekday: first)
      let end = calendar.endOfWeek(for: date, firstWeekday: first)
      let isRight =
        start <= date && date < end && calendar.component(.weekday, from: start) == first
        && calendar.startOfDay(for: start) == start
        && calendar.startOfWeek(for: end, firstWeekday: first) == end
        && calendar.startOfWeek(for: end.addingTimeInterval(-1), firstWeekday: first) == start
        && end.timeIntervalSince(start) > 5.9 * 86_400
        && end.timeIntervalSince(start) < 7.1 * 86_400
      #expect(isRight, "\(date), week from \(first): \(start) to \(end)")
      if !isRight { return }
    }
  }

  @Test("From 1970 to 2100 no week is left out, and none begins twice", arguments: [7, 1, 2])
  func everyWeek(first: Int) throws {
    let calendar = try calendar(Self.places[0])
    let end = Date(timeIntervalSince1970: 4_133_980_800)
    var start = calendar.startOfWeek(for: Date(timeIntervalSince1970: 0), firstWeekday: first)
    var count = 0
    while start < end {
      let next = calendar.endOfWeek(for: start, firstWeekday: first)
      // Clocks are changed by an hour, on Sundays; in 1980 at midnight, which there was none then.
      let hours = (next.timeIntervalSince(start) / 3_600).rounded()
      let isRight =
        calendar.component(.weekday, from: start) == first
        && calendar.startOfDay(for: start) == start
        && (167...169).contains(hours)
        && calendar.date(byAdding: .day, value: 7, to: start).map(calendar.startOfDay) == next
      #expect(isRight, "\(start) to \(next)")
      if !isRight { return }
      (start, count) = (next, count + 1)
    }
    // 47,846 days, the last of them in a week of its own or not.
    #expect((6_835...6_837).contains(count))
  }

  @Test("Months and days hold their dates and follow each other", arguments: places)
  func months(place: Place) throws {
    let calendar = try calendar(place)
    for moment in moments(Place(calendar: place.calendar, zone: place.zone, stride: 61)) {
      let date = Date(timeIntervalSince1970: moment)
      // From then on the system's days and months of this calendar contradict each other.
      if place.calendar == .chinese, date > Self.miscounted { return }
      let (start, end) = (calendar.startOfMonth(for: date), calendar.endOfMonth(for: date))
      let last = end.addingTimeInterval(-1)
      let isRight =
        start <= date && date < end && calendar.component(.day, from: start) == 1
        && calendar.component(.day, from: end) == 1
        && calendar.isDate(start, inSameMonthAs: last) && !calendar.isDate(end, inSameMonthAs: last)
        && calendar.component(.day, from: last) == calendar.daysInMonth(of: date)
        && calendar.endOfDay(for: date) > date
        && calendar.startOfDay(for: calendar.endOfDay(for: date)) == calendar.endOfDay(for: date)
        && calendar.isDate(calendar.endOfDay(for: date).addingTimeInterval(-1), inSameDayAs: date)
      #expect(isRight, "\(date): \(start) to \(end)")
      if !isRight { return }
    }
  }

  /// The 11th of September 2057, within a month whose days are miscounted in the Chinese calendar.
  private static let miscounted = Date(timeIntervalSince1970: 2_767_405_425)

  @Test("A month whose days the system miscounts has a start and an end all the same")
  func miscounted() throws {
    let calendar = try calendar(
      Place(calendar: .chinese, zone: "Asia/Shanghai", stride: 1))
    for day in -40...40 {
      let date = Self.miscounted.addingTimeInterval(Double(day) * 86_400)
      let (start, end) = (calendar.startOfMonth(for: date), calendar.endOfMonth(for: date))
      #expect(start <= date && date < end && end.timeIntervalSince(start) < 32 * 86_400)
    }
  }

  @Test("Same week, month and year")
  func same() throws {
    let calendar = try calendar(Self.places[0])
    let date = { try Date($0, strategy: .iso8601) }
    let (sunday, monday) = (try date("2023-12-31T12:00:00Z"), try date("2024-01-01T12:00:00Z"))
    #expect(calendar.isDate(sunday, inSameWeekAs: monday, firstWeekday: 1))
    #expect(!calendar.isDate(sunday, inSameWeekAs: monday, firstWeekday: 2))
    #expect(calendar.isDate(sunday, inSameWeekAs: monday, firstWeekday: 8))
    #expect(!calendar.isDate(sunday, inSameMonthAs: monday))
    #expect(!calendar.isDate(sunday, inSameYearAs: monday))
    #expect(calendar.isDate(try date("2024-12-30T12:00:00Z"), inSameYearAs: monday))
    #expect(calendar.daysInMonth(of: try date("2024-02-03T00:00:00Z")) == 29)
  }

  @Test("Dates that no calendar knows trap nothing", arguments: [-1e300, 1e300, 8.64e15, -8.64e15])
  func far(seconds: Double) throws {
    let calendar = try calendar(Self.places[0])
    let date = Date(timeIntervalSince1970: seconds)
    _ = calendar.startOfWeek(for: date, firstWeekday: .min)
    _ = calendar.endOfMonth(for: date)
    _ = calendar.endOfDay(for: date)
  }
}
