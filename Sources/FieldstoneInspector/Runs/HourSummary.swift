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

    private mutating func add(_ series: Series, _ date: Date) {
      let age = end.timeIntervalSince(date)
      guard age >= 0, age < Double(Self.minutes) * 60 else { return }
      let minute = Self.minutes - 1 - Int(age / 60)
      counts[series, default: Array(repeating: 0, count: Self.minutes)][minute] += 1
    }
  }
#endif
