/// The transitions of a reference tracker, without a lock.
struct ReferenceTrackerState: Sendable {
  private struct Edge {
    let isEmpty: Bool
    /// The last number given before it: an observer with a later one registered after the edge.
    let lastNumber: Int
  }

  private(set) var reasons: [Int: String] = [:]
  private(set) var observers: [Int: @Sendable (Bool) -> Void] = [:]
  private var edges = FIFO<Edge>()
  private var isTelling = false
  private var lastNumber = 0

  mutating func add(_ reason: String) -> Int {
    lastNumber += 1
    if reasons.isEmpty { edges.append(Edge(isEmpty: false, lastNumber: lastNumber)) }
    reasons[lastNumber] = reason
    return lastNumber
  }

  mutating func remove(_ number: Int) {
    guard reasons.removeValue(forKey: number) != nil else { return }
    if reasons.isEmpty { edges.append(Edge(isEmpty: true, lastNumber: lastNumber)) }
  }

  mutating func addObserver(_ observer: @escaping @Sendable (Bool) -> Void) -> Int {
    lastNumber += 1
    observers[lastNumber] = observer
    return lastNumber
  }

  mutating func removeObserver(_ number: Int) -> (@Sendable (Bool) -> Void)? {
    observers.removeValue(forKey: number)
  }

  /// Whether the caller is the one that delivers the edges now.
  mutating func beginTelling() -> Bool {
    if isTelling || edges.isEmpty { return false }
    isTelling = true
    return true
  }

  /// The next edge and its observers; nil when there is none, and the delivery is over.
  mutating func nextEdge() -> (isEmpty: Bool, observers: [Int])? {
    guard let edge = edges.popFirst() else {
      isTelling = false
      return nil
    }
    return (edge.isEmpty, observers.keys.filter { $0 <= edge.lastNumber }.inOrder)
  }
}
