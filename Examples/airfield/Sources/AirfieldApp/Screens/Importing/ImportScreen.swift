import Fieldstone
import Foundation
import Observation

/// Importing a file as a screen: choosing it, how far it has come, what was rejected, and its end.
///
/// There is one for all, as there is one import at a time. The import itself is durable and knows
/// nothing of the screen: after a restart the screen shows it where it is.
@MainActor
@Observable
final class ImportScreen {
  /// What the import is at; reads are tracked.
  private(set) var state = ImportState.unknown

  /// Why what was asked for last was not done; nil where it was.
  var problem: String? { follower.problem }

  /// Whether it can't be told how the import stands; ``state`` is what was seen last.
  var isBlind: Bool { follower.isBlind }

  var limit: Int { imports.folder.limit }

  @ObservationIgnored private let imports: DirectoryImports
  @ObservationIgnored private let reach: FaultReach
  @ObservationIgnored private let preview: @Sendable (UploadedFile) async throws -> ImportPreview
  @ObservationIgnored private let didChange: @MainActor () -> Void
  @ObservationIgnored private let follower: StatusFollower<ImportStatus?>
  @ObservationIgnored private var isReceiving = false

  /// A file that waits for a word, and its comparison with the directory.
  @ObservationIgnored private var waiting: (file: UploadedFile, comparison: Task<Void, Never>)?

  /// Whether something was under way since everybody was told last.
  @ObservationIgnored private var wasBusy = false

  /// - Parameters:
  ///   - imports: what takes files in and imports them. An import that is under way goes on whatever
  ///     the screen can reach.
  ///   - didChange: called when an import has come to its end or to a halt, and airports are other
  ///     ones because of it.
  ///   - reach: called before the imports are asked for anything.
  ///   - preview: compares a file with the directory; as the imports do unless given.
  init(
    _ imports: DirectoryImports, didChange: @escaping @MainActor () -> Void = {},
    reach: @escaping FaultReach = { Faults() },
    preview: (@Sendable (UploadedFile) async throws -> ImportPreview)? = nil
  ) {
    self.imports = imports
    self.reach = reach
    self.preview = preview ?? { try await imports.preview($0) }
    self.didChange = didChange
    follower = StatusFollower(
      blind: "It can’t be told how the import stands: ", changes: imports.changes, reach: reach
    ) { try await imports.status() }
    follower.show = { [weak self] in self?.show(ImportState($0)) }
  }

  /// Looks how the import stands, and follows it from the first time on.
  func load() async { await follower.load() }

  /// Begins to take in a file; what it is called and holds goes to what is returned.
  ///
  /// One that was compared and waits is discarded.
  ///
  /// - Parameter bytes: how many bytes will come, those of a form around the file included.
  /// - Throws: ``UploadError``: `.busy` while another is taken in or imported,
  ///   `.tooLarge` where that is known already.
  func receive(bytes: Int) async throws -> ImportIntake {
    await load()
    guard !state.isBusy else { throw UploadError.busy }
    guard bytes <= limit + Self.allowance else { throw UploadError.tooLarge(limit: limit) }
    follower.refusal = nil
    isReceiving = true
    wasBusy = true
    state = .uploading(received: 0, of: bytes)
    if let file = stopWaiting() { await imports.discard(file) }
    return ImportIntake(self, imports, reach: reach)
  }

  /// Imports the file that was compared; a no-op where there is none.
  func importCompared() async {
    guard case .compared = state, let file = stopWaiting() else { return }
    // The file is here; who has gone away meanwhile takes nothing back.
    await follower.attempt(reaching: false) { try await imports.begin(file) }
  }

  /// Removes the file that was compared or is being compared; a no-op where there is none.
  func discard() async {
    guard let file = stopWaiting() else { return }
    await follower.attempt(reaching: false) { await imports.discard(file) }
  }

  /// Calls the import off; what it stored stays.
  func cancel() async { await follower.attempt { try await imports.cancel() } }

  func resume() async { await follower.attempt { try await imports.resume() } }

