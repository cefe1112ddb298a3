package import FieldstoneDurable
import Foundation

/// Schedules as text.
package enum ScheduleText {
  /// The timing of a schedule, as in “30 2 * * MON in Europe/Berlin”.
  package static func timing(_ timing: ScheduleTiming) -> String {
    switch timing {
    case .every(let interval, from: _): "every \(whole(interval))"
    case .cron(let line, in: let zone): "\(line.text.inOneLine.cut(to: 120)) in \(zone.identifier)"
    case .rule(let rule, from: _):
      "by a rule, \(frequency(of: rule)) in \(rule.calendar.timeZone.identifier)"
    }
  }

  /// An interval to the millisecond: of a definition nothing is left out.
  private static func whole(_ interval: Duration) -> String {
    let (seconds, attoseconds) = interval.components
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"),
      (seconds % 60, "s"), (attoseconds / 1_000_000_000_000_000, "ms"),
    ].filter { $0.0 != 0 }
    return parts.isEmpty ? "\(interval)" : parts.map { "\($0) \($1)" }.joined(separator: " ")
  }

  private static func frequency(of rule: Calendar.RecurrenceRule) -> String {
    let (one, unit) =
      switch rule.frequency {
      case .minutely: ("each minute", "minutes")
      case .hourly: ("hourly", "hours")
      case .daily: ("daily", "days")
      case .weekly: ("weekly", "weeks")
      case .monthly: ("monthly", "months")
      case .yearly: ("yearly", "years")
      @unknown default: ("again and again", "periods")
      }
    return rule.interval == 1 ? one : "every \(rule.interval) \(unit)"
  }

  /// The rules for missed and overlapping ticks.
  package static func rules(_ options: ScheduleOptions) -> String {
    let missed =
      switch options.missed {
      case .skip: "missed ticks are skipped"
      case .once: "missed ticks are one run"
      case .each(let most): "of missed ticks the last \(min(max(most, 1), 100)) run"
      }
    let overlap =
      switch options.overlap {
      case .allow: "runs may overlap"
      case .skip: "a tick is skipped while a run is not over"
      case .queue(...1): "one tick at most waits for a run that is not over"
      case .queue(let most): "\(min(most, 1_000)) ticks at most wait for a run that is not over"
      }
    return "\(missed); \(overlap)"
  }
}
