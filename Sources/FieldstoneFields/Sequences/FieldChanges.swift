import FieldstoneCore

/// Every change of a field, as an asynchronous sequence that begins with the current value.
///
/// Changes are buffered up to a limit. Beyond it the oldest are dropped, and the next element gives
/// their number. The sequence observes the field until it and its iterators are released; it ends
/// when the field is deallocated.
public struct FieldChanges<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A change, or the number of lost changes.
  public indirect enum Element: Sendable {
    // Indirect, so that it has one size for all values: its code is then not generic, and small.

    /// A change, as observers receive it.
    case change(ReadableField<Value>.Change)
    /// This many changes were lost here, as the consumer did not take them in time.
    case missed(Int)
  }

  let mailbox: Mailbox<Element>
  let registration: Registration

  /// Makes an iterator over the changes that have not been taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Iterates over changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Element>
    fileprivate let registration: Registration

    /// The next change; nil when the waiting task is cancelled or the field is deallocated.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await mailbox.next()
    }
  }
}

/// The latest value of a field, as an asynchronous sequence that begins with the current value.
///
/// A slow consumer gets the latest value only.
public struct FieldValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value; nil if it is nil or not known.
  public typealias Element = Value?
  let mailbox: Mailbox<Value?>
  let registration: Registration

  /// Makes an iterator over the latest value, unless it has been taken.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, registration: registration)
  }

  /// Iterates over values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Value?>
    fileprivate let registration: Registration

    /// The next value; nil when the waiting task is cancelled or the field is deallocated.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value?? {
      await mailbox.next()
    }
  }
}

extension ReadableField {
  /// Every change from now on; the first element holds the current value.
  ///
  /// - Parameters:
  ///   - limit: how many changes are buffered for a slow consumer; less than one counts as one.
  ///   - everySet: whether sets of equal values are included.
  public final func changes(limit: Int = 256, everySet: Bool = false) -> FieldChanges<Value> {
    let mailbox = Mailbox<FieldChanges<Value>.Element>(limit: limit, missed: { .missed($0) })
    let ending = MailboxEnding(mailbox)
    let registration = observe(everySet: everySet) { change in
      ending.mailbox.push(.change(change))()
    }
    return FieldChanges(mailbox: mailbox, registration: registration)
  }

  /// The values from now on; a slow consumer gets the latest only.
  public final func values() -> FieldValues<Value> {
    let mailbox = Mailbox<Value?>(limit: 1)
    let ending = MailboxEnding(mailbox)
    let registration = observe { change in
      ending.mailbox.push(change.new)()
    }
    return FieldValues(mailbox: mailbox, registration: registration)
  }
}

/// Ends a sequence when the field releases the observer that feeds it.
private final class MailboxEnding<Element: Sendable> {
  let mailbox: Mailbox<Element>

  init(_ mailbox: Mailbox<Element>) {
    self.mailbox = mailbox
  }

  deinit {
    mailbox.finish()()
  }
}