  func giveUp() async { await follower.attempt { try await imports.giveUp() } }

  func retry() async { await follower.retry() }

  /// All rejected rows of the last import; nil where there was none.
  func rejects() async throws -> RejectPieces? {
    _ = try await reach()
    return try await imports.rejects()
  }

  /// How many bytes the form around a file may have.
  static let allowance = 16_384

  /// That so many bytes have come.
  func received(_ bytes: Int) {
    guard isReceiving, case .uploading(_, let total) = state else { return }
    state = .uploading(received: min(bytes, total), of: total)
  }

  /// That nothing more will come: either the import has begun, or it never will.
  func receptionEnded() async {
    isReceiving = false
    // Whose client has gone is cancelled, and could not read any more how the import stands.
    await Task { await follower.look() }.value
    // Nobody could tell; at least the way is free for another.
    if case .uploading = state { state = .unknown }
  }

  /// Compares a file that was taken in with the directory, and lets it wait for a word.
  func compare(_ file: UploadedFile) {
    isReceiving = false
    state = .comparing(file: file.name)
    let comparison = Task { [weak self, reach, preview] in
      do {
        _ = try await reach()
        let compared = try await preview(file)
        // One that was discarded has nothing more to tell.
        guard !Task.isCancelled else { return }
        self?.state = .compared(file: file.name, compared)
      } catch {
        guard !Task.isCancelled else { return }
        await self?.refuse(error)
      }
    }
    waiting = (file, comparison)
  }

  /// Says why a file could not be compared, and removes it.
  private func refuse(_ error: any Error) async {
    await discard()
    follower.refusal = error.localizedDescription
  }

  private func stopWaiting() -> UploadedFile? {
    defer { waiting = nil }
    waiting?.comparison.cancel()
    return waiting?.file
  }

  private func show(_ state: ImportState) {
    // What is taken in or waits is no import yet, and the one before it is of no interest any more.
    guard !isReceiving, waiting == nil else { return }
    if state != self.state { self.state = state }
    guard !state.isBusy else {
      wasBusy = true
      return
    }
    // Nothing to be seen is no end: the end is what changed airports.
    guard wasBusy, state != .nothing else { return }
    wasBusy = false
    if state.changedAirports > 0 { didChange() }
  }
}

/// What the import of a file is at, for a screen.
enum ImportState: Sendable, Equatable {
  /// Nobody has looked yet.
  case unknown
  /// No file was imported.
  case nothing
  /// A file is being taken in: how many bytes of how many, those around it included.
  case uploading(received: Int, of: Int)
  case comparing(file: String)
  /// A file was compared, and is imported or discarded when somebody says so.
  case compared(file: String, ImportPreview)
  case running(ImportStatus)
  /// It was called off, and can go on.
  case cancelled(ImportStatus)
  case finished(ImportStatus)
  /// It has failed; the message says what to do about it.
  case failed(ImportStatus, message: String, canGoOn: Bool)

  init(_ status: ImportStatus?) {
    guard let status else {
      self = .nothing
      return
    }
    switch status.phase {
    case .running: self = .running(status)
    case .cancelled: self = .cancelled(status)
    case .finished: self = .finished(status)
    case .refused(let error): self = .failed(status, message: error.message, canGoOn: false)
    case .failed(let error): self = .failed(status, message: error, canGoOn: true)
    }
  }

  /// Whether another file has to wait.
  var isBusy: Bool {
    switch self {
    case .uploading, .comparing, .running: true
    case .unknown, .nothing, .compared, .cancelled, .finished, .failed: false
    }
  }

  /// How the import stands, where there is one.
  var status: ImportStatus? {
    switch self {
    case .running(let status), .cancelled(let status), .finished(let status),
      .failed(let status, _, _):
      status
    case .unknown, .nothing, .uploading, .comparing, .compared: nil
    }
  }

  /// How many airports are other ones because of it.
  var changedAirports: Int {
    status.map { $0.progress.counts.stored + $0.progress.counts.updated } ?? 0
  }
}
