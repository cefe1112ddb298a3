import FieldstoneCore

extension DurableRunner {
  /// Removes runs that are over and older than the retention; the runner never does so by itself.
  ///
  /// Call it now and then, once a day perhaps. Only one process needs to. A key whose run is gone can
  /// be started again.
  ///
  /// - Returns: how many runs went.
  /// - Throws: ``JournalError``.
  @discardableResult
  public func purge(_ retention: JournalRetention = JournalRetention()) async throws -> Int {
    try await journal.purge(retention, at: JournalTime(time, boot: options.boot))
  }
}
