import Fieldstone
package import FieldstoneDurable

/// Imports files into a directory, durably: an import that was stopped or killed goes on when it is
/// asked for again.
public struct AirportImporter: Sendable {
  private let directory: AirportDirectory
  private let journal: any Journal
  private let progress: @Sendable (ImportProgress) -> Void
  private let onWait: @Sendable (String?) -> Void

  /// Makes an importer.
  ///
  /// - Parameters:
  ///   - directory: what is imported into.
  ///   - progress: called with what is stored: when an import begins or goes on, after each batch,
  ///     and when it is stopped.
  ///   - onWait: told why nothing can be stored, as on a full disk, and nil once the import goes on.
  public init(
    directory: AirportDirectory,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in },
    onWait: @escaping @Sendable (_ reason: String?) -> Void = { _ in }
  ) {
    self.init(directory: directory, journal: directory.journal, progress: progress, onWait: onWait)
  }

  /// Makes an importer on a journal that is open already.
  package init(
    directory: AirportDirectory, journal: any Journal,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in },
    onWait: @escaping @Sendable (_ reason: String?) -> Void = { _ in }
  ) {
    self.directory = directory
    self.journal = journal
    self.progress = progress
    self.onWait = onWait
  }

  /// Imports a file, from its beginning or from where an earlier import of it had stopped.
  ///
  /// Is the same import under way in another process, it waits for that. An import of another file
  /// that had stopped is given up; what it stored stays.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - name: what the file is called where something is said of it; its path unless given.
  /// - Throws: ``ImportError`` when the file can't be imported; `CancellationError` when the task
  ///   was cancelled, which leaves the import to go on later.
  @concurrent
  public func run(_ path: String, name: String? = nil) async throws -> ImportSummary {
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
    let services = ImportServices(directory: directory, progress: progress) { $0 == source }
    let wait = JournalWait(onWait)
    let runner = try DurableRunner(
      journal: journal,
      flows: [DurableFlow(AirportImport.self, services: services, options: .oneAtATime)],
      // A person who stops it does not wait for the batch that is under way.
      options: DurableRunnerOptions(shutdownGrace: .zero, onEvent: { wait.take($0) }))
    let key = source.key(after: try await directory.finishedImports())
    let run = try await runner.start(AirportImport.open(source), key: key)
    try await run.goOn()
    do {
      return try await run.end(by: runner)
    } catch DurableRunError.dead(_, let error) {
      throw MessageError("\(error); the same import asked for again goes on from here")
    } catch is CancellationError {
      return try await endOfStopped(run)
    }
  }

  /// Tells how far an import has come that was stopped, in a task that is not.
  private func endOfStopped(_ run: RunHandle<ImportEnd>) async throws -> ImportEnd {
    try await Task {
      let record = try await run.record
      if record.state == .completed { return try await run.value }
      let stage = try StageJSON.value(AirportImport.self, from: record.payload)
      let counts = try await directory.counts(ofImport: run.id)
      progress(ImportProgress(fraction: stage.fraction, counts: counts))
      throw CancellationError()
    }.value
  }
}
