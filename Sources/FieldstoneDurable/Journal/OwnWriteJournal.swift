package import FieldstoneCore

/// A journal whose runs an app also starts and signals in transactions of its own, past any runner.
package protocol OwnWriteJournal: Journal {
  /// Hears of these runs after their commit, on any thread and without a lock held.
  ///
  /// Runs may be among them whose transaction was rolled back.
  func observeOwnWrites(_ body: @escaping @Sendable ([RunID]) -> Void) -> Registration
}
