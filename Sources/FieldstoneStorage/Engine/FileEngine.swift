import Dispatch
import FieldstoneCore
import Foundation

/// The part of a store that touches the disk, one operation at a time.
///
/// It has its own dispatch queue, because a sync may block its thread for a long time.
actor FileEngine<Value: Codable & Sendable> {
  /// The place from the store's URL, before links are followed.
  let place: Result<FilePlace, FileStoreError>
  let format: FileFormat<Value>
  let options: FileStoreOptions
  let time: TimeSource
  let calls: SystemCalls
  private let watching: Locked<Watching<Value>>
  private let executor = QueueExecutor(label: "fieldstone.storage")

  /// The state of the file at the last read or write; nil before that.
  var known: Known?
  var deferredError: FileStoreError?
  private var hasSwept = false

  /// The state of the file without its value.
  struct Known {
    var digest: ContentDigest
    /// The reason why the file may not be replaced; nil if it may.
    var refusal: FileStoreError?
    var schema: Int?
  }

  init(
    _ place: Result<FilePlace, FileStoreError>, format: FileFormat<Value>,
    options: FileStoreOptions, time: TimeSource, calls: SystemCalls,
    watching: Locked<Watching<Value>>
  ) {
    self.watching = watching
    self.place = place
    self.format = format
    self.options = options
    self.time = time
    self.calls = calls
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The current place of the content.
  func currentPlace() throws(FileStoreError) -> FilePlace {
    let place = try place.get().following(options.symbolicLinks, with: calls)
    if !hasSwept {
      hasSwept = true
      // A temporary file that can't be removed is harmless.
      try? StaleFiles.sweep(beside: place, with: calls)
    }
    return place
  }

  /// The bytes of the file at a place; nil if there is no file.
  func read(_ place: FilePlace) throws(FileStoreError) -> FileReading? {
    try FileReading.read(place, limit: options.sizeLimit, with: calls)
  }

  /// Records the contents, and notifies listeners if another writer has changed them.
  func take(_ found: Found<Value>) {
    let last = known?.digest
    known = found.known
    guard let last, last != found.known.digest else { return }
    tell(FileChange(origin: .elsewhere, contents: found.contents))
  }

  /// Records that there is no file, and notifies listeners if that is news.
  func noteMissing(by origin: FileChange<Value>.Origin) {
    let last = known?.digest
    known = Known(digest: .missing(isSetAside: false))
    guard let last, last != .missing(isSetAside: false) else { return }
    tell(FileChange(origin: origin, contents: .missing))
  }

  func tell(_ change: FileChange<Value>) {
    let listeners = watching.withLock { $0.listeners }
    for mailbox in listeners.valuesInOrder { mailbox.push(change)() }
  }
}

/// The result of reading the place of a file.
struct Found<Value: Codable & Sendable> {
  var contents: FileContents<Value>
  var known: FileEngine<Value>.Known
  /// The bytes and the status; nil if the file can't be read.
  var reading: FileReading?
}

/// A file whose lock is held, with its open folder.
struct HeldFile {
  let place: FilePlace
  let folder: OpenFolder
  let lock: FileLock

  var names: FileNames { FileNames(of: place.name) }

  func release() {
    lock.release(with: folder.calls)
    folder.close()
  }

  /// The first unused name of a series.
  func freeName(_ name: (Int) -> String) throws(FileStoreError) -> String {
    var number = 1
    while try folder.status(of: name(number)) != nil { number += 1 }
    return name(number)
  }

  /// Renames a file to a free name, and syncs the folder in a durable store.
  func move(_ from: String, to: String, durability: FileDurability) throws(FileStoreError) {
    try folder.rename(from, to: to)
    if durability == .durable { try folder.sync() }
  }
}

extension FileEngine {
  /// Takes the lock; waits while another writer holds it.
  ///
  /// - Throws: ``FileStoreError``; `CancellationError` if the task is cancelled while it waits.
  func acquire(makingFolder: Bool = true, within limit: Duration? = nil) async throws -> HeldFile {
    let place = try currentPlace()
    let folder =
      makingFolder
      ? try OpenFolder.openOrMake(place.folder, durability: options.durability, with: calls)
      : try OpenFolder.open(place.folder, with: calls)
    guard let folder else { throw FileStoreError(.missing, path: place.path) }
    do {
      let names = FileNames(of: place.name)
      let lock = try await FileLock.take(
        names.lock, in: folder, making: try lockAttributes(place, in: folder), for: place.path,
        within: limit ?? options.lockTimeout, time: time)
      return HeldFile(place: place, folder: folder, lock: lock)
    } catch {
      folder.close()
      throw error
    }
  }

  /// The attributes of a new lock file: users that may write the data file may also lock it.
  private func lockAttributes(
    _ place: FilePlace, in folder: OpenFolder
  ) throws -> FileLock.Attributes {
    guard let status = try folder.status(of: place.name), status.kind == .file else {
      return FileLock.Attributes(mode: 0o600)
    }
    return FileLock.Attributes(mode: status.mode & 0o666 | 0o600, group: status.group)
  }
}

/// Temporary files of writers that were killed.
private enum StaleFiles {
  /// The temporary files in the folders that this process has listed, by path.
  private static let listed = Locked<[String: [String]]>([:])
  private static let mostFolders = 256

  /// Removes them, unless a writer holds the lock.
  ///
  /// A writer with temporary files holds the lock. So while this code holds it, all temporary files
  /// are stale. Without a lock file there was no writer. The names follow from the lock file, so
  /// that n stores in a folder do not list it n times.
  static func sweep(beside place: FilePlace, with calls: SystemCalls) throws(FileStoreError) {
    guard let folder = try OpenFolder.open(place.folder, with: calls) else { return }
    defer { folder.close() }
    let names = FileNames(of: place.name)
    guard let lock = try FileLock.tryOnce(names.lock, in: folder, making: nil) else { return }
    defer { lock.release(with: calls) }
    let others = (try? temporaryFiles(in: place.folder, with: calls)) ?? []
    let own = [names.temporary(lock.number), names.temporary(~lock.number)]
    for name in own + others.filter(names.isTemporary) {
      guard let status = try folder.status(of: name), status.kind == .file else { continue }
      folder.removeIfPossible(name)
    }
  }

  /// The temporary files of all stores in a folder, as of the first time.
  ///
  /// They include those with random names: of version 0.1.0, of a lock file that was removed, and of
  /// writers that found their first name taken. Those left later are for the next process.
  private static func temporaryFiles(
    in folder: String, with calls: SystemCalls
  ) throws(SystemError) -> [String] {
    if let known = listed.withLock({ $0[folder] }) { return known }
    let found = try uninterrupted { () throws(SystemError) in try calls.list(folder) }
      .filter { $0.hasSuffix(FileNames.temporaryEnding) }
    listed.withLock { folders in
      if folders.count == mostFolders { folders = [:] }
      folders[folder] = found
    }
    return found
  }
}

/// Runs an actor on its own dispatch queue.
///
/// On Linux a dispatch queue is not an executor by itself.
private final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
