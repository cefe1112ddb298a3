import Foundation

/// The time zone of a timing is part of it, whichever process reads it.
///
/// Foundation writes a current time zone or calendar with a mark, and reads the mark as the current
/// one of the reader. So a timing is stored without marks, and marks are not read: the values of
/// the writer are always beside them.
extension ScheduleTiming {
  /// The timing with the present values of a current time zone or calendar.
  ///
  /// The calendar's locale is left out: no tick depends on it, beyond the first day of a week and
  /// the number of days in the first week.
  var fixed: Self {
    switch self {
    case .every: return self
    case .cron(let line, in: let zone): return .cron(line, in: zone.fixed)
    case .rule(var rule, from: let start):
      rule.calendar = rule.calendar.fixed
      return .rule(rule, from: start)
    }
  }

  /// Reads a stored timing, in the time zone of its writer.
  public init(from decoder: any Decoder) throws {
    self =
      switch try StoredTiming(from: decoder) {
      case .every(let interval, from: let anchor): .every(interval, from: anchor)
      case .cron(let line, in: let zone): .cron(line, in: zone.value)
      case .rule(let rule, from: let start): .rule(rule.value, from: start)
      }
  }
}

extension TimeZone {
  fileprivate var fixed: Self { TimeZone(identifier: identifier) ?? self }
}

extension Calendar {
  fileprivate var fixed: Self {
    var fixed = Calendar(identifier: identifier)
    fixed.timeZone = timeZone.fixed
    fixed.firstWeekday = firstWeekday
    fixed.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    return fixed
  }
}

/// Has the cases of a timing, so that the keys are the same.
private enum StoredTiming: Decodable {
  case every(Duration, from: Date)
  case cron(CronLine, in: StoredZone)
  case rule(StoredRule, from: Date)
}

private struct StoredZone: Codable {
  private enum CodingKeys: CodingKey {
    case identifier
  }

  let identifier: String
  let value: TimeZone

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(String.self, forKey: .identifier)
    guard let value = TimeZone(identifier: identifier) else {
      throw DecodingError.dataCorruptedError(
        forKey: .identifier, in: container,
        debugDescription: "“\(identifier)” is not the identifier of a time zone.")
    }
    self.value = value
  }
}

private struct StoredRule: Decodable {
  private enum CodingKeys: CodingKey {
    case calendar
  }

  let value: Calendar.RecurrenceRule

  init(from decoder: any Decoder) throws {
    var rule = try Calendar.RecurrenceRule(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let stored = try container.decode(StoredCalendar.self, forKey: .calendar)
    // Only Foundation reads the identifiers of calendars.
    let unmarked = try JSONEncoder().encode(stored)
    rule.calendar = try JSONDecoder().decode(Calendar.self, from: unmarked).fixed
    value = rule
  }
}

/// The values of a calendar that ticks depend on, without marks.
private struct StoredCalendar: Codable {
  var identifier: String
  var timeZone: StoredZone
  var firstWeekday: Int
  var minimumDaysInFirstWeek: Int
}
