/// The one answer that a callback API owes: the first counts, and releasing the last reference
/// without one is an answer too.
///
/// It is the shared part of `LoadCompletion` and `Resolver`.
package final class CallbackAnswer<Value: Sendable>: Sendable {
  /// What became of an answer.
  package enum Reception: Sendable, Hashable {
    case taken
    /// The work was cancelled before.
    case late
    /// There was an answer before; so many were ignored by now.
    case repeated(Int)
  }

  private let work: WorkStop
  private let deliver: @Sendable (Outcome<Value>) -> Void
  private let dropped: @Sendable () -> any Error
  private let ignored = Locked(0)

  /// Makes the answer to work that ``WorkStop`` stops.
  ///
  /// - Parameters:
  ///   - dropped: makes the error for an answer that never comes.
  ///   - deliver: takes the answer, or that error.
  package init(
    to work: WorkStop, dropped: @escaping @Sendable () -> any Error,
    deliver: @escaping @Sendable (Outcome<Value>) -> Void
  ) {
    self.work = work
    self.dropped = dropped
    self.deliver = deliver
  }

  /// Takes an answer, from any thread.
  package func end(with outcome: Outcome<Value>) -> Reception {
    switch work.end() {
    case .underWay:
      deliver(outcome)
      return .taken
    case .stopped: return .late
    case .ended:
      return .repeated(
        ignored.withLock { ignored in
          ignored += 1
          return ignored
        })
    }
  }

  /// How many answers were ignored because there was one.
  package var ignoredCount: Int { ignored.withLock { $0 } }

  deinit {
    if work.end() == .underWay { deliver(.failure(dropped())) }
  }
}
