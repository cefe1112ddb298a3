#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// The runs of the last hour, counted for each minute of the clock; the last one is under way.
  struct HourSummary: Sendable, Hashable {
    /// The counted events.
    enum Series: String, CaseIterable, Sendable {
      case started
      case completed
      case failed

      /// The query for its runs of a time.
      func query(from start: Date, until end: Date?) -> RunQuery {
        var query = RunQuery()
        switch self {
        case .started: (query.since, query.until) = (start, end)
        case .completed, .failed:
          query.states = self == .completed ? [.completed] : [.dead, .blocked]
          (query.stoppedSince, query.stoppedUntil) = (start, end)
        }
        return query
      }
    }

    static let minutes = 60

    /// The end of the hour.
    let end: Date
    /// The beginning of its first minute.
    let begin: Date
    /// The series that count only the youngest runs.
    var cut: Set<Series> = []
    /// The counts, oldest minute first.
    private var counts: [Series: [Int]] = [:]
    /// The numbers of started runs that an index has counted, by the beginning of the minute.
    ///
    /// A journal finds start times by identifiers, whose clocks may differ by ten minutes, so the
    /// count of a minute reads the runs of twenty-one.
    private var started: [Date: RunCount] = [:]
    /// The last minutes, which are counted again: as many as the clocks of the server and of other
    /// processes may differ, and one.
    private static let recounted = 11

    /// An hour in which nothing is counted.
    ///
    /// - Parameter previous: an earlier hour; its minutes that are over are not counted again.
    init(end: Date, after previous: HourSummary? = nil) {
      self.end = end
      let minute = (end.timeIntervalSince1970 / 60).rounded(.down)
      let begin = Date(timeIntervalSince1970: (minute - Double(Self.minutes) + 1) * 60)
      self.begin = begin
      started = previous?.started.filter { $0.key >= begin } ?? [:]
    }

    /// The beginning of a minute, by its number from the oldest one.
    func beginning(of minute: Int) -> Date { begin.addingTimeInterval(60 * Double(minute)) }

    /// The counts of a series, oldest minute first.
    subscript(series: Series) -> [Int] {
      counts[series] ?? Array(repeating: 0, count: Self.minutes)
    }

    /// Counts a run by its record; O(1).
    mutating func add(_ run: RunRecord) {
      add(.started, run.startedAt)
      switch run.state {
      case .completed: add(.completed, run.changedAt)
      case .dead, .blocked: add(.failed, run.changedAt)
      case .ready, .running, .cancelled: break
      }
    }

    /// Records that only the youngest runs of a state were counted.
    mutating func markCut(_ state: RunState) {
      cut.insert(.started)
      switch state {
      case .completed: cut.insert(.completed)
      case .dead, .blocked: cut.insert(.failed)
      case .ready, .running, .cancelled: break
      }
    }

    /// Counts the series of which not all runs were read, by the journal's indices.
    ///
    /// A journal counts at most 10,000 of each minute; a series with more stays marked. Runs that
    /// were started in a minute stay in its number for an hour, also those that are purged.
    mutating func count(in journal: any Journal) async throws {
      for series in cut {
        var numbers: [Int] = []
        var hasMore = false
        for minute in 0..<Self.minutes {
          let start = beginning(of: minute)
          let isKept = series == .started && minute < Self.minutes - Self.recounted
          let count: RunCount
          if isKept, let known = started[start] {
            count = known
          } else {
            // The last minute ends now, and includes it.
            count = try await journal.count(
              series.query(
                from: start, until: minute == Self.minutes - 1 ? nil : beginning(of: minute + 1)))
          }
          if isKept { started[start] = count }
          numbers.append(count.number)
          hasMore = hasMore || count.hasMore
        }
        counts[series] = numbers
        if !hasMore { cut.remove(series) }
      }
    }

    private mutating func add(_ series: Series, _ date: Date) {
      let age = date.timeIntervalSince(begin)
      guard age >= 0, age <= end.timeIntervalSince(begin) else { return }
      let minute = min(Int(age / 60), Self.minutes - 1)
      counts[series, default: Array(repeating: 0, count: Self.minutes)][minute] += 1
    }
  }
#endif
