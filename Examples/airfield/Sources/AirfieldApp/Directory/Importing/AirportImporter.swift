import Fieldstone
import FieldstoneDurable
import Synchronization

/// Imports files into a directory, durably: an import that was stopped or killed goes on when it is
/// asked for again.
struct AirportImporter: Sendable {
  let directory: AirportDirectory

  /// A journal that is open already; that of the directory unless given.
  var journal: (any Journal)?

  /// Whether that journal is in another database.
  var isElsewhere = false
  var batchesPerPart = ImportCuts.batchesPerPart
  var time = TimeSource.system

  /// Called with what is stored: when an import begins or goes on, after each batch, and when it is
  /// stopped.
  var progress: @Sendable (ImportProgress) -> Void = { _ in }

  /// Told why nothing can be stored, as on a full disk, and nil once the import goes on.
  var onWait: @Sendable (_ reason: String?) -> Void = { _ in }

  /// Imports a file, from its beginning or from where an earlier import of it had stopped.
  ///
  /// Is the same import under way in another process, it waits for that. An import of another file
  /// that had stopped is given up; what it stored stays.
  ///
  /// - Parameter name: what the file is called where something is said of it; its path unless given.
  /// - Throws: ``ImportError`` when the file can't be imported; `CancellationError` when the task
  ///   was cancelled, which leaves the import to go on later.
  @concurrent
  func run(_ path: String, name: String? = nil) async throws -> ImportSummary {
    let source = try ImportSource(path: path, name: name)
    while true {
      switch try await run(source) {
      case .imported(let summary): return summary
      case .refused(let error): throw error
      // By another process, before it had begun.
      case .abandoned: continue
      }
    }
  }

  private func run(_ source: ImportSource) async throws -> ImportEnd {
    let flow = try await flow
    let progress = inOrder(progress)
    let runner = try runner(of: flow, progress) { $0 == source }
    try await giveUpStopped(except: source, of: flow, by: runner)
    let hold = source.hold()
    defer { withExtendedLifetime(hold) {} }
    let run = try await start(source, of: flow, by: runner)
    try await run.goOn()
    do {
      return try await run.end(by: runner) { try await follow(run.id, of: source, progress) }
    } catch DurableRunError.dead(_, let error) {
      throw MessageError("\(error); the same import asked for again goes on from here")
    } catch is CancellationError {
      return try await endOfStopped(run)
    }
  }

  /// Works on the imports of the directory, whoever asked for them, until the task is cancelled.
  ///
  /// - Throws: `CancellationError`; `JournalError` where the journal can't be used any more.
  @concurrent
  func work() async throws {
    try await runner(of: try await flow, progress) { _ in true }.run()
  }

  /// The name of the flow: in a journal elsewhere the imports of each directory are a flow of their own.
  private var flow: String {
    get async throws {
      guard isElsewhere else { return AirportImport.flowName }
      return AirportImport.flowName + "." + (try await directory.nameElsewhere())
    }
  }

  private var usedJournal: any Journal { journal ?? directory.journal }

  private func runner(
    of flow: String, _ progress: @escaping @Sendable (ImportProgress) -> Void,
    isWanted: @escaping @Sendable (ImportSource) -> Bool
  ) throws -> DurableRunner {
    let services = ImportServices(
      directory: directory, flow: flow, isElsewhere: isElsewhere, batchesPerPart: batchesPerPart,
      progress: progress, isWanted: isWanted)
    let wait = JournalWait(onWait)
    // Only the end of its lease tells a journal elsewhere that a process is gone; one that is not, and
    // loses it, stores nothing twice. A person who stops it does not wait for the batch under way.
    let options = DurableRunnerOptions(
      lease: isElsewhere ? .seconds(5) : nil, shutdownGrace: .zero, onEvent: { wait.take($0) })
    return try DurableRunner(
      journal: usedJournal, flows: services.flows, options: options, time: time)
  }

  /// Starts an import, or finds the same one that is not over, also one that the first version began.
  ///
  /// One of a version that is newer than this code is left to those who can read it.
  private func start(
    _ source: ImportSource, of flow: String, by runner: DurableRunner
  ) async throws -> RunHandle<ImportEnd> {
    let begun = RunQuery(
      flow: flow, states: Set(RunState.allCases).subtracting([.completed]), limit: 1_000)
    for record in try await usedJournal.runs(begun).runs {
      guard record.version <= AirportImport.flowVersion,
        let stage = try? StageJSON.value(AirportImport.self, from: record.payload),
        stage.source == source, try await !directory.standing(ofImport: record.id).isOver
      else { continue }
      return runner.handle(record.id, completion: ImportEnd.self)
    }
    let key = source.key(after: try await directory.finishedImports(of: source))
    return try await runner.start(AirportImport.open(source), key: key, flow: flow)
  }

  /// Gives the imports in parts up that nobody waits for any more, those of another file.
  ///
  /// Any other unfinished import is given up by its next stage, which one that waits for its parts does
  /// not come to.
  private func giveUpStopped(
    except source: ImportSource, of flow: String, by runner: DurableRunner
  ) async throws {
    let unfinished = RunQuery(flow: flow, states: [.ready, .running], limit: 1_000)
    for record in try await usedJournal.runs(unfinished).runs {
      guard let stage = try? StageJSON.value(AirportImport.self, from: record.payload),
        stage.isInParts, stage.source != source, !stage.source.isHeld
      else { continue }
      try await runner.cancel(record.id)
      try await directory.giveUp(record.id, of: stage.source)
    }
  }

  /// Tells what other processes have stored of an import, once a second until the task is cancelled.
  private func follow(
    _ run: RunID, of source: ImportSource, _ progress: (ImportProgress) -> Void
  ) async throws {
    guard isElsewhere else { return }
    var last: CSVPosition?
    while true {
      // What can't be read is told where it is needed.
      if let standing = try? await directory.standing(ofImport: run), let place = standing.place,
        place != last
      {
        last = place
        let fraction = Double(place.offset) / Double(max(1, source.size))
        progress(ImportProgress(fraction: fraction, counts: standing.counts))
      }
      try await time.sleep(for: .seconds(1))
    }
  }

  /// Passes over what comes late: a stage and whoever follows it read how far the import is by themselves.
  private func inOrder(
    _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) -> @Sendable (ImportProgress) -> Void {
    let most = Mutex(0)
    return { next in
      let isLate = most.withLock { most in
        defer { most = max(most, next.counts.read) }
        return next.counts.read < most
      }
      if !isLate { progress(next) }
    }
  }

  /// Tells how far an import has come that was stopped, in a task that is not.
  private func endOfStopped(_ run: RunHandle<ImportEnd>) async throws -> ImportEnd {
    try await Task {
      let record = try await run.record
      if record.state == .completed { return try await run.value }
      let stage = try StageJSON.value(AirportImport.self, from: record.payload)
      let standing = try await directory.standing(ofImport: run.id)
      progress(
        ImportProgress(fraction: stage.fraction(at: standing.place), counts: standing.counts))
      throw CancellationError()
    }.value
  }
}
