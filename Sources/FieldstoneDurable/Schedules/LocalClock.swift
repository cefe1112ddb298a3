import Foundation

/// A local time without a zone: whole seconds since the beginning of 2001, as if it were UTC.
typealias LocalTime = Int

/// Converts between points in time and the local times of a time zone.
struct LocalClock {
  let zone: TimeZone

  /// The local time at a point in time.
  func time(at date: Date) -> LocalTime {
    let seconds = date.timeIntervalSinceReferenceDate
    // At most 3,000 years, because converting a larger number would trap.
    let bounded = seconds.isNaN ? 0 : min(max(seconds, -Self.bound), Self.bound)
    return Int(bounded.rounded(.down)) + offset(at: Self.date(Int(bounded)))
  }

  static let bound = 100_000_000_000.0

  /// The point in time of a local time: the first one if there are two, and the end of the gap if
  /// clocks skip it.
  func date(of time: LocalTime) -> Date {
    var offsets: Set<Int> = []
    // No zone is further from UTC than a day, so the applicable offset is among these.
    for distance in stride(from: -2 * Self.day, through: 2 * Self.day, by: Self.day / 2) {
      offsets.insert(offset(at: Self.date(time + distance)))
    }
    let moments = offsets.map { time - $0 }.filter { self.time(at: Self.date($0)) == time }
    if let first = moments.min() { return Self.date(first) }
    // Clocks skip the local time: find the first moment with a later one.
    var before = time - (offsets.max() ?? 0) - Self.day
    var after = time - (offsets.min() ?? 0) + Self.day
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if self.time(at: Self.date(middle)) > time { after = middle } else { before = middle }
    }
    return Self.date(after)
  }

  private func offset(at date: Date) -> Int { zone.secondsFromGMT(for: date) }

  private static func date(_ moment: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(moment))
  }

  private static let day = 86_400
}

/// A day of the Gregorian calendar, which is used for all dates here.
struct LocalDay: Equatable {
  var year: Int
  var month: Int
  var day: Int

  /// The number of the day since 1 January 2001, a Monday, from which weekdays are counted.
  let number: Int

  // The year begins in March, so that the leap day is its last day; an era has 400 years.
  init(number: Int) {
    self.number = number
    let shifted = number + 730_791
    let era = shifted.floorDivided(by: 146_097)
    let inEra = shifted - era * 146_097
    let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
    let dayOfYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of a local time.
  init(of time: LocalTime) { self.init(number: time.floorDivided(by: 86_400)) }

  /// From 0 for Sunday to 6.
  var weekday: Int { (number + 1) - (number + 1).floorDivided(by: 7) * 7 }

  /// The local time of its midnight.
  var start: LocalTime { number * 86_400 }
}

extension Int {
  /// The quotient, rounded down even below zero.
  fileprivate func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
