public import FieldstoneCore

/// The reasons for which a schedule is refused.
public enum ScheduleError: DescribedError, Hashable {
  /// A line of a crontab can't be read.
  case unreadableCron(String, problem: String)
  /// A line of a crontab matches no existing day, such as the 30th of February.
  case neverHappens(String)
  /// An interval is shorter than a second or longer than a thousand years.
  case intervalOutOfBounds(Duration)
  /// There is no tick after the time at which the schedule is set, or none at all: a part of its
  /// rule is no number that it can have, such as the hour 25.
  case noTicks(String)
  /// No schedule has that name.
  case noSchedule(String)
  /// This code can't read the journal's record of a schedule.
  case unreadable(String, error: String)
  /// Others have changed the schedule repeatedly meanwhile.
  case contended(String)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .unreadableCron(let line, let problem):
      "The crontab line “\(line)” can't be read: \(problem). Write it as in “30 2 * * MON-FRI”."
    case .neverHappens(let line):
      "The crontab line “\(line)” names a day that no month of it has, so it would never run; name "
        + "another day or month."
    case .intervalOutOfBounds(let interval):
      "A schedule can't run every \(interval); give it between a second and a thousand years."
    case .noTicks(let name):
      "The schedule “\(name)” has no time that is still to come; give its rule a later end, or none, "
        + "and only numbers that exist: no hour 25, no interval 0."
    case .noSchedule(let name):
      "There is no schedule “\(name)” in this journal; look at the list of schedules."
    case .unreadable(let name, let error):
      "The schedule “\(name)” can't be read by this code (\(error)); update the code, or set the "
        + "schedule again."
    case .contended(let name):
      "The schedule “\(name)” was changed by others at the same time, again and again; try again."
    }
  }
}
