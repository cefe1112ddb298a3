public import FieldstoneCore
public import Foundation

/// A value in a file.
///
/// A reader sees the whole old or the whole new file, even after a crash. Reading never creates a
/// file. Any number of stores, in this and in other processes, may share a file.
///
/// The operations of a store run in the order of the calls, off the main actor, on the store's own
/// queue. An accepted save is made even if the store is deallocated or the awaiting task is
/// cancelled. (Seed: Mold's file storage with Swift value types.)
///
/// ```swift
/// let store = FileStore<Settings>(at: url)
/// var settings = try await store.value(default: Settings())
/// settings.launches += 1
/// try await store.save(settings)
/// ```
public final class FileStore<Value: Codable & Sendable>: Sendable {
  /// The URL of the file, as given to the initialiser.
  public let url: URL

  let engine: FileEngine<Value>
  let watching: Locked<Watching<Value>>
  private let line = Locked(CoalescingSaveQueue<Value>())

  /// Makes a store for a file that need not exist, without a system call.
  ///
  /// - Parameters:
  ///   - url: the URL of the file. The first operation reports a URL that can't be used. The first
  ///     save makes missing folders, with mode 0700.
  ///   - codec: the format of the value; JSON by default.
  ///   - schema: the version of the content, with a checksum; none by default.
  ///   - options: the options of the store.
  ///   - time: the clock for the time limit of locks.
  public convenience init(
    at url: URL, as codec: FileCodec<Value> = .json, schema: FileSchema? = nil,
    options: FileStoreOptions = FileStoreOptions(), time: TimeSource = .system
  ) {
    self.init(
      at: url, as: codec, schema: schema, options: options, time: time, calls: .system)
  }

  package init(
    at url: URL, as codec: FileCodec<Value> = .json, schema: FileSchema? = nil,
    options: FileStoreOptions = FileStoreOptions(), time: TimeSource = .system, calls: SystemCalls
  ) {
    self.url = url
    let path = url.absoluteURL.path(percentEncoded: false)
    let place = url.namesLocalFile ? FilePlace(path: path) : nil
    let watching = Locked(Watching<Value>())
    self.watching = watching
    engine = FileEngine(
      place.map { .success($0) } ?? .failure(FileStoreError(.notAFile, path: url.absoluteString)),
      format: FileFormat(codec: codec, schema: schema), options: options, time: time, calls: calls,
      watching: watching)
  }

  // MARK: The queue of operations

  /// Adds work to the queue.
  func add(_ work: @escaping CoalescingSaveQueue<Value>.Work) {
    if line.withLock({ $0.add(work) }) { begin() }
  }

  /// Adds a save to the queue.
  func add(_ save: CoalescingSaveQueue<Value>.Save) {
    save.trace?.tell(.waiting)
    if line.withLock({ $0.add(save) }) { begin() }
  }

  /// The trace of a new save; nil without an observer of activities.
  func makeTrace() -> ActivityTrace? {
    .make(.fileSave, named: url.lastPathComponent, owner: ObjectIdentifier(self))
  }

  /// Adds work to the queue and waits for its result.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (isolated FileEngine<Value>) async -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      add { engine in continuation.resume(returning: await work(engine)) }
    }
  }

  private func begin() {
    // Detached: it runs the operations of all callers, not only those of the first.
    Task.detached(priority: .userInitiated) { await self.run(on: self.engine) }
  }

  private func run(on engine: isolated FileEngine<Value>) async {
    while let operation = line.withLock({ $0.next() }) {
      switch operation {
      case .work(let work): await work(engine)
      case .saves(let saves): await engine.make(saves)
      }
    }
  }
}

extension URL {
  /// Whether this is the URL of a file on this machine, without the name of another host.
  fileprivate var namesLocalFile: Bool {
    guard isFileURL else { return false }
    let host = absoluteURL.host(percentEncoded: false) ?? ""
    return host.isEmpty || host.lowercased() == "localhost"
  }
}

extension FileEngine {
  /// Makes several saves with one write, and reports the result of each save in order.
  ///
  /// It writes the newest value that can be encoded.
  func make(_ saves: [CoalescingSaveQueue<Value>.Save]) async {
    for save in saves { save.trace?.note(.began) }
    ActivityTrace.deliver()
    var (refusals, result) = ([FileStoreError](), Result<Void, FileStoreError>.success(()))
    for save in saves.reversed() {
      let data: Data
      do {
        data = try encode(save.value)
      } catch {
        // Only this save fails; the earlier saves are still made.
        refusals.append(error)
        continue
      }
      do {
        try await self.save(save.value, as: data, onConflict: save.policy)
      } catch {
        result = .failure(fileStoreError(error))
      }
      break
    }
    for save in saves.dropLast(refusals.count) { tell(save, result) }
    for (save, error) in zip(saves.suffix(refusals.count), refusals.reversed()) {
      tell(save, .failure(error))
    }
  }

  private func tell(
    _ save: CoalescingSaveQueue<Value>.Save, _ result: Result<Void, FileStoreError>
  ) {
    save.trace?.tell(.ended(Outcome(result.mapError { $0 })))
    if let waiter = save.waiter { return waiter(result) }
    if case .failure(let error) = result, deferredError == nil { deferredError = error }
  }

  /// Converts an error into the one type that a store throws.
  ///
  /// Only a custom clock that throws while the lock is awaited causes another type of error.
  func fileStoreError(_ error: any Error) -> FileStoreError {
    if let error = error as? FileStoreError { return error }
    let path = (try? place.get().path) ?? ""
    return FileStoreError(.lockTimedOut, path: path, underlying: [error])
  }
}
