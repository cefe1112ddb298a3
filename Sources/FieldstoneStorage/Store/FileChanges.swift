import FieldstoneCore

/// The changes of a file, as an asynchronous sequence.
///
/// A slow consumer gets the latest change, and none of those between. The sequence keeps its store,
/// watches the folder until it and its iterators are released, and never ends by itself.
public struct FileChanges<Value: Sendable>: AsyncSequence, Sendable {
  /// A change of the file.
  public typealias Element = FileChange<Value>
  /// The sequence never fails.
  public typealias Failure = Never

  let mailbox: Mailbox<FileChange<Value>>
  let registration: Registration

  /// Gives the latest change that has not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Takes changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<FileChange<Value>>
    fileprivate let registration: Registration

    /// The next change; nil when the waiting task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> FileChange<Value>? {
      await mailbox.next()
    }
  }
}
