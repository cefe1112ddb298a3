import Fieldstone
import FieldstoneDurable

/// The imports of uploaded files into a directory: one at a time, and durable.
///
/// They are a flow of their own, so that `airfield import` and a server on the same database leave
/// each other's imports alone. Whoever calls ``run()`` works on them, and goes on with what was
/// under way when an earlier process ended, however it ended.
final class DirectoryImports: Sendable {
  static let flowName = "airfield.upload"

  let folder: UploadFolder

  private let directory: AirportDirectory
  let runner: DurableRunner
  private let news = ChangeNews()
  private let ends = ChangeNews()
  private let wait = JournalWait()

  /// Makes the imports of a directory; nothing is worked on until ``run()`` is called.
  init(
    directory: AirportDirectory, limit: Int = 32 << 20,
    batchesPerPart: Int = ImportCuts.batchesPerPart,
    options: DurableRunnerOptions = DurableRunnerOptions(shutdownGrace: .zero),
    time: TimeSource = .system
  ) throws {
    self.directory = directory
    folder = UploadFolder(database: directory.path, limit: limit)
    var options = options
    let before = options.onEvent
    options.onEvent = { [news, ends, wait] event in
      before?(event)
      wait.take(event)
      news.tell()
      if event.kind == .completed, event.flow == Self.flowName { ends.tell() }
    }
    let services = ImportServices(
      directory: directory, flow: Self.flowName, batchesPerPart: batchesPerPart, keepsRejects: true
    ) { _ in true }
    runner = try DurableRunner(
      journal: directory.journal, flows: services.flows, options: options, time: time)
  }

  /// Works on imports until the task is cancelled; then what is under way is given back, to go on
  /// from its last batch.
  @concurrent
  func run() async throws {
    let ended = ends.stream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.runner.run() }
      group.addTask {
        for await _ in ended {
          try? await self.sweep()
          self.news.tell()
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    try Task.checkCancellation()
  }

  /// Removes what an earlier process has left that no import needs, files that never came whole
  /// included; what other servers take in stays.
  @concurrent
  func tidy() async {
    // A folder that can't be tidied is no reason not to import.
    try? await sweep()
  }

  /// Something has changed, once for any number of changes that nobody has heard of yet.
  func changes() -> AsyncStream<Void> { news.stream() }

  /// Begins to import a file; one whose import was cancelled goes on from where it was.
  ///
  /// - Throws: ``UploadError/busy``, and what the database throws.
  @concurrent
  func begin(_ file: UploadedFile) async throws {
    defer { file.release() }
    let last = try await lastRun()
    if let last {
      guard last.state.isOver || last.state == .blocked else { throw UploadError.busy }
      if try await isOpen(last) {
        if last.state != .blocked, source(of: last)?.path == file.path {
          return try await retry(last)
        }
        try await giveUp(last)
      }
    }
    try await directory.forgetRejects()
    let source = try ImportSource(path: file.path, name: file.name)
    let key = source.key(after: try await directory.finishedImports(of: source))
    try await runner.start(AirportImport.open(source), key: key, flow: Self.flowName)
    try? await sweep()
    news.tell()
  }

  /// What the import of a file would do by what is stored now; the file stays until that import, or
  /// until it is discarded.
  ///
  /// - Throws: ``ImportError`` when the file can't be imported, and what the database throws.
  @concurrent
  func preview(_ file: UploadedFile) async throws -> ImportPreview {
    try await ImportPreview.of(file.path, name: file.name, in: directory)
  }

  /// Removes a file that is not to be imported.
  @concurrent
  func discard(_ file: UploadedFile) async {
    file.release()
    // What stays is swept with the next import.
    try? await sweep()
  }

  /// How the last import stands; nil where there was none, or it was given up.
  @concurrent
  func status() async throws -> ImportStatus? {
    guard var record = try await lastRun() else { return nil }
    // Counts and record are read one after the other: where a batch or the end came in between, once
    // more. No import has as many batches as this, so what is told last is of one moment.
    for _ in 0..<1_000 {
      let status = try await status(of: record)
      guard let now = try await lastRun(),
        (now.id, now.sequence, now.state) != (record.id, record.sequence, record.state)
      else { return status }
      record = now
    }
    return try await status(of: record)
  }

  private func status(of record: RunRecord) async throws -> ImportStatus? {
    if record.state == .completed { return try await ended(record) }
    guard try await isOpen(record) else { return nil }
    let phase: ImportStatus.Phase =
      switch record.state {
      case .cancelled: .cancelled
      case .dead: .failed(record.error ?? "It has failed without saying why.")
      case .blocked:
        .failed("Another version of airfield has begun it. Serve it with that one, or give it up.")
      case .ready, .running, .completed: .running
      }
    return try await status(
      of: record, file: source(of: record)?.title, phase,
      wait: phase == .running ? wait.reason : nil
    ) { place in stage(of: record)?.fraction(at: place) ?? 0 }
  }

  /// Calls the import off that is under way; what it stored stays.
  ///
  /// A no-op where there is none.
  @concurrent
  func cancel() async throws {
    guard let record = try await lastRun() else { return }
    try await runner.cancel(record.id)
    news.tell()
  }

  /// Lets the import go on that was cancelled or has failed; a no-op where there is none.
  @concurrent
  func resume() async throws {
    guard let record = try await lastRun(), try await isOpen(record) else { return }
    try await retry(record)
  }

  /// Gives the import up that was cancelled or has failed; a no-op where there is none.
  @concurrent
  func giveUp() async throws {
    guard let record = try await lastRun(), try await isOpen(record),
      record.state.isOver || record.state == .blocked
    else { return }
    try await giveUp(record)
    try? await sweep()
    news.tell()
  }

  /// All rejected rows of the last import; nil where there was none.
  @concurrent
  func rejects() async throws -> RejectPieces? {
    try await lastRun().map { RejectPieces(directory: directory, run: $0.id) }
  }
}

extension DirectoryImports {
  private func lastRun() async throws -> RunRecord? {
    try await runner.journal.runs(RunQuery(flow: Self.flowName, limit: 1)).runs.first
  }

