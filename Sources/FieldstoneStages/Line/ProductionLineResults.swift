public import FieldstoneCore

/// In which order a production line gives its results.
public enum ProductionLineOrder: Sendable, Hashable, CaseIterable {
  /// As the stages were added; a slow one holds back those behind it.
  case input
  /// As the executions end.
  case completion
}

/// The outcomes of a production line, as an asynchronous sequence for one consumer.
public struct ProductionLineResults<Completion: Sendable>: AsyncSequence, Sendable {
  /// How one execution ended.
  public typealias Element = Outcome<Completion>
  /// The sequence itself never fails.
  public typealias Failure = Never

  let mailbox: Mailbox<Outcome<Completion>>

  /// Gives the outcomes that have not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox)
  }

  /// Takes outcomes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Outcome<Completion>>

    /// The next outcome; nil at the end and when the waiting task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await mailbox.next()
    }
  }
}
