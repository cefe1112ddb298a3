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
/// It can be used from any thread. Each observer is called outside the lock, one edge after the other,
/// in the order of the edges. An edge that happens while an observer is called is delivered by the
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
    let number = state.withLock { $0.edges.add { isEmpty, _ in handler(isEmpty) } }
    return Registration { [self] in
      let observer = state.withLock { $0.edges.remove(number) }
      // Without this the optimiser may release it under the lock, and what it captured may run
      // code of its own.
      withExtendedLifetime(observer) {}
    }
  }

  private func tellEdges() {
    state.deliver(\.edges)
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
  private(set) var reasons: [Int: String] = [:]
  /// Its edges on their way to the observers: whether there is no reference any more.
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
