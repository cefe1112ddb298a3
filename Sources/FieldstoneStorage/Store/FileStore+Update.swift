import FieldstoneCore

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