  /// Whether an import has neither ended nor was given up.
  private func isOpen(_ record: RunRecord) async throws -> Bool {
    guard record.state != .completed else { return false }
    return try await !directory.standing(ofImport: record.id).isOver
  }

  /// The stage that it is at; nil where another version wrote it.
  private func stage(of record: RunRecord) -> AirportImport? {
    guard record.state != .completed else { return nil }
    return try? StageJSON.value(AirportImport.self, from: record.payload)
  }

  private func source(of record: RunRecord) -> ImportSource? { stage(of: record)?.source }

  private func ended(_ record: RunRecord) async throws -> ImportStatus? {
    switch try StageJSON.value(ImportEnd.self, from: record.payload) {
    case .imported(let summary):
      try await status(of: record, file: summary.file, .finished) { _ in 1 }
    case .refused(let error):
      try await status(of: record, file: error.path, .refused(error)) { _ in 0 }
    case .abandoned: nil
    }
  }

  private func status(
    of record: RunRecord, file: String?, _ phase: ImportStatus.Phase, wait: String? = nil,
    fraction: (_ place: CSVPosition?) -> Double
  ) async throws -> ImportStatus {
    let (standing, rejects) = try await directory.standing(
      ofImport: record.id, rejects: ImportStatus.shownRejects)
    return ImportStatus(
      file: file, phase: phase,
      progress: ImportProgress(fraction: fraction(standing.place), counts: standing.counts),
      rejects: rejects, wait: wait)
  }

  private func retry(_ record: RunRecord) async throws {
    do {
      try await runner.handle(record.id, completion: ImportEnd.self).retry()
    } catch JournalError.notAllowed {
      // Somebody else was quicker, and it goes on.
    }
    news.tell()
  }

  private func giveUp(_ record: RunRecord) async throws {
    if record.state == .blocked {
      try await runner.cancel(record.id)
    }
    try await directory.giveUp(record.id, of: source(of: record))
  }

  private func sweep() async throws {
    try await folder.sweep {
      guard let record = try await lastRun(), try await isOpen(record) else { return nil }
      return source(of: record)?.path
    }
  }
}

struct ImportStatus: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    /// It is worked on, or will be as soon as somebody can.
    case running
    /// It was called off; it can go on from there, or be given up.
    case cancelled
    case finished
    case refused(ImportError)
    /// Something else went wrong; it can be tried again from there, or given up.
    case failed(String)
  }

  static let shownRejects = 100

  /// What the file is called; nil where a newer airfield began it and this one can't tell.
  let file: String?
  let phase: Phase

  /// How far it has come, by what is stored.
  let progress: ImportProgress

  /// The rejected rows, the first ``shownRejects`` of them.
  let rejects: [Reject]

  /// Why nothing can be stored now, as on a full disk; nil while the import goes on.
  let wait: String?
}
