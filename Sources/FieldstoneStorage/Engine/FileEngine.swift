import FieldstoneCore
import Foundation

/// The part of a store that touches the disk: one operation at a time, on a queue of its own, as a
/// sync may keep its thread for long.
actor FileEngine<Value: Codable & Sendable> {
  /// The place that was asked for, before any link is followed.
  let place: Result<FilePlace, FileStoreError>
  let format: FileFormat<Value>
  let options: FileStoreOptions
  let time: TimeSource
  let calls: SystemCalls
  private let watching: Locked<Watching<Value>>
  private let executor = QueueExecutor(label: "fieldstone.storage")

  /// What was read or written last; nil before the first look.
  var known: Known?
  var deferredError: FileStoreError?
  private var hasSwept = false

  /// What the store knows of its file without its value.
  struct Known {
    var digest: ContentDigest
    /// Why nothing may be saved over it; nil where something may.
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

  /// Where the content lies now.
  func currentPlace() throws(FileStoreError) -> FilePlace {
    let place = try place.get().following(options.symbolicLinks, with: calls)
    if !hasSwept {
      hasSwept = true
      // A file that can't be swept does no harm.
      try? StaleFiles.sweep(beside: place, with: calls)
    }
    return place
  }

  /// The bytes that lie in a place; nil where there is no file.
  func read(_ place: FilePlace) throws(FileStoreError) -> FileReading? {
    try FileReading.read(place, limit: options.sizeLimit, with: calls)
  }

  /// Takes up what was found, and notifies listeners when another writer has changed it.
  func take(_ found: Found<Value>) {
    let last = known?.digest
    known = found.known
    guard let last, last != found.known.digest else { return }
    tell(FileChange(origin: .elsewhere, contents: found.contents))
  }

  func tell(_ change: FileChange<Value>) {
    let listeners = watching.withLock { $0.listeners }
    for mailbox in listeners.valuesInOrder { mailbox.push(change)() }
  }
}

/// What lies in the place of a file.
struct Found<Value: Codable & Sendable> {
  var contents: FileContents<Value>
  var known: FileEngine<Value>.Known
  /// The bytes and the status, where it could be read.
  var reading: FileReading?
}
