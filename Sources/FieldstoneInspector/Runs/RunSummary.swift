#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// The runs of a journal in figures, as far as they were counted.
  struct RunSummary: Sendable {
    /// A number of runs; more than it tells when the counting was stopped.
    struct Count: Sendable, Hashable {
      var number = 0
      var isCut = false
    }

    /// The runs in each state.
    var totals: [RunState: Count] = [:]
    /// The runs of each flow in each state.
    var flows: [String: [RunState: Int]] = [:]
    /// The runs that are due, the longest waiting first, at most five.
    var due: [RunRecord] = []
    /// The youngest dead and blocked runs, at most eight.
    var stuck: [RunRecord] = []
    /// The youngest runs, at most eight.
    var youngest: [RunRecord] = []
    /// The last hour.
    var hour = HourSummary(end: .distantPast)
    /// The workers that have runs, with how many each has; at most 100.
    var workers: [String: Int] = [:]
    /// The most workers that are counted one by one.
    static let workerLimit = 100

    func count(_ state: RunState, of flow: String) -> Count {
      Count(number: flows[flow]?[state] ?? 0, isCut: totals[state]?.isCut ?? false)
    }

    /// Counts the runs of a journal.
    ///
    /// O(n) in the number of runs, at most so many and 32 MB of stages of each state, the youngest
    /// first.
    static func counted(
      in journal: any Journal, now: Date, atMost limit: Int
    ) async throws -> RunSummary {
      var summary = RunSummary()
      summary.hour = HourSummary(end: now)
      for state in RunState.allCases {
        try await summary.count(state, in: journal, now: now, atMost: limit)
      }
      summary.stuck = Array(summary.stuck.sorted { $0.id > $1.id }.prefix(8))
      summary.youngest = try await journal.runs(RunQuery(limit: 8)).runs
      return summary
    }

    /// The time since which a run is due; nil for one that is not.
    static func dueSince(_ run: RunRecord, now: Date) -> Date? {
      guard run.state == .ready else { return nil }
      guard let due = run.dueAt else { return run.changedAt }
      return due <= now ? due : nil
    }

    private mutating func count(
      _ state: RunState, in journal: any Journal, now: Date, atMost limit: Int
    ) async throws {
      var total = Count()
      var bytes = 0
      var before: RunID?
      var due: [(since: Date, run: RunRecord)] = []
      repeat {
        let page = try await journal.runs(
          RunQuery(states: [state], before: before, limit: min(limit, 250)))
        for run in page.runs {
          flows[run.flow, default: [:]][state, default: 0] += 1
          bytes += run.payload.count
          hour.add(run)
          if let worker = run.worker, workers[worker] != nil || workers.count < Self.workerLimit {
            workers[worker, default: 0] += 1
          }
          if let since = Self.dueSince(run, now: now) { due.append((since, run)) }
        }
        total.number += page.runs.count
        if before == nil, state == .dead || state == .blocked { stuck += page.runs.prefix(8) }
        if due.count > 5 { due = Array(due.sorted { $0.since < $1.since }.prefix(5)) }
        // A journal that gives the same page again would be counted for ever.
        before = page.runs.isEmpty || page.next == before ? nil : page.next
        total.isCut = before != nil
      } while before != nil && total.number < limit && bytes < 32 << 20
      if total.isCut { hour.markCut(state) }
      totals[state] = total
      self.due += due.sorted { $0.since < $1.since }.map(\.run)
    }
  }

  /// Counts the runs of a journal at most once in five seconds, however many pages ask.
  ///
  /// No page waits for a long count: the first gets the figures of the youngest 100 runs of each
  /// state, later ones the last figures, while new ones are counted.
  actor RunCensus {
    private let journal: any Journal
    private let time: TimeSource
    private var last: (summary: RunSummary, uptime: Duration)?
    private var isCounting = false
    /// Counts begun before a change are dropped.
    private var revision = 0

    init(_ journal: any Journal, _ time: TimeSource) {
      self.journal = journal
      self.time = time
    }

    func summary() async throws -> RunSummary {
      if let last {
        if time.uptime - last.uptime >= .seconds(5) { count() }
        return last.summary
      }
      let revision = revision
      let summary = try await RunSummary.counted(in: journal, now: time.now, atMost: 100)
      if revision == self.revision, last == nil {
        last = (summary, time.uptime)
        if summary.totals.values.contains(where: \.isCut) { count() }
      }
      return summary
    }

    /// Forgets the figures, after a change.
    func forget() {
      last = nil
      isCounting = false
      revision += 1
    }

    private func count() {
      guard !isCounting else { return }
      isCounting = true
      Task { [revision] in
        let summary = try? await RunSummary.counted(in: journal, now: time.now, atMost: 10_000)
        guard revision == self.revision else { return }
        isCounting = false
        // Without figures the next page counts itself, and shows the error.
        last = summary.map { ($0, time.uptime) }
      }
    }
  }
#endif
