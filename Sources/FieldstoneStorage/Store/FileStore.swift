public import FieldstoneCore
public import Foundation

/// A value in a file.
///
/// A reader sees the whole old or the whole new file, whatever happens in between. Nothing is
/// written before the first save: to read never creates a file. Any number of stores, in this and
/// in other processes, may share a file.
///
/// Operations of a store run in the order in which they were asked for, off the main actor, on a
/// queue of its own. A save that was accepted is made, also when the store is released or the task
/// that awaits it is cancelled. (Seed: Mold's file storage with Swift value types.)
///
/// ```swift
/// let store = FileStore<Settings>(at: url)
/// var settings = try await store.value(default: Settings())
/// settings.launches += 1
/// try await store.save(settings)
/// ```
public final class FileStore<Value: Codable & Sendable>: Sendable {
  /// The place of the file, as it was given.
  public let url: URL

  let engine: FileEngine<Value>
  let watching: Locked<Watching<Value>>
  private let line = Locked(CoalescingSaveQueue<Value>())

  /// Makes a store for a file that may or may not exist; touches nothing yet.
  ///
  /// - Parameters:
  ///   - url: the place of the file; what is wrong with it shows when it is used. Folders that are
  ///     missing are made by the first save, with mode 0700.
  ///   - codec: how the value is written.
  ///   - schema: the version of what is written, with a checksum; none unless given.
  ///   - options: how the store writes.
  ///   - time: the clock of the time limit of locks.
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

  // MARK: Operations in line

  /// Puts work into the line.
  func add(_ work: @escaping CoalescingSaveQueue<Value>.Work) {
    if line.withLock({ $0.add(work) }) { begin() }
  }

  /// Puts a save into the line.
  func add(_ save: CoalescingSaveQueue<Value>.Save) {
    if line.withLock({ $0.add(save) }) { begin() }
  }

  /// Puts work into the line and waits for what it gives.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (isolated FileEngine<Value>) async -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      add { engine in continuation.resume(returning: await work(engine)) }
    }
  }

  private func begin() {
    Task(priority: .userInitiated) { await run(on: engine) }
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
  /// Whether it is the URL of a file of this machine: one with the name of a host is not.
  fileprivate var namesLocalFile: Bool {
    guard isFileURL else { return false }
    let host = absoluteURL.host(percentEncoded: false) ?? ""
    return host.isEmpty || host.lowercased() == "localhost"
  }
}

extension FileEngine {
  /// Makes saves by one write, of the newest value that can be encoded, and tells of each save how
  /// it went, in order.
  func make(_ saves: [CoalescingSaveQueue<Value>.Save]) async {
    var (refusals, result) = ([FileStoreError](), Result<Void, FileStoreError>.success(()))
    for save in saves.reversed() {
      let data: Data
      do {
        data = try encode(save.value)
      } catch {
        // Its own fault: those before it are made all the same.
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
    if let waiter = save.waiter { return waiter(result) }
    if case .failure(let error) = result, deferredError == nil { deferredError = error }
  }

  /// The error as the one type that a store throws.
  ///
  /// Nothing else is thrown but where a clock of one's own ends a wait for the lock by an error.
  func fileStoreError(_ error: any Error) -> FileStoreError {
    if let error = error as? FileStoreError { return error }
    let path = (try? place.get().path) ?? ""
    return FileStoreError(.lockTimedOut, path: path, underlying: [error])
  }
}
