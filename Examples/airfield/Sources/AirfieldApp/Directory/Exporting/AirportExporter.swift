import Fieldstone
import FieldstoneDurable
import Foundation

/// Exports a directory, durably: an export that was stopped or killed goes on when it is asked for
/// again.
struct AirportExporter: Sendable {
  let directory: AirportDirectory

  /// A journal that is open already; that of the directory unless given.
  var journal: (any Journal)?

  /// Whether a file takes the place of one that is there.
  var replaces = true
  var poster = PagePoster()
  var time = TimeSource.system

  /// Called with what is out: when an export begins or goes on, before each page, at the end, and when
  /// it is stopped.
  var progress: @Sendable (ExportProgress) -> Void = { _ in }

  /// Told why nothing can be stored, as on a full disk, and nil once the export goes on.
  var onWait: @Sendable (_ reason: String?) -> Void = { _ in }

  /// Exports what is asked for, from the beginning or from where the same export had stopped.
  ///
  /// Is it under way in another process, it waits for that. An export of something else, or to
  /// somewhere else, that had stopped is left alone, unless it was to the same file: what that had
  /// written is removed.
  ///
  /// - Throws: ``ExportError`` when it can't be exported; `CancellationError` when the task was
  ///   cancelled, which leaves the export to go on later; `MessageError` for any other failure,
  ///   after which it can be asked for again, too.
  @concurrent
  func run(_ request: ExportRequest) async throws -> ExportSummary {
    var losses = 0
    while true {
      switch try await end(of: request) {
      case .exported(let summary): return summary
      case .refused(let error): throw error
      case .lost:
        // Somebody has tidied up, or is writing the same file: once is no reason to give up.
        losses += 1
        guard losses < 2 else { throw ExportError.disturbed(path: request.target.name) }
      }
    }
  }

  /// What can't be noted in the file is begun anew.
  private var usedJournal: any Journal {
    journal ?? (directory.isReadOnly ? InMemoryJournal() : directory.journal)
  }

  private func end(of request: ExportRequest) async throws -> ExportEnd {
    let services = ExportServices(
      directory: directory, wanted: request, replaces: replaces, poster: poster,
      progress: progress)
    let wait = JournalWait(onWait)
    // What may pass was tried again within the stage, as the server asked.
    let runner = try DurableRunner(
      journal: usedJournal,
      flows: [DurableFlow(AirportExport.self, services: services, options: .oneAtATime)],
      // A person who stops it does not wait for the page that is under way.
      options: DurableRunnerOptions(shutdownGrace: .zero, onEvent: { wait.take($0) }), time: time)
    let key = request.key(after: try await directory.finishedExports(of: request))
    try await keepWhatIsThere(request, key: key)
    while true {
      let run = try await runner.start(AirportExport.open(request), key: key)
      try await run.goOn()
      do {
        return try await run.end(by: runner)
      } catch DurableRunError.dead(_, ExportSetAside().message) {
        // By another process, before it had begun.
        continue
      } catch DurableRunError.dead(_, let error) {
        throw MessageError("\(error); the same export asked for again goes on from here")
      } catch is CancellationError {
        return try await endOfStopped(run)
      }
    }
  }

  /// Refuses to replace a file before anything is written in vain; one that appears later stays, too.
  private func keepWhatIsThere(_ request: ExportRequest, key: String) async throws {
    guard !replaces, case .file(let path) = request.target,
      let there = try? OpenFile.status(of: path), there.st_mode & S_IFMT == S_IFREG
    else { return }
    let unfinished = RunQuery(
      flow: AirportExport.flowName, states: Set(RunState.allCases).subtracting([.completed]),
      key: key, limit: 1)
    // It may have put its file there, and only has to note it.
    if let record = try await usedJournal.runs(unfinished).runs.first,
      case .finish(let position)? = try? StageJSON.value(AirportExport.self, from: record.payload),
      case .file(let file) = position.place, try file.isInPlace(length: position.bytes)
    {
      return
    }
    throw ExportError.exists(path: path)
  }

  /// Tells how far an export has come that was stopped, in a task that is not.
  private func endOfStopped(_ run: RunHandle<ExportEnd>) async throws -> ExportEnd {
    try await Task {
      let record = try await run.record
      if record.state == .completed { return try await run.value }
      progress(try StageJSON.value(AirportExport.self, from: record.payload).progress)
      throw CancellationError()
    }.value
  }
}
