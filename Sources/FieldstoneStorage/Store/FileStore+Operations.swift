import FieldstoneCore
import Foundation

extension FileStore {
  /// Reads the file.
  ///
  /// It creates no file. A corrupt one is moved to a name beside it, under the lock of all writers,
  /// and stays known as corrupt until ``resolve(_:)``, also to other processes and after a restart;
  /// where it can't be moved it stays in place.
  public func load() async -> FileContents<Value> {
    await perform { await $0.load() }
  }

  /// The value of the file, or a default where there is no file.
  ///
  /// Only a file that is missing has the default taken; it is not written.
  ///
  /// - Throws: an error that says why there is no value, when the file is there and corrupt,
  ///   unreadable or newer.
  public func value(
    default fallback: @autoclosure () -> Value
  ) async throws(FileStoreError) -> Value {
    switch await load() {
    case .missing: return fallback()
    case .value(let value): return value
    case .corrupt(let file): throw file.reason
    case .unreadable(let error): throw error
    case .newer(let schema):
      throw FileStoreError(.newer(schema: schema), path: url.path(percentEncoded: false))
    }
  }

  /// Whether there is a file, of whatever content.
  ///
  /// - Throws: when that can't be known, as when the folder may not be searched.
  public func exists() async throws(FileStoreError) -> Bool {
    try await perform { engine in
      Result<Bool, FileStoreError> { () throws(FileStoreError) in try engine.exists() }
    }.get()
  }

  /// Resolves what keeps saves from being made: a file that is corrupt, unreadable or newer.
  ///
  /// A no-op where nothing is in the way.
  ///
  /// - Returns: what is there now.
  /// - Throws: when a file could not be moved; nothing has changed then.
  @discardableResult
  public func resolve(
    _ resolution: FileResolution
  ) async throws(FileStoreError) -> FileContents<Value> {
    try await attempt { try await $0.resolve(resolution) }
  }

  /// Puts work that may fail into the line and waits for it.
  func attempt<Success: Sendable>(
    _ work: @escaping @Sendable (isolated FileEngine<Value>) async throws -> Success
  ) async throws(FileStoreError) -> Success {
    let result: Result<Success, FileStoreError> = await perform { engine in
      do {
        return .success(try await work(engine))
      } catch {
        return .failure(engine.fileStoreError(error))
      }
    }
    return try result.get()
  }
}

extension FileStore {
  /// Writes a value to the file.
  ///
  /// Returns once this value, or a newer one that a later save put in its place, is in the file:
  /// after the medium has it in a durable store. Saves that wait become one, and never pass a load
  /// or another operation; a value that can't be encoded fails alone. If it throws, the file is as
  /// it was or as a save before it made it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - policy: what happens when another writer changed the file; as the options say unless
  ///     given.
  /// - Throws: an error with the step that failed; the reason why the file may not be saved over,
  ///   until ``resolve(_:)``.
  public func save(
    _ value: Value, onConflict policy: FileConflictPolicy? = nil
  ) async throws(FileStoreError) {
    let result = await withCheckedContinuation { continuation in
      add(
        CoalescingSaveQueue.Save(
          value: value, policy: policy, waiter: { continuation.resume(returning: $0) }))
    }
    try result.get()
  }

  /// Has a value written without waiting for it, in the order of the calls.
  ///
  /// Of several that wait the last is written that can be encoded; their values are kept until
  /// then. The first failure is kept for ``flush()`` to throw.
  public func saveLater(_ value: Value) {
    add(CoalescingSaveQueue.Save(value: value, policy: nil, waiter: nil))
  }

  /// Waits until every save before it has been made.
  ///
  /// - Throws: the first failure of a ``saveLater(_:)`` that no flush has thrown yet.
  public func flush() async throws(FileStoreError) {
    let error = await perform { $0.deferredError.take() }
    if let error { throw error }
  }

  /// Removes the file, whatever its content; a no-op where there is none.
  ///
  /// Files that were set aside, and backups, stay; a corrupt one no longer keeps saves from being
  /// made. Where the place is a symbolic link that is followed, what it leads to is removed.
  ///
  /// - Throws: an error with the step that failed. Only when that is
  ///   ``FileStep/syncFolder`` the file is gone, and may be back after a power failure.
  public func delete() async throws(FileStoreError) {
    try await attempt { try await $0.delete() }
  }
}

extension FileStore {
  /// Reads the value, changes it and writes it, and no other writer comes in between.
  ///
  /// Other stores on the same file, in this and in other processes, wait meanwhile: keep the body
  /// short. It holds no lock of this process, so it may call what it likes; what it asks of this
  /// store comes after the update. If it throws, the file is as it was.
  ///
  /// - Parameters:
  ///   - fallback: the value to begin with where there is no file.
  ///   - timeout: how long to wait for other writers; as the options say unless given.
  ///   - body: changes the value, and gives what the update gives. It runs off the main actor.
  /// - Throws: what the body throws; ``FileStoreError``; `CancellationError` when the task is
  ///   cancelled while it waits for other writers.
  @discardableResult
  public func update<Result: Sendable>(
    default fallback: @autoclosure @escaping @Sendable () -> Value, timeout: Duration? = nil,
    _ body: @escaping @Sendable (inout Value) throws -> Result
  ) async throws -> Result {
    try await update(orMake: fallback, timeout: timeout, body)
  }

  /// Reads the value, changes it and writes it as ``update(default:timeout:_:)`` does, and takes a
  /// file that is missing for an error.
  ///
  /// - Throws: what that throws; ``FileStoreError/Code/missing`` where there is no file.
  @discardableResult
  public func update<Result: Sendable>(
    timeout: Duration? = nil, _ body: @escaping @Sendable (inout Value) throws -> Result
  ) async throws -> Result {
    try await update(orMake: nil, timeout: timeout, body)
  }

  private func update<Result: Sendable>(
    orMake fallback: (@Sendable () -> Value)?, timeout: Duration?,
    _ body: @escaping @Sendable (inout Value) throws -> Result
  ) async throws -> Result {
    let promise = OutcomePromise<Result>()
    // A task of its own, so that it can be cancelled while those that stand in line are not.
    let work = WorkStop()
    add { engine in
      let task = Task<Void, Never>(priority: .userInitiated) {
        promise.end(
          with: await Outcome(running: {
            try await engine.update(default: fallback, timeout: timeout, body)
          }))
      }
      work.keep(task)
      await task.value
      work.end()
    }
    let outcome = await withTaskCancellationHandler {
      await promise.outcome
    } onCancel: {
      work.stop()
    }
    switch outcome {
    case .cancelled(.caller): throw CancellationError()
    default: return try outcome.get()
    }
  }
}
