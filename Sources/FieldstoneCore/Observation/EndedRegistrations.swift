public import Synchronization

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
