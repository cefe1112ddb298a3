public import Synchronization

/// The token of a registration: cancelling or releasing it ends the registration.
///
/// It is `Sendable` and may be released on any thread: it only leaves a note that it ended. The
/// registering object applies the note in its own isolation.
public final class Registration: Sendable {
  private enum Ending: Sendable {
    case note(NodeAddress, in: EndedRegistrations)
    case action(@Sendable () -> Void)
  }

  private let ending: Ending

  /// The sequence in the number of its node, or 1 if there is no node; zero once it has ended.
  private let sequence: Atomic<UInt32>

  /// Leaves a note when it ends.
  init(_ node: NodeNumber, noteIn ended: EndedRegistrations) {
    ending = .note(node.address, in: ended)
    sequence = Atomic(node.sequence)
  }

  /// Makes a token with a custom action, for anything that must be ended.
  ///
  /// ```swift
  /// let work = Task { for await news in channel { show(news) } }
  /// return Registration { work.cancel() }
  /// ```
  ///
  /// - Parameter action: ends the registered work. It is called once, when the token is cancelled
  ///   or released, on the thread that does so.
  public init(whenEnded action: @escaping @Sendable () -> Void) {
    ending = .action(action)
    sequence = Atomic(1)
  }

  deinit {
    // No other code can end it any more.
    end(sequence.load(ordering: .acquiring))
  }

  /// Ends the registration; a no-op if it has ended.
  ///
  /// If it is called from within a delivery on the same thread, the registered callback is not
  /// called again, not even in that delivery.
  public func cancel() {
    end(sequence.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool {
    sequence.load(ordering: .acquiring) == 0
  }

  private func end(_ sequence: UInt32) {
    guard sequence != 0 else { return }
    switch ending {
    case .note(let address, let ended): ended.add(NodeNumber(address, sequence: sequence))
    case .action(let action): action()
    }
  }
}

/// Notes of ended registrations, left on any thread and applied by their multicast.
///
/// It is a lock-free stack of 8 bytes while empty, because every observed field has one.
@usableFromInline
package final class EndedRegistrations: Sendable {
  private struct Note {
    let number: NodeNumber
    /// The address of the note below it; zero if there is none.
    var below: UInt
  }

  /// The address of the top note; zero if there is none.
  @usableFromInline let top = Atomic<UInt>(0)

  init() {}

  deinit {
    takeAll { _ in }
  }

  /// Whether there is no note; a single load, because every call checks it first.
  @inlinable
  var isEmpty: Bool {
    top.load(ordering: .relaxed) == 0
  }

  func add(_ number: NodeNumber) {
    let note = UnsafeMutablePointer<Note>.allocate(capacity: 1)
    var below = top.load(ordering: .relaxed)
    while true {
      note.initialize(to: Note(number: number, below: below))
      let (isExchanged, current) = top.weakCompareExchange(
        expected: below, desired: UInt(bitPattern: note),
        successOrdering: .releasing, failureOrdering: .relaxed)
      if isExchanged { return }
      below = current
    }
  }

  /// Takes all notes and calls a closure with the number in each, oldest first.
  func takeAll(_ take: (NodeNumber) -> Void) {
    var address = top.exchange(0, ordering: .acquiring)
    var oldest: UnsafeMutablePointer<Note>?
    while let note = UnsafeMutablePointer<Note>(bitPattern: address) {
      address = note.pointee.below
      note.pointee.below = UInt(bitPattern: oldest)
      oldest = note
    }
    while let note = oldest {
      oldest = UnsafeMutablePointer(bitPattern: note.pointee.below)
      take(note.pointee.number)
      note.deallocate()
    }
  }
}
