public import Foundation

// What Mold had of dates and the platform still lacks. An end is the first moment after a period,
// so that periods follow each other without a gap: compare with `<`. Dates more than 30,000 years
// away, for which Foundation may trap, are their own starts and ends.

extension Calendar {
  /// The first moment after the day of a date; midnight of the next day, where it has one.
  public func endOfDay(for date: Date) -> Date {
    guard isNear(date) else { return date }
    // Some days have 23 hours and some 25, and this is in the next one after any of them.
    return startOfDay(for: startOfDay(for: date).addingTimeInterval(30 * 3_600))
  }

  /// The first moment of the week of a date.
  ///
  /// - Parameters:
  ///   - date: a date.
  ///   - firstWeekday: the day that weeks begin with, from 1 for Sunday to 7 for Saturday; the
  ///     calendar's own unless given. Numbers beyond are taken around the week.
  public func startOfWeek(for date: Date, firstWeekday: Int? = nil) -> Date {
    guard isNear(date) else { return date }
    let first = firstWeekday ?? self.firstWeekday
    var day = startOfDay(for: date)
    // Day by day, as days are left out where the date line was moved.
    while case let before = dayBefore(day), passed(before, first) < passed(day, first) {
      day = before
    }
    return day
  }

  /// The first moment after the week of a date.
  ///
  /// - Parameters:
  ///   - date: a date.
  ///   - firstWeekday: the day that weeks begin with, from 1 for Sunday to 7 for Saturday; the
  ///     calendar's own unless given. Numbers beyond are taken around the week.
  public func endOfWeek(for date: Date, firstWeekday: Int? = nil) -> Date {
    guard isNear(date) else { return date }
    let first = firstWeekday ?? self.firstWeekday
    var day = startOfDay(for: date)
    while case let after = endOfDay(for: day), passed(after, first) > passed(day, first) {
      day = after
    }
    return endOfDay(for: day)
  }

  /// The first moment of the month of a date.
  public func startOfMonth(for date: Date) -> Date {
    guard isNear(date) else { return date }
    let passed = Double(component(.day, from: date) - 1) * 86_400
    var day = startOfDay(for: startOfDay(for: date).addingTimeInterval(12 * 3_600 - passed))
    // It may lie in another month: where a day was left out, or where the system miscounts days.
    if day > date || !isDate(day, inSameMonthAs: date) { day = startOfDay(for: date) }
    while case let before = dayBefore(day), isDate(before, inSameMonthAs: date) { day = before }
    return day
  }

  /// The first moment after the month of a date.
  public func endOfMonth(for date: Date) -> Date {
    guard isNear(date) else { return date }
    let left = Double(daysInMonth(of: date) - component(.day, from: date)) * 86_400
    var day = startOfDay(for: startOfDay(for: date).addingTimeInterval(12 * 3_600 + left))
    if day < startOfDay(for: date) || !isDate(day, inSameMonthAs: date) {
      day = startOfDay(for: date)
    }
    while case let after = endOfDay(for: day), isDate(after, inSameMonthAs: date) { day = after }
    return endOfDay(for: day)
  }

  /// How many days the month of a date has.
  public func daysInMonth(of date: Date) -> Int {
    guard isNear(date) else { return 0 }
    return range(of: .day, in: .month, for: date)?.count ?? 0
  }

  /// Whether two dates are in the same week.
  ///
  /// - Parameters:
  ///   - date: a date.
  ///   - other: another date.
  ///   - firstWeekday: the day that weeks begin with, from 1 for Sunday to 7 for Saturday; the
  ///     calendar's own unless given. Numbers beyond are taken around the week.
  public func isDate(_ date: Date, inSameWeekAs other: Date, firstWeekday: Int? = nil) -> Bool {
    startOfWeek(for: date, firstWeekday: firstWeekday)
      == startOfWeek(for: other, firstWeekday: firstWeekday)
  }

  /// Whether two dates are in the same month of the same year.
  public func isDate(_ date: Date, inSameMonthAs other: Date) -> Bool {
    guard isNear(date), isNear(other) else { return date == other }
    let parts: Set<Component> = [.era, .year, .month]
    return dateComponents(parts, from: date) == dateComponents(parts, from: other)
  }

  /// Whether two dates are in the same year of the same era.
  public func isDate(_ date: Date, inSameYearAs other: Date) -> Bool {
    guard isNear(date), isNear(other) else { return date == other }
    return dateComponents([.era, .year], from: date) == dateComponents([.era, .year], from: other)
  }

  /// The first moment of the day before one that begins then.
  private func dayBefore(_ day: Date) -> Date {
    startOfDay(for: day.addingTimeInterval(-12 * 3_600))
  }

  /// How many days of its week have passed before the day of a date.
  private func passed(_ date: Date, _ firstWeekday: Int) -> Int {
    (component(.weekday, from: date) - firstWeekday % 7 + 14) % 7
  }

  private func isNear(_ date: Date) -> Bool {
    abs(date.timeIntervalSinceReferenceDate) < 1e12
  }
}
