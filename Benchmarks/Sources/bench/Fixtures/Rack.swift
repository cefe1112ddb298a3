/// Keeps what a sample of memory hands out besides its objects, in room that was made before.
///
/// Only ever used by the one task that measures.
final class Rack<Element>: Sendable {
  nonisolated(unsafe) private var elements: [Element] = []
  private let capacity: Int

  /// Makes one for as many as a sample hands out.
  init(_ capacity: Int) {
    self.capacity = capacity
    elements.reserveCapacity(capacity)
  }

  /// Keeps an element; the first of the next sample lets go of all of the one before.
  func keep(_ element: Element) {
    if elements.count == capacity { elements.removeAll(keepingCapacity: true) }
    elements.append(element)
  }
}
