import FieldstoneCore
import Foundation
import Synchronization

/// Carries things from one thread to another, which confirms what it is done with.
final class Belt<Element: Sendable>: Sendable {
  private let elements = Locked(FIFO<Element>())
  private let arrived = DispatchSemaphore(value: 0)
  private let count = Atomic(0)

  /// How many have been confirmed.
  var confirmed: Int { count.load(ordering: .acquiring) }

  func send(_ element: Element) {
    elements.withLock { $0.append(element) }
    arrived.signal()
  }

  func confirm() { count.wrappingAdd(1, ordering: .releasing) }

  /// Ends the belt, once all that was sent is taken.
  func close() { arrived.signal() }

  /// Waits for the next element; nil when the belt is closed.
  func next() -> Element? {
    arrived.wait()
    return elements.withLock { $0.popFirst() }
  }
}
