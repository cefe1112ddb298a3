/// Hands elements to a handler one after the other, in the order in which they were sent.
///
/// The sender that finds no delivery under way delivers, on its own thread and outside any lock.
/// The others leave their elements and go on. The handler may send.
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

/// The elements of one serial delivery, for a state under a lock of its own.
///
/// Elements appended with changes of the state are delivered in the order of the changes.
///
/// After an append, leave the lock and call ``begin()``; where it says so, deliver what ``next()``
/// gives until there is none. Every call is O(1) amortised.
package struct DeliveryLine<Element> {
  private var waiting = FIFO<Element>()
  private var isUnderWay = false

  package init() {}

  /// How many elements wait.
  package var count: Int { waiting.count }

  package mutating func append(_ element: Element) {
    waiting.append(element)
  }

  /// Claims the delivery; false while another has it, which finds what was appended.
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

/// A queue: in at the end, out at the front, both in O(1) amortised.
package struct FIFO<Element> {
  private var storage: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { storage.count - head }
  var isEmpty: Bool { count == 0 }

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
      // Half of it is spent: moving the rest down costs as much as was taken since last time.
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Takes out what meets a condition, in O(n); the others keep their order.
  package mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
    storage.removeFirst(head)
    head = 0
    storage.removeAll { element in element.map(shouldBeRemoved) ?? true }
  }
}

extension FIFO: Sendable where Element: Sendable {}
