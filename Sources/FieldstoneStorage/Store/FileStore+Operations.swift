import FieldstoneCore
import Foundation

extension FileStore {
  /// Reads the file.
  ///
  /// A load moves a corrupt file to another name beside it, under the lock of all writers, whose
  /// file it creates if it is missing; if that fails, the corrupt file stays in place. The store
  /// reports it as corrupt until ``resolve(_:)``, also in other processes and after a restart.
  /// Otherwise it creates no file.
  public func load() async -> FileContents<Value> {
    await perform { await $0.load() }
  }

  /// Reads the value of the file, or returns a default if the file is missing.
  ///
  /// The default is not written.
  ///
  /// - Throws: ``FileStoreError`` if the file is corrupt, unreadable or newer.
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

  /// Whether the file exists, even if it is corrupt and waits beside its place.
  ///
  /// - Throws: ``FileStoreError`` if the folder can't be searched.
  public func exists() async throws(FileStoreError) -> Bool {
    try await perform { engine in
      Result<Bool, FileStoreError> { () throws(FileStoreError) in try engine.exists() }
    }.get()
  }

  /// Resolves a corrupt, unreadable or newer file, so that saves succeed again.
  ///
  /// For any other file this is a no-op.
  ///
  /// - Returns: the contents afterwards.
  /// - Throws: ``FileStoreError`` if a file can't be moved; the files are then unchanged.
  @discardableResult
  public func resolve(
    _ resolution: FileResolution
  ) async throws(FileStoreError) -> FileContents<Value> {
    try await attempt { try await $0.resolve(resolution) }
  }

  /// Adds work that may throw to the queue, and waits for its result.
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
  /// It returns once the file holds this value or that of a later save; in a durable store, once
  /// the medium holds it. Waiting saves are coalesced into one write, but not across a load or
  /// another operation. A value that can't be encoded fails alone. If the save throws, the file has
  /// its previous content.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - policy: the policy for a file that another writer changed; by default that of the options.
  /// - Throws: ``FileStoreError``. A corrupt, unreadable or newer file is not replaced until
  ///   ``resolve(_:)``.
  public func save(
    _ value: Value, onConflict policy: FileConflictPolicy? = nil
  ) async throws(FileStoreError) {
    let result = await withCheckedContinuation { continuation in
      add(
        CoalescingSaveQueue.Save(
          value: value, policy: policy, waiter: { continuation.resume(returning: $0) },
          trace: makeTrace()))
    }
    try result.get()
  }

  /// Adds a save without waiting for it, in the order of the calls.
  ///
  /// Waiting saves are coalesced into one write of the last value that can be encoded. The next
  /// ``flush()`` throws the first failure.
  public func saveLater(_ value: Value) {
    add(CoalescingSaveQueue.Save(value: value, policy: nil, waiter: nil, trace: makeTrace()))
  }

  /// Waits for all earlier saves.
  ///
  /// - Throws: the first failure of a ``saveLater(_:)`` since the last flush that threw.
  public func flush() async throws(FileStoreError) {
    let error = await perform { $0.deferredError.take() }
    if let error { throw error }
  }

  /// Removes the file, even a corrupt one; a no-op if the file is missing.
  ///
  /// Backups and quarantined files stay; a corrupt file no longer prevents saves. For a symbolic
  /// link that is followed, the target is removed; for one that saves replace, the link is.
  ///
  /// - Throws: ``FileStoreError``. If only syncing the folder failed, the file is removed, but may
  ///   return after a power failure.
  public func delete() async throws(FileStoreError) {
    try await attempt { try await $0.delete() }
  }
}

extension FileStore {
  /// Reads the value, changes it and writes it, without another writer in between.
  ///
  /// Other stores of the same file, in this and in other processes, wait meanwhile: keep the body
  /// short. The body holds no lock of this process and may call any code. Operations of this store
  /// that it starts run after the update. If the body throws, the file is unchanged.
  ///
  /// - Parameters:
  ///   - fallback: the initial value if the file is missing.
  ///   - timeout: the longest wait for other writers; by default that of the options.
  ///   - body: changes the value and returns the result of the update. It runs off the main actor.
  /// - Throws: errors of the body; ``FileStoreError``; `CancellationError` if the task is cancelled
  ///   before the update begins, or while it waits for other writers.
  @discardableResult
  public func update<Result: Sendable>(
    default fallback: @autoclosure @escaping @Sendable () -> Value, timeout: Duration? = nil,
    _ body: @escaping @Sendable (inout Value) throws -> Result
  ) async throws -> Result {
    try await update(orMake: fallback, timeout: timeout, body)
  }

  /// Reads the value, changes it and writes it; throws if the file is missing.
  ///
  /// It works as ``update(default:timeout:_:)`` does.
  ///
  /// - Throws: errors of the body; ``FileStoreError``, with the code
  ///   ``FileStoreError/Code/missing`` if the file is missing; `CancellationError`.
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
    // A task of the caller's, with its task-local values, which can be cancelled without the other
    // operations of the queue.
    let task = DeferredTask(priority: .userInitiated)
    let hasBegun = Locked(false)
    let trace = makeTrace()
    trace?.tell(.waiting)
    let end: @Sendable (Outcome<Result>) -> Void = { outcome in
      promise.end(with: outcome) { trace?.tell(.ended(outcome.withoutValue)) }
    }
    add { engine in
      hasBegun.withLock { $0 = true }
      // It may have been cancelled while it waited for its turn.
      guard promise.current == nil else { return }
      trace?.tell(.began)
      task.begin {
        end(
          await Outcome(running: {
            try Task.checkCancellation()
            return try await engine.update(default: fallback, timeout: timeout, body)
          }))
      }
      // The next operation waits for the end.
      _ = await promise.outcome
    }
    let outcome = await withTaskCancellationHandler {
      await promise.outcome
    } onCancel: {
      task.cancel()
      // What has begun ends by itself: it may have been written already.
      if !hasBegun.withLock({ $0 }) { end(.cancelled(.caller)) }
    }
    switch outcome {
    case .cancelled(.caller): throw CancellationError()
    default: return try outcome.get()
    }
  }
}
