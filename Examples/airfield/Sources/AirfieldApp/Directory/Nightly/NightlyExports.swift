import Fieldstone
import FieldstoneDurable
import Foundation

/// The nightly export of a directory: a schedule in its journal, and the runs that it starts.
///
/// The schedule stays when the process ends. A night that no process has seen is made up for once, by
/// the next caller of ``run()``. A night that comes while an export is under way is left out.
final class NightlyExports: Sendable {
  static let schedule = "airfield.nightly"

  let runner: DurableRunner
  private let time: TimeSource
  private let news = ChangeNews()
  private let wait = JournalWait()

  /// Makes the exports of a directory; nothing is worked on until ``run()`` is called.
  convenience init(directory: AirportDirectory) throws {
    try self.init(
      services: ExportServices(directory: directory, wanted: nil, replaces: false),
      options: DurableRunnerOptions(shutdownGrace: .zero))
  }

  /// Makes the exports with a runner of these options.
  init(
    services: ExportServices, options: DurableRunnerOptions, time: TimeSource = .system
  ) throws {
    self.time = time
    var options = options
    let before = options.onEvent
    options.onEvent = { [news, wait] event in
      before?(event)
      wait.take(event)
      news.tell()
    }
    runner = try DurableRunner(
      journal: services.directory.journal,
      flows: [DurableFlow(NightlyExport.self, services: services, options: .oneAtATime)],
      options: options, time: time)
  }

  /// Makes the exports that are due until the task is cancelled; one that is under way then goes on
  /// later.
  @concurrent
  func run() async throws {
    await forgetOld()
    try await runner.run()
  }

  /// Removes the runs of exports that were made a quarter of a year ago; their files stay.
  private func forgetOld() async {
    var query = RunQuery(flow: NightlyExport.flowName)
    query.until = time.now - 90 * 86_400
    let old = BulkChange(.purge, of: query)
    // What could not be removed is removed at the next start.
    guard let count = try? await runner.count(old) else { return }
    _ = try? await runner.perform(old, upTo: count)
  }

  /// Something has changed, once for any number of changes that nobody has heard of yet.
  func changes() -> AsyncStream<Void> { news.stream() }

  /// Sets the plan; the same again changes nothing, and a paused one stays paused.
  @concurrent
  func set(_ plan: NightlyPlan) async throws {
    guard let zone = TimeZone(identifier: plan.zone) else { throw NightlyError.badZone(plan.zone) }
    try await runner.setSchedule(
      Self.schedule, of: NightlyExport.begin(plan), .cron(plan.cron, in: zone),
      options: ScheduleOptions(missed: .once, overlap: .skip))
    news.tell()
  }

  /// Removes the plan; an export that is under way goes on, and files stay.
  @concurrent
  func remove() async throws {
    try await changing { try await runner.removeSchedule(Self.schedule) }
  }

  /// How it stands; nil where none is set up.
  @concurrent
  func status() async throws -> NightlyStatus? {
    let schedules = try await runner.schedules()
    guard let schedule = schedules.first(where: { $0.schedule.name == Self.schedule }) else {
      return nil
    }
    let first = try StageJSON.value(
      NightlyExport.self, from: Data(schedule.schedule.stage.utf8))
    let runs = try await runner.journal.runs(
      RunQuery(flow: NightlyExport.flowName, limit: NightlyStatus.shownExports + 1)
    ).runs
    return NightlyStatus(
      plan: first.plan, isPaused: schedule.progress.isPaused, next: schedule.progress.nextTick,
      current: runs.last { !$0.state.isOver }.map(current),
      past: Array(runs.filter(\.state.isOver).map(past).prefix(NightlyStatus.shownExports)))
  }

  /// Lets nights pass by from now on; an export that is under way goes on.
  @concurrent
  func pause() async throws {
    try await changing { try await runner.pauseSchedule(Self.schedule) }
  }

  @concurrent
  func resume() async throws {
    try await changing { try await runner.resumeSchedule(Self.schedule) }
  }

  /// Makes an export now, beside those of the nights.
  ///
  /// - Throws: ``NightlyError/busy`` while one is under way; ``NightlyError/notSet``.
  @concurrent
  func runNow() async throws {
    guard let status = try await status() else { throw NightlyError.notSet }
    guard status.current == nil else { throw NightlyError.busy }
    try await runner.runNow(schedule: Self.schedule)
    news.tell()
  }

  private func changing(_ change: () async throws -> Void) async throws {
    try await change()
    news.tell()
  }

  /// Calls the export off that is under way; a no-op where there is none.
  @concurrent
  func cancel() async throws {
    let query = RunQuery(
      flow: NightlyExport.flowName, states: [.ready, .running, .blocked], limit: 1)
    guard let run = try await runner.journal.runs(query).runs.first else { return }
    try await runner.handle(run.id, completion: ExportEnd.self).cancel()
    news.tell()
  }
}

extension NightlyExports {
  private func current(_ record: RunRecord) -> NightlyStatus.Current {
    let stage = try? StageJSON.value(NightlyExport.self, from: record.payload)
    let wait =
      record.state == .blocked
      ? "Another version of airfield has begun it. Serve the directory with that one, or cancel it."
      : self.wait.reason
    return NightlyStatus.Current(
      startedAt: record.startedAt,
      progress: stage?.progress ?? ExportProgress(fraction: 0, rows: 0), wait: wait)
  }

  private func past(_ record: RunRecord) -> NightlyStatus.Past {
    let (end, path) = end(of: record)
    return NightlyStatus.Past(
      startedAt: record.startedAt, end: end,
      isKept: path.map { FileManager.default.fileExists(atPath: $0) } ?? false)
  }

  private func end(of record: RunRecord) -> (NightlyStatus.Past.End, path: String?) {
    switch record.state {
    case .cancelled: return (.cancelled, nil)
    case .completed:
      switch try? StageJSON.value(ExportEnd.self, from: record.payload) {
      case .exported(let summary):
        let path = summary.target.name
        let file = URL(filePath: path).lastPathComponent
        return (.exported(file: file, rows: summary.rows), path)
      case .refused(let error): return (.failed(error.message), nil)
      case .lost, nil: return (.failed("Another version of airfield has ended it."), nil)
      }
    default: return (.failed(record.error ?? "It has failed without saying why."), nil)
    }
  }
}

struct NightlyStatus: Sendable, Equatable {
  struct Current: Sendable, Equatable {
    let startedAt: Date

    /// How far it has come, by what is stored.
    let progress: ExportProgress

    /// Why it does not go on now; nil while it does.
    let wait: String?
  }

  struct Past: Sendable, Equatable {
    enum End: Sendable, Equatable {
      case exported(file: String, rows: Int)
      case failed(String)
      case cancelled
    }

    let startedAt: Date
    let end: End
    let isKept: Bool
  }

  static let shownExports = 10

  let plan: NightlyPlan

  /// Whether nights pass by without it.
  let isPaused: Bool
  let next: Date?
  let current: Current?

  /// The exports that are over, the newest first: ``shownExports`` of them.
  let past: [Past]
}
