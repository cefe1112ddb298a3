/// Passes elements to a handler one at a time, in the order in which they were sent.
///
/// A sender delivers on its own thread, outside any lock, unless another thread is delivering. In
/// that case it leaves its element to that thread and returns. The handler may send.
package final class SerialDelivery<Element: Sendable>: Sendable {
  private let line = Locked(DeliveryLine<Element>())
  private let handler: @Sendable (Element) -> Void

  package init(_ handler: @escaping @Sendable (Element) -> Void) {
    self.handler = handler
  }

  package func send(_ element: Element) {
    let isMine = line.withLock { line in
      line.append(element)
      return line.begin()
    }
    guard isMine else { return }
    while let element = line.withLock({ $0.next() }) { handler(element) }
  }
}

/// The elements of one serial delivery, for a state that has its own lock.
///
/// Elements that are appended together with changes of the state are delivered in the order of the
/// changes.
///
/// After an append, unlock and call ``begin()``. If it returns true, deliver the elements of
/// ``next()`` until it returns nil. Every call is O(1) amortised.
package struct DeliveryLine<Element> {
  private var waiting = FIFO<Element>()
  private var isUnderWay = false

  package init() {}

  /// The number of waiting elements.
  package var count: Int { waiting.count }

  /// The next element, if one waits.
  package var first: Element? { waiting.first }

  package mutating func append(_ element: Element) {
    waiting.append(element)
  }

  /// Claims the delivery; false if another thread has the claim and will deliver the new element.
  package mutating func begin() -> Bool {
    defer { isUnderWay = true }
    return !isUnderWay
  }

  /// The next element to deliver; nil gives the claim back.
  package mutating func next() -> Element? {
    let element = waiting.popFirst()
    isUnderWay = element != nil
    return element
  }
}

extension DeliveryLine: Sendable where Element: Sendable {}

/// A first-in, first-out queue; both operations are O(1) amortised.
package struct FIFO<Element> {
  private var storage: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { storage.count - head }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : storage[head] }

  package mutating func append(_ element: Element) {
    storage.append(element)
  }

  package mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head].take()
    head += 1
    if head == storage.count {
      storage.removeAll(keepingCapacity: storage.count <= 64)
      head = 0
    } else if head >= 32, head * 2 >= storage.count {
      // Half the storage is spent, so moving the rest costs no more than the elements taken so far.
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes the elements that meet a condition, in O(n); the others keep their order.
  package mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
    storage.removeFirst(head)
    head = 0
    storage.removeAll { element in element.map(shouldBeRemoved) ?? true }
  }
}

extension FIFO: Sendable where Element: Sendable {}
