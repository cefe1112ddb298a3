import Synchronization

/// Counts references, and notifies observers of the first and the last one. (Seed: ModelBlocks'
/// `ReferenceTracker`.)
///
/// ```swift
/// let tracker = ReferenceTracker()
/// let registration = tracker.observeIsEmpty { isEmpty in isEmpty ? stop() : start() }
/// var reference: TrackedReference? = tracker.add("showing the map")
/// reference = nil  // nobody needs it any more: stop() is called
/// ```
///
/// Any thread can use it. Observers are called outside the lock, one edge at a time, in order. An
/// edge that occurs while an observer is called is delivered by the delivering thread.
public final class ReferenceTracker: Sendable {
  private let state = Locked(ReferenceTrackerState())

  /// Makes a tracker without references.
  public init() {}

  /// Adds a reference; releasing the result removes it.
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

  /// The number of references.
  package var count: Int { state.withLock { $0.reasons.count } }

  /// The reasons of the references, oldest first.
  public var reasons: [String] {
    state.withLock { $0.reasons.valuesInOrder }
  }

  /// Calls a closure whenever the first reference is added or the last one is removed.
  ///
  /// - Parameter handler: receives true if no reference is left; called on the thread that made the
  ///   change, or on one that is already delivering.
  /// - Returns: the registration, to keep as long as the closure is needed.
  public func observeIsEmpty(_ handler: @escaping @Sendable (Bool) -> Void) -> Registration {
    let number = state.withLock { $0.edges.add { isEmpty, _ in handler(isEmpty) } }
    return Registration { [self] in
      let observer = state.withLock { $0.edges.remove(number) }
      // Without this the optimiser may release it under the lock, and its captures may run code of
      // their own.
      withExtendedLifetime(observer) {}
    }
  }

  private func tellEdges() {
    state.deliver(\.edges)
  }
}

extension ReferenceTracker: CustomDebugStringConvertible {
  /// The number of references and their reasons.
  public var debugDescription: String {
    let reasons = reasons.map { $0.isEmpty ? "(no reason given)" : $0 }
    return "ReferenceTracker(\(reasons.count): \(reasons.joined(separator: ", ")))"
  }
}

/// A reference that a ``ReferenceTracker`` counts until it is released.
public final class TrackedReference: Sendable {
  /// The reason of the reference.
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

  /// Removes the reference before its deallocation; a no-op if it was removed.
  public func release() {
    if isReleased.exchange(true, ordering: .acquiringAndReleasing) { return }
    whenReleased()
  }
}

/// The transitions of a reference tracker, without a lock.
struct ReferenceTrackerState: Sendable {
  private(set) var reasons: [Int: String] = [:]
  /// Pending edges for the observers: true if no reference is left.
  var edges = ObserverLine<Bool>()
  private var lastNumber = 0

  mutating func add(_ reason: String) -> Int {
    lastNumber += 1
    if reasons.isEmpty { edges.append { false } }
    reasons[lastNumber] = reason
    return lastNumber
  }

  mutating func remove(_ number: Int) {
    guard reasons.removeValue(forKey: number) != nil else { return }
    if reasons.isEmpty { edges.append { true } }
  }
}
