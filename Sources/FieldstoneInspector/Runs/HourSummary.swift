#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// The runs of the last hour, counted for each of its minutes.
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
    /// The series that count only the youngest runs.
    var cut: Set<Series> = []
    /// The counts, oldest minute first.
    private var counts: [Series: [Int]] = [:]

    init(end: Date) { self.end = end }

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
    /// A journal counts at most 10,000 of each minute; a series with more stays marked.
    mutating func count(in journal: any Journal) async throws {
      for series in cut {
        var numbers: [Int] = []
        var hasMore = false
        for minute in (1...Self.minutes).reversed() {
          let start = end.addingTimeInterval(-60 * Double(minute))
          // The last minute ends now, and includes it.
          let query = series.query(
            from: start, until: minute == 1 ? nil : start.addingTimeInterval(60))
          let count = try await journal.count(query)
          numbers.append(count.number)
          hasMore = hasMore || count.hasMore
        }
        counts[series] = numbers
        if !hasMore { cut.remove(series) }
      }
    }

    private mutating func add(_ series: Series, _ date: Date) {
      let age = end.timeIntervalSince(date)
      guard age >= 0, age < Double(Self.minutes) * 60 else { return }
      let minute = Self.minutes - 1 - Int(age / 60)
      counts[series, default: Array(repeating: 0, count: Self.minutes)][minute] += 1
    }
  }
#endif
