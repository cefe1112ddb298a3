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
