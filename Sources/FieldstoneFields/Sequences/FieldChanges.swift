import FieldstoneCore

/// Every change of a field, as an asynchronous sequence; its first element is the value as it was
/// when the sequence was made.
///
/// Changes are kept until they are taken, up to a limit. When there are more, the oldest are lost,
/// and the next element says how many. The sequence holds its place until it and its iterators
/// are released; it never ends by itself before the field does.
public struct FieldChanges<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A change, or how many were lost.
  public indirect enum Element: Sendable {
    // Indirect, so that it has one size for all values: its code is then not generic, and small.

    /// A change, as observers get it.
    case change(ReadableField<Value>.Change)
    /// So many changes were lost here, as the consumer had not taken them in time.
    case missed(Int)
  }

  let mailbox: Mailbox<Element>
  let registration: Registration

  /// Gives the changes that have not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Takes changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Element>
    fileprivate let registration: Registration

    /// The next change; nil when the waiting task is cancelled or the field is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await mailbox.next()
    }
  }
}

/// The latest value of a field, as an asynchronous sequence; its first element is the value as it
/// was when the sequence was made.
///
/// A slow consumer gets the latest value, and none of those between.
public struct FieldValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value; nil where it is nil or nothing is known.
  public typealias Element = Value?
  let mailbox: Mailbox<Value?>
  let registration: Registration

  /// Gives the latest value that has not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Takes values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Value?>
    fileprivate let registration: Registration

    /// The next value; nil when the waiting task is cancelled or the field is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value?? {
      await mailbox.next()
    }
  }
}

extension ReadableField {
  /// Every change from now on, the first being the value as it is.
  ///
  /// - Parameters:
  ///   - limit: how many changes are kept for a slow consumer; less than one counts as one.
  ///   - everySet: whether sets of equal values are among them.
  public final func changes(limit: Int = 256, everySet: Bool = false) -> FieldChanges<Value> {
    let mailbox = Mailbox<FieldChanges<Value>.Element>(limit: limit, missed: { .missed($0) })
    let ending = MailboxEnding(mailbox)
    let registration = observe(everySet: everySet) { change in
      ending.mailbox.push(.change(change))()
    }
    return FieldChanges(mailbox: mailbox, registration: registration)
  }

  /// The value from now on, the latest only for a slow consumer.
  public final func values() -> FieldValues<Value> {
    let mailbox = Mailbox<Value?>(limit: 1)
    let ending = MailboxEnding(mailbox)
    let registration = observe { change in
      ending.mailbox.push(change.new)()
    }
    return FieldValues(mailbox: mailbox, registration: registration)
  }
}

/// Ends a sequence when the field lets go of the observer that feeds it.
private final class MailboxEnding<Element: Sendable> {
  let mailbox: Mailbox<Element>

  init(_ mailbox: Mailbox<Element>) {
    self.mailbox = mailbox
  }

  deinit {
    mailbox.finish()()
  }
}
