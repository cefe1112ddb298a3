public import Synchronization

/// The token of a registration: cancelling or releasing it ends the registration.
///
/// It is `Sendable` and may be released on any thread: it only leaves a note that it ended. The
/// registering object takes the note up on its own isolation.
public final class Registration: Sendable {
  private enum Ending: Sendable {
    case note(NodeAddress, in: EndedRegistrations)
    case action(@Sendable () -> Void)
  }

  private let ending: Ending

  /// The sequence in the number of its node, or one where there is no node; zero when it has ended.
  private let sequence: Atomic<UInt32>

  /// Leaves a note when it ends.
  init(_ node: NodeNumber, noteIn ended: EndedRegistrations) {
    ending = .note(node.address, in: ended)
    sequence = Atomic(node.sequence)
  }

  /// Makes a token of one's own, for anything that has to be ended.
  ///
  /// ```swift
  /// let work = Task { for await news in channel { show(news) } }
  /// return Registration { work.cancel() }
  /// ```
  ///
  /// - Parameter action: ends what the token stands for. It is called once, when the token is
  ///   cancelled or released, on the thread that does so.
  public init(whenEnded action: @escaping @Sendable () -> Void) {
    ending = .action(action)
    sequence = Atomic(1)
  }

  deinit {
    // No other code can end it any more.
    end(sequence.load(ordering: .acquiring))
  }

  /// Ends the registration; a no-op when it has ended.
  ///
  /// Called from within a delivery on the same thread, what is registered is not called any more,
  /// also not in that delivery.
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

/// Notes of registrations that have ended, left on any thread and taken up by their multicast.
///
/// A stack without a lock, 8 bytes while it is empty: every observed field has one.
@usableFromInline
package final class EndedRegistrations: Sendable {
  private struct Note {
    let number: NodeNumber
    /// The address of the note that was there before it; zero when there was none.
    var below: UInt
  }

  /// The address of the note on top; zero when there is none.
  @usableFromInline let top = Atomic<UInt>(0)

  init() {}

  deinit {
    takeAll { _ in }
  }

  /// Whether there is nothing to take up: one load, as it is asked before every call.
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

  /// Takes all notes and calls a closure with the number in each, the oldest first.
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
