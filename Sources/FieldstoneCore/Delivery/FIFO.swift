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
