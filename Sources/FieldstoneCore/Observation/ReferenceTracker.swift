import Synchronization

/// Tracks references to something, and notifies observers when the last one goes. (Seed:
/// ModelBlocks' `ReferenceTracker`.)
///
/// ```swift
/// let tracker = ReferenceTracker()
/// let registration = tracker.observeIsEmpty { isEmpty in isEmpty ? stop() : start() }
/// var reference: TrackedReference? = tracker.add("showing the map")
/// reference = nil  // nobody needs it any more: stop() is called
/// ```
///
/// It can be used from any thread. Observers are called outside the lock, one edge after the other,
/// in the order of the edges. An edge that happens while observers are called is delivered by the
/// delivering thread.
public final class ReferenceTracker: Sendable {
  private let state = Locked(ReferenceTrackerState())

  /// Makes one without references.
  public init() {}

  /// Adds a reference; releasing what comes back removes it.
  ///
  /// - Parameter reason: its purpose, shown in a debugger.
  public func add(_ reason: String = "") -> TrackedReference {
    let number = state.withLock { $0.add(reason) }
    tellEdges()
    return TrackedReference(reason: reason) { [self] in
      state.withLock { $0.remove(number) }
      tellEdges()
    }
  }

  /// Whether there are no references.
  public var isEmpty: Bool { state.withLock { $0.reasons.isEmpty } }

  /// How many references there are.
  package var count: Int { state.withLock { $0.reasons.count } }

  /// The reasons of the references, the oldest first.
  public var reasons: [String] {
    state.withLock { $0.reasons.valuesInOrder }
  }

  /// Calls a closure whenever the first reference comes or the last one goes.
  ///
  /// - Parameter handler: gets whether there is none; called on the thread that made the
  ///   change, or on one that is delivering already.
  /// - Returns: the registration, to keep as long as the closure is needed.
  public func observeIsEmpty(_ handler: @escaping @Sendable (Bool) -> Void) -> Registration {
    let number = state.withLock { $0.addObserver(handler) }
    return Registration { [self] in
      let observer = state.withLock { $0.removeObserver(number) }
      // Without this the optimiser may release it under the lock, and what it captured may run
      // code of its own.
      withExtendedLifetime(observer) {}
    }
  }

  private func tellEdges() {
    guard state.withLock({ $0.beginTelling() }) else { return }
    while let (isEmpty, observers) = state.withLock({ $0.nextEdge() }) {
      for number in observers {
        // Asked one by one: an observer that is removed by an earlier one is not called.
        state.withLock { $0.observers[number] }?(isEmpty)
      }
    }
  }
}

extension ReferenceTracker: CustomDebugStringConvertible {
  /// The number of references and what each is for.
  public var debugDescription: String {
    let reasons = reasons.map { $0.isEmpty ? "(no reason given)" : $0 }
    return "ReferenceTracker(\(reasons.count): \(reasons.joined(separator: ", ")))"
  }
}

/// A reference that a ``ReferenceTracker`` counts; releasing it removes it.
public final class TrackedReference: Sendable {
  /// The reason given for it.
  package let reason: String

  private let whenReleased: @Sendable () -> Void
  private let isReleased = Atomic(false)

  init(reason: String, whenReleased: @escaping @Sendable () -> Void) {
    self.reason = reason
    self.whenReleased = whenReleased
  }

  deinit {
    release()
  }

  /// Removes it before its release; a no-op when it was removed.
  public func release() {
    if isReleased.exchange(true, ordering: .acquiringAndReleasing) { return }
    whenReleased()
  }
}

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
