#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// The numbers of a journal's runs, as far as they were counted.
  struct RunSummary: Sendable {
    /// A number of runs; a lower bound if the count was stopped.
    struct Count: Sendable, Hashable {
      var number = 0
      var isCut = false
    }

    /// The number of runs in each state, exact up to 10,000.
    var totals: [RunState: RunCount] = [:]
    /// The states of which only the youngest runs were read.
    var cut: Set<RunState> = []
    /// The most frequent errors of dead and blocked runs, at most eight.
    var errors: [ErrorGroup] = []
    /// The number of runs of each flow in each state, as far as they were read; of journals that can
    /// tell, also flows none of whose runs were read.
    var flows: [ByteName: [RunState: Int]] = [:]
    /// The due runs, the longest waiting first, at most five.
    var due: [RunRecord] = []
    /// Whether an index has found them; otherwise they are among the counted runs.
    var isDueExact = false
    /// The limits that hold back runs, at most eight flows.
    var limits: [LimitStanding] = []
    /// The next ticks of schedules, at most five.
    var ticks: [Tick] = []

    /// The next tick of a schedule.
    struct Tick: Sendable, Hashable {
      var name: String
      var flow: String
      var date: Date
    }

    /// The youngest dead and blocked runs, at most eight.
    var stuck: [RunRecord] = []
    /// The youngest runs, at most eight.
    var youngest: [RunRecord] = []
    /// The last hour.
    var hour = HourSummary(end: .distantPast)
    /// The number of runs of each worker with runs; at most 100 workers.
    var workers: [ByteName: Int] = [:]
    /// The maximum number of workers that are counted individually.
    static let workerLimit = 100
    /// The maximum number of flows that are looked up, and shown.
    static let flowLimit = 200

    /// The names of the flows, sorted.
    var flowNames: [String] { flows.keys.sorted().map(\.text) }

    func count(_ state: RunState, of flow: String) -> Count {
      Count(number: flows[ByteName(flow)]?[state] ?? 0, isCut: cut.contains(state))
    }

    /// Counts the runs of a journal.
    ///
    /// O(n) in the number of runs; of each state at most a given number of runs and 32 MB of
    /// stages, youngest first.
    ///
    /// - Parameters:
    ///   - journal: the journal.
    ///   - time: the time of the call.
    ///   - limit: the maximum number of runs that are read of each state.
    ///   - previous: the last hour as it was counted before.
    ///   - isQuick: whether the errors are those of the runs that were read. A journal counts all
    ///     dead and blocked runs for its groups.
    static func counted(
      in journal: any Journal, at time: JournalTime, atMost limit: Int,
      after previous: HourSummary? = nil, isQuick: Bool = false
    ) async throws -> RunSummary {
      var summary = RunSummary()
      let now = time.date
      summary.hour = HourSummary(end: now, after: previous)
      for state in RunState.allCases {
        try await summary.count(state, in: journal, now: now, atMost: limit)
      }
      summary.stuck = Array(summary.stuck.sorted { $0.id > $1.id }.prefix(8))
      summary.youngest = try await journal.runs(RunQuery(limit: 8)).runs
      if isQuick {
        let isCut = !summary.cut.isDisjoint(with: [.dead, .blocked])
        summary.errors = summary.groups.values.mostFrequent(8).map { group in
          var group = group
          group.runs.hasMore = isCut
          return group
        }
      } else {
        if !summary.stuck.isEmpty { summary.errors = try await journal.errorGroups(atMost: 8) }
        try await summary.hour.count(in: journal)
      }
      summary.groups = [:]
      try await summary.survey(journal, at: time)
      return summary
    }

    /// Reads what indices find: the longest due runs, the names of flows, the full limits and the
    /// next ticks.
    private mutating func survey(_ journal: any Journal, at time: JournalTime) async throws {
      let survey = journal as? any SurveyedJournal
      if let due = try await survey?.longestDue(atMost: 5, at: time) {
        self.due = []
        for one in due {
          if let run = try await journal.run(one.id), run.state == .ready { self.due.append(run) }
        }
        isDueExact = true
      }
      for flow in try await survey?.names(of: .flow, atMost: Self.flowLimit) ?? [] {
        let name = ByteName(flow)
        flows[name] = flows[name] ?? [:]
      }
      limits = Array(try await journal.surveyedLimits(at: time).filter(\.holdsBack).prefix(8))
      let ticks = try await journal.schedules().compactMap { record -> Tick? in
        guard let status = try? ScheduleStatus(record), !status.progress.isPaused,
          let date = status.progress.nextTick
        else { return nil }
        return Tick(name: record.name, flow: status.schedule.flow, date: date)
      }
      self.ticks = Array(ticks.sorted { ($0.date, $0.name) < ($1.date, $1.name) }.prefix(5))
    }

    /// The time since which a run is due; nil if it is not due.
    static func dueSince(_ run: RunRecord, now: Date) -> Date? {
      guard run.state == .ready else { return nil }
      guard let due = run.dueAt else { return run.changedAt }
      return due <= now ? due : nil
    }

    /// The errors of the dead and blocked runs that were read.
    private var groups: [ErrorFingerprint: ErrorGroup] = [:]

    private mutating func count(
      _ state: RunState, in journal: any Journal, now: Date, atMost limit: Int
    ) async throws {
      totals[state] = try await journal.count(RunQuery(states: [state]))
      var (number, isCut) = (0, false)
      var bytes = 0
      var before: RunID?
      var due: [(since: Date, run: RunRecord)] = []
      repeat {
        let page = try await journal.runs(
          RunQuery(states: [state], before: before, limit: min(limit, 250)))
        for run in page.runs {
          flows[ByteName(run.flow), default: [:]][state, default: 0] += 1
          bytes += run.payload.count
          hour.add(run)
          groups.add(run)
          if let worker = run.worker.map(ByteName.init),
            workers[worker] != nil || workers.count < Self.workerLimit
          {
            workers[worker, default: 0] += 1
          }
          if let since = Self.dueSince(run, now: now) { due.append((since, run)) }
        }
        number += page.runs.count
        if before == nil, state == .dead || state == .blocked { stuck += page.runs.prefix(8) }
        if due.count > 5 { due = Array(due.sorted { $0.since < $1.since }.prefix(5)) }
        // If a journal returned the same page again, the loop would not end.
        before = page.runs.isEmpty || page.next == before ? nil : page.next
        isCut = before != nil
      } while before != nil && number < limit && bytes < 32 << 20
      if isCut {
        hour.markCut(state)
        cut.insert(state)
      }
      self.due += due.sorted { $0.since < $1.since }.map(\.run)
    }
  }

  /// Counts the runs of a journal at most once in five seconds, for any number of pages.
  ///
  /// No page waits for a long count. The first page, and the first one after a minute without any,
  /// gets the numbers of the youngest 100 runs of each state; later ones get the last numbers while
  /// new ones are counted.
  actor RunCensus {
    private let journal: any Journal
    private let time: TimeSource
    private var last: (summary: RunSummary, uptime: Duration)?
    private var isCounting = false
    /// Incremented by each change; counts that began earlier are dropped.
    private var revision = 0

    init(_ journal: any Journal, _ time: TimeSource) {
      self.journal = journal
      self.time = time
    }

    func summary() async throws -> RunSummary {
      let last = last
      if let last {
        let age = time.uptime - last.uptime
        if isCounting || age < Self.longestAge {
          if age >= .seconds(5) { count() }
          return last.summary
        }
      }
      let revision = revision
      let summary = try await RunSummary.counted(
        in: journal, at: now, atMost: 100, after: last?.summary.hour, isQuick: true)
      if revision == self.revision, last?.uptime == self.last?.uptime {
        self.last = (summary, time.uptime)
        if !summary.cut.isEmpty { count() }
      }
      return summary
    }

    /// Drops the numbers after a change.
    func forget() {
      last = nil
      isCounting = false
      revision += 1
    }

    /// The age from which numbers are not shown as those of now.
    private static let longestAge = Duration.seconds(60)

    private var now: JournalTime { JournalTime(time, boot: "inspector") }

    private func count() {
      guard !isCounting else { return }
      isCounting = true
      Task { [revision, previous = last?.summary.hour] in
        let summary = try? await RunSummary.counted(
          in: journal, at: now, atMost: 10_000, after: previous)
        guard revision == self.revision else { return }
        isCounting = false
        // Without numbers the next page counts again, and shows the error.
        last = summary.map { ($0, time.uptime) }
      }
    }
  }
#endif
