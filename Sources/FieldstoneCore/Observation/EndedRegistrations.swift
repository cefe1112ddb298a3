public import Synchronization

/// Names a node of a ``Multicast`` from any thread; only that multicast can find the node by it.
@usableFromInline
package struct NodeNumber: Sendable {
  let address: UInt
  /// Tells apart nodes that had the same address one after the other.
  let sequence: UInt32
}

/// Notes of registrations that have ended, left on any thread and taken up by their multicast.
///
/// A stack without a lock, 8 bytes while it is empty: every observed field has one.
@usableFromInline
package final class EndedRegistrations: Sendable {
  private struct Note {
    let number: NodeNumber
    let below: UInt
  }

  /// The address of the note on top; zero when there is none.
  @usableFromInline let top = Atomic<UInt>(0)

  init() {}

  deinit {
    _ = takeAll()
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

  /// Takes all notes, the oldest first.
  func takeAll() -> [NodeNumber] {
    var numbers: [NodeNumber] = []
    var address = top.exchange(0, ordering: .acquiring)
    while let note = UnsafeMutablePointer<Note>(bitPattern: address) {
      numbers.append(note.pointee.number)
      address = note.pointee.below
      note.deallocate()
    }
    return numbers.reversed()
  }
}
