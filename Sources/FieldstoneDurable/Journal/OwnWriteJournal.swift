package import FieldstoneCore

/// A journal whose runs an app also starts and signals in its own transactions, without a runner.
package protocol OwnWriteJournal: Journal {
  /// Observes the runs of these transactions after the commit, on any thread and without a lock
  /// held.
  ///
  /// Runs of transactions that were rolled back may be included.
  func observeOwnWrites(_ body: @escaping @Sendable ([RunID]) -> Void) -> Registration
}
